import { parse } from '@babel/parser';
import type { Expression, Node, Super, V8IntrinsicIdentifier } from '@babel/types';
import { applyEdit, type Mutant, mutantId, onOneLine } from './mutant.ts';
import { editsAt, type NamedEdit } from './mutators.ts';
import { walk } from './walk.ts';

/** Returns every mutant of a TypeScript source file, in the order of the code. */
export function findMutants(file: string, source: string): Mutant[] {
  const edits: NamedEdit[] = [];
  walk(parseTypeScript(source), (node, parent) => {
    if (isSkipped(node)) return false;
    edits.push(...editsAt(node, { source, parent }));
    return node.type !== 'ThrowStatement'; // error texts are for the log and for people
  });
  const occurrences = new Map<string, number>();
  return edits
    .filter((edit) => parses(applyEdit(source, edit)))
    .map((edit) => {
      const original = onOneLine(source.slice(edit.start, edit.end));
      const kind = JSON.stringify([edit.mutator, original, edit.replacement]);
      const occurrence = occurrences.get(kind) ?? 0;
      occurrences.set(kind, occurrence + 1);
      const line = source.slice(0, edit.start).split('\n').length;
      const named = { ...edit, file, original };
      return { ...named, line, id: mutantId(named, occurrence) };
    });
}

// `createParenthesizedExpressions` keeps a parenthesis as a node, so that a replaced operand keeps its parentheses.
const parseTypeScript = (source: string) =>
  parse(source, { sourceType: 'module', plugins: ['typescript'], createParenthesizedExpressions: true });

function parses(source: string): boolean {
  try {
    parseTypeScript(source);
    return true;
  } catch {
    return false;
  }
}

/** Types have no effect, messages and descriptions are for people, and logging and counting enforce nothing. */
function isSkipped(node: Node): boolean {
  if (node.type === 'ExpressionStatement') return isSkipped(node.expression);
  if (node.type.startsWith('TS')) return !TRANSPARENT.has(node.type);
  if (node.type === 'NewExpression')
    return /(Error|Problem|Refusal|Fault|Counter|Gauge|Histogram)$/.test(nameOf(node.callee));
  return (
    node.type === 'CallExpression' &&
    /(^|\.)(log|logger|metrics)\.|\.(describe|meta)$|^problem$/.test(nameOf(node.callee))
  );
}

const TRANSPARENT = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

/** Returns the source text of a callee, such as `deps.log.info`, as far as it consists of names. */
function nameOf(callee: Expression | Super | V8IntrinsicIdentifier): string {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression') return '';
  const object = callee.object.type === 'ThisExpression' ? 'this' : nameOf(callee.object);
  return callee.property.type === 'Identifier' ? `${object}.${callee.property.name}` : object;
}
