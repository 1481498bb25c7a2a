import { isSchema, referred } from './schema.ts';

/** Keywords whose members are schemas by name */
const BY_NAME = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords that hold values, not schemas */
const VALUES = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);
/** Keywords that apply to the members which `patternProperties` does not match */
const LEFT_OVER = new Set(['additionalProperties', 'unevaluatedProperties']);
/** Keywords with which references lead to targets that a pointer does not name */
const ELSEWHERE = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef'];
/**
 * Maximum number of parts of a schema with its references followed; the largest schemas of real tools have
 * some hundred.
 */
const PARTS_AT_MOST = 10_000;

/**
 * Returns a schema with which a page can check arguments quickly, whatever a tool server sends. Patterns are
 * removed, because matching some texts may never end. Undefined if references multiply. The tool server
 * checks the complete schema.
 */
export function checkable(schema: object): object | undefined {
  const plain = withoutPatterns(schema);
  return isBounded(plain) ? plain : undefined;
}

function withoutPatterns(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutPatterns);
  if (!isSchema(part)) return part;
  const hasPatterns = 'patternProperties' in part;
  const kept = Object.entries(part).filter(
    ([keyword]) =>
      keyword !== 'pattern' && keyword !== 'patternProperties' && !(hasPatterns && LEFT_OVER.has(keyword)),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withoutPatternsIn(keyword, value)]));
}

function withoutPatternsIn(keyword: string, value: unknown): unknown {
  if (VALUES.has(keyword)) return value;
  if (!BY_NAME.has(keyword) || !isSchema(value)) return withoutPatterns(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutPatterns(schema)]));
}

/** Follows references as a check would, up to the maximum number of parts: a cycle would never end. */
function isBounded(root: unknown): root is object {
  const waiting = [root];
  for (let parts = 1; waiting.length > 0; parts += 1) {
    const part = waiting.pop();
    if (parts > PARTS_AT_MOST || (isSchema(part) && ELSEWHERE.some((keyword) => keyword in part)))
      return false;
    for (const child of childrenOf(part)) waiting.push(child);
    if (!isSchema(part) || part.$ref === undefined) continue;
    const target = referred(part.$ref, root);
    if (target === undefined) return false;
    waiting.push(target);
  }
  return true;
}

const childrenOf = (part: unknown): unknown[] =>
  Object.values(part as object).filter((value) => typeof value === 'object' && value !== null);
