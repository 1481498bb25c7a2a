import { createScanner, type JSONScanner } from 'jsonc-parser';

/** `SyntaxKind` of jsonc-parser, a const enum that cannot be imported with isolated modules */
const TOKEN = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, string: 10, end: 17 } as const;

/**
 * Finds a name that occurs twice in one object, which RFC 8259 §4 leaves undefined: a proxy or a log that reads the
 * first and a parser that keeps the last would see different requests. Compares names with escapes resolved, and does
 * not validate the JSON. Not recursive, so that deep nesting cannot overflow the stack.
 * @returns the name, or undefined
 */
export function findRepeatedMember(json: string): string | undefined {
  const scanner = createScanner(json, true);
  /** The names in each open object; undefined for an array */
  const open: (Set<string> | undefined)[] = [];
  for (let token: number = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    if (token === TOKEN.openBrace) open.push(new Set());
    else if (token === TOKEN.openBracket) open.push(undefined);
    else if (isEnd(token)) open.pop();
    else if (token === TOKEN.string) {
      const names = open.at(-1);
      const text = scanner.getTokenValue();
      if (!names || !isName(json, scanner)) continue;
      if (names.has(text)) return text;
      names.add(text);
    }
  }
  return undefined;
}

const isEnd = (token: number): boolean => token === TOKEN.closeBrace || token === TOKEN.closeBracket;

const COLON = /\s*:/y;

/** A string in an object is a name if a colon follows. */
function isName(json: string, scanner: JSONScanner): boolean {
  COLON.lastIndex = scanner.getPosition();
  return COLON.test(json);
}
