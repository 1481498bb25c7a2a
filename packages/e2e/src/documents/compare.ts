/** Patterns of texts that differ from run to run, with the text that replaces them on both sides. */
const MASKS: readonly [RegExp, string][] = [
  [/\bey[\w-]{10,}\.[\w-]+\.[\w-]*/g, 'ey…'],
  [/\b(lgt|lgi|lgs|lms)_[\w-]{12,}/g, '$1_…'],
  [/\b([a-z]{2,8})_(?:[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{32}|[0-9a-f-]{36})\b/g, '$1_…'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-01-01T00:00:00Z'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '00000000-0000-4000-8000-000000000000'],
  [/\b[0-9a-f]{32}\b/g, '0'.repeat(32)],
  [/\b\d+(?:\.\d+)? ?(ms|s)\b/g, '0 $1'],
];
/** Members whose numbers are durations, sizes or points in time */
const MEASURED = /(^|_)(ms|seconds|expires_in|expires_at|ttlMs|iat|exp)$/;

const masked = (text: string): string => MASKS.reduce((done, [mask, by]) => done.replace(mask, by), text);

/**
 * Compares an output with the text that a document shows. `…` stands for anything within a line or value, a line `...`
 * for any lines; JSON is compared as JSON.
 * @returns the difference; undefined if they agree
 */
export function difference(shown: string, written: string): string | undefined {
  const [expected, actual] = [asJson(shown), asJson(written)];
  if (expected !== undefined && actual !== undefined) {
    const where = differingMember(expected, actual, '');
    return where && `${where}\nwritten: ${written.trim()}`;
  }
  // Abbreviated JSON cannot be parsed, and documents break its lines for readers.
  if (/^[{[]/.test(shown.trim()) && written.trim().split('\n').length < shown.trim().split('\n').length)
    shown = shown
      .trim()
      .split('\n')
      .map((line) => line.trim())
      .join('');
  const lines = shown.trim().split('\n').map(asPattern).join('\n').replaceAll('\n<any>\n', '\n(?:.*\n)*?');
  const pattern = lines.replace(/^<any>\n/, '(?:.*\n)*?').replace(/\n<any>$/, '(?:\n.*)*');
  return new RegExp(`^${pattern}$`).test(masked(written.trim()))
    ? undefined
    : `shown:\n${shown.trim()}\nwritten:\n${written.trim()}`;
}

const asPattern = (line: string): string =>
  line.trim() === '...' ? '<any>' : literal(masked(line)).replaceAll('…', '.*?');
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Parses JSON, or JSON with one value on each line; undefined: the text is neither */
function asJson(text: string): unknown {
  const parsed = parse(text);
  if (parsed !== undefined) return parsed;
  const lines = text.trim().split('\n').map(parse);
  return lines.includes(undefined) ? undefined : lines;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function differingMember(expected: unknown, actual: unknown, at: string): string | undefined {
  const differs = () =>
    `${at || 'the answer'}: shown ${JSON.stringify(expected)}, written ${JSON.stringify(actual)}`;
  if (typeof expected === 'string')
    return typeof actual === 'string' && fits(expected, actual) ? undefined : differs();
  if (typeof expected === 'number' && MEASURED.test(at))
    return typeof actual === 'number' ? undefined : differs();
  if (typeof expected !== 'object' || expected === null)
    return Object.is(expected, actual) ? undefined : differs();
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(expected))
    return differs();
  const shown = Object.entries(expected);
  const isPartial = '…' in expected || (Array.isArray(expected) && expected.at(-1) === '…');
  const entries = shown.filter(
    ([name, value]) => name !== '…' && !(Array.isArray(expected) && value === '…'),
  );
  if (!isPartial && shown.length !== Object.keys(actual).length) return differs();
  for (const [name, value] of entries) {
    const found = differingMember(
      value,
      (actual as Record<string, unknown>)[name],
      at ? `${at}.${name}` : name,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

const fits = (expected: string, actual: string): boolean =>
  new RegExp(`^${literal(masked(expected)).replaceAll('…', '[\\s\\S]*?')}$`).test(masked(actual));
