/**
 * Members of a JSON object in their order: the JSON text of each value by its name. This way a value can be passed on
 * unchanged, so that numbers keep all their digits (RFC 8259 §6).
 */
export type JsonMembers = ReadonlyMap<string, string>;

/** A JSON object as its original text, and parsed. */
export interface JsonObject {
  readonly json: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export const NO_MEMBERS: JsonMembers = new Map();

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const BLANK = 0x20;

/**
 * Returns the JSON text of each member by name. If a name occurs several times, the last value counts, as in a parser.
 * @param json valid JSON text; a value that is not an object has no members
 * @throws {TypeError} for most other texts
 */
export function membersOf(json: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = startWithin(json, OPEN_BRACE);
  while (json.charCodeAt(at) === QUOTE) {
    const endOfName = endOfString(json, at);
    const start = skipBlanks(json, json.indexOf(':', endOfName) + 1);
    const end = endOfValue(json, start);
    members.set(nameIn(json, at, endOfName), json.slice(start, end));
    at = startOfNext(json, end, CLOSE_BRACE);
  }
  return members;
}

/**
 * @param json valid JSON text; a value that is not an array has no items
 * @throws {TypeError} for most other texts
 */
export function itemsOf(json: string): readonly string[] {
  const items: string[] = [];
  let at = startWithin(json, OPEN_BRACKET);
  while (at < json.length && json.charCodeAt(at) !== CLOSE_BRACKET) {
    const end = endOfValue(json, at);
    items.push(json.slice(at, end));
    at = startOfNext(json, end, CLOSE_BRACKET);
  }
  return items;
}

export function writeObject(members: Iterable<readonly [name: string, json: string]>): string {
  let text = '';
  for (const [name, json] of members) text += `${text === '' ? '{' : ','}${nameText(name)}:${json}`;
  return text === '' ? '{}' : `${text}}`;
}

/** Matches nearly all names: they need no escapes, and are written in a third of the time. */
const PLAIN_NAME = /^[\w./-]*$/;
const nameText = (name: string): string => (PLAIN_NAME.test(name) ? `"${name}"` : JSON.stringify(name));

/**
 * Returns true if an object in a JSON text has two members of the same name. Parsers differ in which of the two they
 * use, so one program could check another value than the next one reads (RFC 8259 §4).
 * @param value the parsed text
 */
export function repeatsName(json: string, value: unknown): boolean {
  const names = namesIn(value);
  // Most texts have no colon within a string. Checking that is faster than finding out which colons are within strings.
  return allColonsIn(json) > names && colonsIn(json) > names;
}

function allColonsIn(json: string): number {
  let colons = 0;
  for (let at = json.indexOf(':'); at >= 0; at = json.indexOf(':', at + 1)) colons += 1;
  return colons;
}

/** Counts the colons between a name and its value. */
function colonsIn(json: string): number {
  let colons = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === COLON) colons += 1;
    else if (char === QUOTE) at = endOfString(json, at) - 1;
  }
  return colons;
}

/** Counts the names of members without recursion, because a text may be nested deeper than the stack allows. */
function namesIn(value: unknown): number {
  let names = 0;
  const containers: object[] = [];
  const add = (member: unknown): void => {
    if (typeof member === 'object' && member !== null) containers.push(member);
  };
  add(value);
  for (let next = containers.pop(); next; next = containers.pop()) {
    const members = Array.isArray(next) ? next : Object.values(next);
    if (members !== next) names += members.length;
    for (const member of members) add(member);
  }
  return names;
}

function nameIn(json: string, start: number, end: number): string {
  const name = json.slice(start + 1, end - 1);
  return name.includes('\\') ? JSON.parse(json.slice(start, end)) : name;
}

function endOfValue(json: string, start: number): number {
  const first = json.charCodeAt(start);
  if (first === QUOTE) return endOfString(json, start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfContainer(json, start);
  let at = start;
  while (at < json.length && !isEndOfWord(json.charCodeAt(at))) at += 1;
  return at;
}

const isEndOfWord = (char: number): boolean =>
  char <= BLANK || char === COMMA || char === CLOSE_BRACE || char === CLOSE_BRACKET;

function endOfContainer(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) at = endOfString(json, at) - 1;
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) depth += 1;
    else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return json.length;
}

/** Returns the position after the closing quote of a string. @param at its opening quote */
function endOfString(json: string, at: number): number {
  for (let quote = json.indexOf('"', at + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return json.length;
}

/**
 * Returns the position of the first member or item, or the end of the text if it does not begin with the expected
 * bracket.
 */
function startWithin(json: string, bracket: number): number {
  const at = skipBlanks(json, 0);
  return json.charCodeAt(at) === bracket ? skipBlanks(json, at + 1) : json.length;
}

/** Returns the position of the next member or item, or of the closing bracket. */
function startOfNext(json: string, end: number, bracket: number): number {
  const at = skipBlanks(json, end);
  const next = json.charCodeAt(at);
  if (next === COMMA) return skipBlanks(json, at + 1);
  // Invalid JSON could cause an endless loop at the same position.
  if (next !== bracket) throw new TypeError('not JSON');
  return at;
}

/** Skips white space: of the characters up to the space, valid JSON has only white space between its values. */
function skipBlanks(json: string, start: number): number {
  let at = start;
  while (json.charCodeAt(at) <= BLANK) at += 1;
  return at;
}
