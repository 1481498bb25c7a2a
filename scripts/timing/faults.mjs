// What a test of the gate must not contain.
import { declaresNightTests, nameOf, some, walk } from './syntax.mjs';

const LOOP = 'wait with eventually() of @legate/testing, which has a limit and says what it waited for';
const TIME = "do not measure time: count the work, or move this into a suite with needs('night')";
const MEMORY = "do not measure memory: move this into a suite with needs('night')";

const CLOCKS = /^(performance\.now|Date\.now|process\.(hrtime(\.bigint)?|cpuUsage))$/;
const TIMERS = /^(.*\.)?(setTimeout|setImmediate|delay|sleep|wait|pause)$/;
const AT_MOST = /^toBeLessThan(OrEqual)?$/;
/** Names of what has been measured, in any case: `tookMs`, `call.ms`, `elapsed` */
const ELAPSED = /^(ms|.*(took|elapsed|latency|duration).*)$/i;
const SIZE = /memoryUsage|peakMemory|^rss$|VmHWM|VmRSS|heapUsed|megabytes|[a-z]Mb$|[a-z]Kb$/i;
const COMPARISONS = ['<', '<=', '>', '>='];

/** @returns the line and the text of each fault */
export function faultsOf({ tree, imports, nights, lineOf }) {
  const timers = new Set(
    imports.find(({ from }) => from === 'node:timers/promises')?.names.map(([, name]) => name),
  );
  const measured = measuredNamesOf(tree);
  const faults = new Map();
  const add = (node, text) => faults.set(`${lineOf(node)} ${text}`, { line: lineOf(node), text });
  walk(tree, (node) => {
    if (declaresNightTests(node, nights)) return false;
    if (isPoll(node, timers)) add(node, LOOP);
    if (comparesTime(node, measured)) add(node, TIME);
    if (limitsMemory(node)) add(node, MEMORY);
  });
  return [...faults.values()].sort((a, b) => a.line - b.line);
}

const isClock = (node) => node.type === 'CallExpression' && CLOCKS.test(nameOf(node.callee) ?? '');
const isDifference = (node) =>
  node.type === 'BinaryExpression' &&
  node.operator === '-' &&
  (some(node.left, isClock) || some(node.right, isClock));
const isFunction = ({ type }) => /^(Arrow)?Function/.test(type);

/** A loop that waits for something: an endless one, or one that ends when it has found it. */
function isPoll(node, timers) {
  const awaitsTimer = () => some(withoutFunctions(node.body), (each) => isTimerAwait(each, timers));
  switch (node.type) {
    case 'WhileStatement':
    case 'DoWhileStatement':
      return awaitsTimer();
    case 'ForStatement':
      return (!node.test || leaves(node.body)) && awaitsTimer();
    default:
      return false;
  }
}

const leaves = (body) =>
  some(withoutFunctions(body), ({ type }) => type === 'ReturnStatement' || type === 'BreakStatement');

const isTimerAwait = (node, timers) =>
  node.type === 'AwaitExpression' &&
  some(node.argument, (each) => {
    if (each.type !== 'CallExpression') return false;
    const name = nameOf(each.callee) ?? '';
    return timers.has(name) || TIMERS.test(name);
  });

/** The nodes below this one, without those in functions that are only defined there; one that is awaited counts. */
function withoutFunctions(node) {
  const nodes = [];
  walk(node, (each) => {
    if (isFunction(each)) return false;
    if (each.type === 'AwaitExpression' || /^(Return|Break)Statement$/.test(each.type)) nodes.push(each);
  });
  return nodes;
}

/** @returns the variables that are given a difference of two times */
function measuredNamesOf(tree) {
  const names = new Set();
  walk(tree, (node) => {
    if (node.type === 'VariableDeclarator' && node.init && !isFunction(node.init) && isDifference(node.init))
      names.add(node.id.value);
    if (node.type === 'AssignmentExpression' && isDifference(node.right)) names.add(nameOf(node.left));
    const [pushedTo, method] = (nameOf(node.callee) ?? '').split('.');
    if (method === 'push' && node.arguments.some(({ expression }) => isDifference(expression)))
      names.add(pushedTo);
  });
  return names;
}

/** @returns the argument of `expect(…)`, and the matcher that is called on it */
function expectationOf(node) {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  let object = node.callee.object;
  while (object.type === 'MemberExpression') object = object.object; // .not, .resolves
  if (object.type !== 'CallExpression' || nameOf(object.callee) !== 'expect') return undefined;
  return { actual: object.arguments, matcher: node.callee.property.value };
}

function comparesTime(node, measured) {
  if (node.type === 'BinaryExpression' && COMPARISONS.includes(node.operator))
    return [node.left, node.right].some((side) => some(side, isDifference));
  const { actual, matcher } = expectationOf(node) ?? {};
  if (!actual) return false;
  const isMeasured = (each) => measured.has(each.value) && each.type === 'Identifier';
  const isNamedSo = (each) => each.type === 'Identifier' && ELAPSED.test(each.value);
  return (
    some(actual, isClock) ||
    (/^toBe(Less|Greater)Than/.test(matcher) && some(actual, isMeasured)) ||
    (AT_MOST.test(matcher) && some(actual, isNamedSo))
  );
}

function limitsMemory(node) {
  const { actual, matcher } = expectationOf(node) ?? {};
  return AT_MOST.test(matcher) && some(actual, (each) => SIZE.test(each.value ?? ''));
}
