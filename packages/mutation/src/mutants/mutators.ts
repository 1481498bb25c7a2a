import type { BinaryExpression, Expression, Node } from '@babel/types';
import type { Edit } from './mutant.ts';

export interface NamedEdit extends Edit {
  readonly mutator: string;
}

interface Context {
  readonly source: string;
  readonly parent: Node | undefined;
}

/** Returns the changes that are tried at one node of the syntax tree. */
export function editsAt(node: Node, context: Context): NamedEdit[] {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['true', 'false'].map((value) => replaced('condition forced', node.test, value));
    case 'WhileStatement':
      return [replaced('condition forced', node.test, 'false')];
    case 'LogicalExpression':
      // A default that only satisfies the compiler, since an index may be out of range
      if (node.operator === '??' && isEmpty(node.right)) return [];
      return [node.left, node.right].map((kept) =>
        replaced('operand left out', node, textOf(kept, context.source)),
      );
    case 'BinaryExpression':
      return operatorEdits(node, context);
    case 'UnaryExpression':
      if (node.operator !== '!' || isTestOf(node, context.parent)) return [];
      return [replaced('negation left out', node, textOf(node.argument, context.source))];
    case 'BooleanLiteral':
      return [replaced('boolean flipped', node, String(!node.value))];
    case 'NumericLiteral':
      return [replaced('number moved', node, String(movedNumber(node.value)))];
    case 'ThrowStatement':
      return [replaced('throw left out', node, ';')];
    case 'ReturnStatement':
      return node.argument ? [] : [replaced('return left out', node, ';')];
    case 'ExpressionStatement':
      return isEffect(node.expression) ? [replaced('statement left out', node, ';')] : [];
    case 'ArrayExpression':
      return withoutEach('member left out', node.elements, node);
    case 'ObjectExpression':
      // Removing a function or a dependency breaks everything, and so proves little about tests.
      return withoutEach('property left out', node.properties, node, isSetting);
    case 'TemplateLiteral':
      // A key or an identifier, and not a text for people
      if (node.quasis.some(({ value }) => /\s/.test(value.raw))) return [];
      return node.expressions.map((part) => ({
        mutator: 'part of a text left out',
        start: startOf(part) - 2,
        end: endOf(part) + 1,
        replacement: '',
      }));
    case 'CallExpression':
      return calleeEdits(node.callee);
    default:
      return [];
  }
}

const OPPOSITES: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  ceil: 'floor',
  floor: 'ceil',
  min: 'max',
  max: 'min',
};

function calleeEdits(callee: Node): NamedEdit[] {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return [];
  const opposite = Object.hasOwn(OPPOSITES, callee.property.name)
    ? OPPOSITES[callee.property.name]
    : undefined;
  return opposite ? [replaced('method swapped', callee.property, opposite)] : [];
}

const OPERATORS: Readonly<Record<string, readonly [mutator: string, operator: string]>> = {
  '<': ['bound moved', '<='],
  '<=': ['bound moved', '<'],
  '>': ['bound moved', '>='],
  '>=': ['bound moved', '>'],
  '===': ['comparison negated', '!=='],
  '!==': ['comparison negated', '==='],
  '+': ['arithmetic swapped', '-'],
  '-': ['arithmetic swapped', '+'],
  '*': ['arithmetic swapped', '/'],
  '/': ['arithmetic swapped', '*'],
};

function operatorEdits(node: BinaryExpression, { source, parent }: Context): NamedEdit[] {
  const [mutator, operator] = Object.hasOwn(OPERATORS, node.operator) ? (OPERATORS[node.operator] ?? []) : [];
  if (!mutator || !operator) return [];
  // Negating a condition is covered by forcing it both ways.
  if (mutator === 'comparison negated' && isTestOf(node, parent)) return [];
  if (node.operator === '+' && [node.left, node.right].some(isText)) return [];
  const between = source.slice(endOf(node.left), startOf(node.right));
  const start = endOf(node.left) + between.indexOf(node.operator);
  return [{ mutator, start, end: start + node.operator.length, replacement: operator }];
}

const isText = ({ type }: Node): boolean => type === 'StringLiteral' || type === 'TemplateLiteral';

const isTestOf = (node: Node, parent: Node | undefined): boolean =>
  (parent?.type === 'IfStatement' || parent?.type === 'ConditionalExpression') && parent.test === node;

/** Doubles a number, which loosens a limit. Adding one would be too little for a duration. */
const movedNumber = (value: number): number => (value === 0 ? 1 : value * 2);

const isEmpty = (node: Node): boolean =>
  (node.type === 'Identifier' && node.name === 'undefined') ||
  (node.type === 'NumericLiteral' && node.value === 0) ||
  (node.type === 'StringLiteral' && node.value === '') ||
  (node.type === 'ArrayExpression' && node.elements.length === 0) ||
  node.type === 'NullLiteral';

/** Members that are read by people only. */
const TEXTS = new Set(['cause', 'description', 'detail', 'help', 'message', 'reason', 'title']);

const isSetting = (node: Node): boolean =>
  node.type === 'ObjectProperty' &&
  !node.shorthand &&
  !/Function/.test(node.value.type) &&
  !(node.key.type === 'Identifier' && (TEXTS.has(node.key.name) || isFault(node.key.name, node.value)));

/** Returns true for the message of a zod check, as in `{ error: 'must not be empty' }`; an error code has no space. */
const isFault = (name: string, value: Node): boolean =>
  name === 'error' && value.type === 'StringLiteral' && /\s/.test(value.value);

/** Returns true if a statement has an effect that a test could miss; a mere declaration is kept. */
const isEffect = (expression: Expression): boolean =>
  ['CallExpression', 'AwaitExpression', 'AssignmentExpression', 'UpdateExpression'].includes(expression.type);

/** Returns one change for each member of a list, which leaves it out together with its comma. */
function withoutEach(
  mutator: string,
  members: readonly (Node | null)[],
  list: Node,
  matters: (member: Node) => boolean = () => true,
): NamedEdit[] {
  return members.flatMap((member, index) => {
    if (!member || !matters(member)) return [];
    const next = members[index + 1];
    const previous = members[index - 1];
    if (next) return [{ mutator, start: startOf(member), end: startOf(next), replacement: '' }];
    const start = previous ? endOf(previous) : startOf(list) + 1;
    return [{ mutator, start, end: endOf(list) - 1, replacement: '' }];
  });
}

const replaced = (mutator: string, node: Node, replacement: string): NamedEdit => ({
  mutator,
  start: startOf(node),
  end: endOf(node),
  replacement,
});

const textOf = (node: Node, source: string): string => source.slice(startOf(node), endOf(node));

const startOf = ({ start }: Node): number => start ?? 0;

const endOf = ({ end }: Node): number => end ?? 0;
