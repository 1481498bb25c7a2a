const MANY_CHUNKS = 16_384;
const SMALL_CHUNK_BYTES = 32;

/**
 * Returns true if a peer sends so many chunks of so few bytes that it must be an attack: each chunk costs the process
 * time, however small it is.
 * @param many number of chunks that are harmless, however small they are
 */
export const isFragmented = (chunks: number, bytes: number, many = MANY_CHUNKS): boolean =>
  chunks > many && bytes < chunks * SMALL_CHUNK_BYTES;
