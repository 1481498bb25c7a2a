const MANY_CHUNKS = 16_384;
const SMALL_CHUNK_BYTES = 32;

/**
 * Returns whether a peer sends so many chunks of so few bytes that it must mean harm: each chunk costs the process time,
 * however small it is.
 */
export const isFragmented = (chunks: number, bytes: number): boolean =>
  chunks > MANY_CHUNKS && bytes < chunks * SMALL_CHUNK_BYTES;
