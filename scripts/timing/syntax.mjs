// Reads a test file: its syntax tree, and which of its tests need the night.
import swc from '@swc/core';

/** @param text TypeScript */
export function parse(text) {
  // swc counts bytes on from the file before: the semicolon shows where this one begins.
  const tree = swc.parseSync(`;${text}`, { syntax: 'typescript', target: 'es2022' });
  const start = tree.span.start;
  const bytes = Buffer.from(text);
  const imports = tree.body
    .filter(({ type }) => type === 'ImportDeclaration')
    .map(({ source, specifiers }) => ({
      from: source.value,
      names: specifiers.map(({ local, imported }) => [(imported ?? local).value, local.value]),
    }));
  const nights = namesOfNeeds(tree, true);
  return {
    tree,
    imports,
    nights,
    isNightSuite: some(tree, (node) => isNeeds(node, true)) && !declaresOtherTests(tree, imports, nights),
    lineOf: ({ span }) =>
      bytes
        .subarray(0, span.start - start - 1)
        .toString()
        .split('\n').length,
  };
}

/** Calls `visit` for each node below and including this one; where that returns false, not for those below. */
export function walk(node, visit) {
  if (Array.isArray(node)) for (const each of node) walk(each, visit);
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return;
  if (typeof node.type === 'string' && visit(node) === false) return;
  for (const [name, child] of Object.entries(node)) if (name !== 'span') walk(child, visit);
}

/** @returns true where `is` holds for a node below and including this one */
export function some(node, is) {
  let found = false;
  walk(node, (each) => {
    found ||= is(each);
    return !found;
  });
  return found;
}

/** @returns `a.b.c` of a chain of names, also where it is called; undefined for another expression */
export function nameOf(node) {
  switch (node?.type) {
    case 'Identifier':
      return node.value;
    case 'MemberExpression': {
      const object = nameOf(node.object);
      return object && node.property.type === 'Identifier' ? `${object}.${node.property.value}` : undefined;
    }
    case 'ParenthesisExpression':
      return nameOf(node.expression);
    default:
      return undefined;
  }
}

/** @returns true for `needs('night', …)` where `atNight`, otherwise for a call without that word */
const isNeeds = (node, atNight) =>
  node.type === 'CallExpression' &&
  nameOf(node.callee) === 'needs' &&
  node.arguments.some(({ expression }) => expression.value === 'night') === atNight;

/** @returns true where a statement of the file itself, outside of functions, declares tests that do not need the night */
function declaresOtherTests(tree, imports, nights) {
  const jest = imports.find(({ from }) => from === '@jest/globals')?.names.map(([, name]) => name) ?? [];
  const others = new Set([...jest, ...namesOfNeeds(tree, false)]);
  for (const hook of ['beforeAll', 'beforeEach', 'afterAll', 'afterEach', 'expect', 'jest'])
    others.delete(hook);
  return tree.body.some(
    ({ type, expression }) =>
      type === 'ExpressionStatement' &&
      !declaresNightTests(expression, nights) &&
      rootsOf(expression).some((part) => others.has(part.value) || isNeeds(part, false)),
  );
}

/** @returns the variables that hold `needs(…)`, or what it returns */
function namesOfNeeds(tree, atNight) {
  const names = new Set();
  walk(tree, ({ type, id, init }) => {
    if (type !== 'VariableDeclarator' || !init || !isNeeds(init, atNight)) return;
    walk(id, (part) => {
      if (part.type === 'KeyValuePatternProperty') names.add(part.value.value);
      else if (part.type === 'AssignmentPatternProperty') names.add(part.key.value);
      else if (part.type === 'Identifier' && part === id) names.add(part.value);
    });
  });
  return names;
}

/** @returns true for a call that declares tests which need the night: `needs('night').it(…)`, `atNight.describe(…)` */
export function declaresNightTests(node, nights) {
  return rootsOf(node).some(
    (part) => isNeeds(part, true) || (part.type === 'Identifier' && nights.has(part.value)),
  );
}

/** @returns the callee of a call, what that is a member of or is returned by, and so on */
function rootsOf(node) {
  const parts = [];
  if (node.type !== 'CallExpression') return parts;
  for (let part = node.callee; part; part = part.callee ?? part.object) parts.push(part);
  return parts;
}
