/** The place of a member's value in a text: from `start` to `end`, the latter not included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds a member of the object that a JSON text is, each time that the text has it: the value can then be read, or be
 * added to, as it was written. Numbers keep all their digits that way.
 * @param json valid JSON; of any other text the spans mean nothing
 */
export function spansOf(json: string, member: string): readonly Span[] {
  const found: Span[] = [];
  let depth = 0;
  let isWanted = false;
  let start = -1;
  const close = (end: number): void => {
    if (isWanted && start >= 0) found.push({ start, end });
    isWanted = false;
    start = -1;
  };
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === '"') {
      const end = endOfString(json, at);
      // A name: nothing but that is in front of a member's value.
      if (depth === 1 && start < 0) isWanted = JSON.parse(json.slice(at, end)) === member;
      at = end - 1;
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) close(at);
    } else if (depth === 1 && char === ':') start = at + 1;
    else if (depth === 1 && char === ',') close(at);
  }
  return found;
}

/** @param at its opening quote. Returns the place behind the closing one. */
function endOfString(json: string, at: number): number {
  for (let quote = json.indexOf('"', at + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return json.length;
}
