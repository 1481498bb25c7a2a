/**
 * Memory in V8 for the parsed form of a JSON byte, as measured at worst: objects and arrays have a header and spare
 * room, members may have their own hidden class.
 */
const COST = new Uint8Array(256);
COST['{'.charCodeAt(0)] = 64;
COST['['.charCodeAt(0)] = 64;
COST[':'.charCodeAt(0)] = 80;
COST[','.charCodeAt(0)] = 16;

/** Shorter texts are not scanned: they count as the worst case. */
const SMALL_BYTES = 2048;
const WORST_COST = 32;

/**
 * Returns an upper estimate of the memory of a JSON text's parsed form, besides its strings. It is 32 times the text
 * for `[[],[],…]`, five times for usual objects, and nearly nothing for one long string. Punctuation within strings
 * counts too, because nothing is parsed.
 */
export function parsedJsonBytes(text: Uint8Array): number {
  const { length } = text;
  if (length <= SMALL_BYTES) return length * WORST_COST;
  let sum = 0;
  for (let i = 0; i < length; i += 1) sum += COST[text[i] ?? 0] ?? 0;
  return sum;
}
