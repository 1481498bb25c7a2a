export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces each `{{name}}` in all strings of a value. @throws {Error} if there is no value of this name */
export function fill(value, values) {
  if (Array.isArray(value)) return value.map((one) => fill(one, values));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one, values)]));
  if (typeof value !== 'string') return value;
  return value.replace(/\{\{(\w+)\}\}/g, (_all, name) => {
    if (values[name] === undefined) throw new Error(`there is no value for {{${name}}}`);
    return values[name];
  });
}

/** Returns how an answer differs from what a case expects: nothing if it does not. */
export function differences(expected, { status, headers, text }) {
  const found = [...compare('status', expected.status, status)];
  for (const [name, matcher] of Object.entries(expected.headers ?? {}))
    found.push(...compare(name, matcher, headers.get(name) ?? undefined));
  if (!expected.body) return found;
  const body = parsed(text);
  if (!isObject(body)) return [...found, 'body: expected a JSON object'];
  return [...found, ...members('', expected.body, body)];
}

function members(path, expected, object) {
  return Object.entries(expected).flatMap(([name, matcher]) => compare(path + name, matcher, object[name]));
}

function compare(what, matcher, value) {
  if (isObject(matcher) && matcher.each) {
    if (!Array.isArray(value) || value.length === 0) return [`${what}: expected a list that is not empty`];
    return value.flatMap((one, index) => members(`${what}[${index}].`, matcher.each, one));
  }
  return matches(matcher, value)
    ? []
    : [`${what}: expected ${JSON.stringify(matcher)}, got ${shown(what, value)}`];
}

/** A token is not printed. */
const shown = (what, value) =>
  what === 'access_token' && value ? 'a token' : (JSON.stringify(value) ?? 'nothing');

function matches(matcher, value) {
  if (!isObject(matcher)) return value === matcher;
  if (matcher.absent) return value === undefined;
  if (matcher.not) return !matcher.not.includes(value);
  if (matcher.contains) return Array.isArray(value) && value.includes(matcher.contains);
  if (matcher.matches) return typeof value === 'string' && new RegExp(matcher.matches).test(value);
  if (matcher.withinSeconds) return Math.abs(Date.parse(value) - Date.now()) <= matcher.withinSeconds * 1000;
  if (matcher.minimum !== undefined)
    return Number.isInteger(value) && value >= matcher.minimum && value <= matcher.maximum;
  throw new Error(`unknown matcher ${JSON.stringify(matcher)}`);
}

export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON, which the comparison reports
  }
}
