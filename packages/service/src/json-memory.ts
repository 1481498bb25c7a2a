/**
 * Bytes that the parsed form of JSON takes in V8 for a byte of its text, at most as far as was measured: objects and arrays
 * have a header and room to grow, members may have a hidden class of their own.
 */
const COST = new Uint8Array(256);
COST['{'.charCodeAt(0)] = 64;
COST['['.charCodeAt(0)] = 64;
COST[':'.charCodeAt(0)] = 80;
COST[','.charCodeAt(0)] = 16;

/** Up to this a text is not looked through: it is counted as if it were the worst. */
const SMALL_BYTES = 2048;
const WORST_COST = 32;

/**
 * Returns an upper estimate of the memory that the parsed form of a JSON text takes besides its strings. It is 32 times the
 * text for `[[],[],…]`, five times for usual objects, and nearly nothing for one long string. Punctuation within strings
 * counts as well: nothing is parsed.
 */
export function parsedJsonBytes(text: Uint8Array): number {
  const { length } = text;
  if (length <= SMALL_BYTES) return length * WORST_COST;
  let sum = 0;
  for (let i = 0; i < length; i += 1) sum += COST[text[i] ?? 0] ?? 0;
  return sum;
}
