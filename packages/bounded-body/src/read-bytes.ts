import { isFragmented } from './is-fragmented.ts';

export class ByteLimitExceeded extends Error {
  override readonly name = 'ByteLimitExceeded';
}

const FIRST_BYTES = 1024;
/** Lower than for Node.js streams: each chunk of a web stream is passed through promises and costs a kilobyte. */
const MANY_CHUNKS = 1024;

/**
 * Reads a body to its end. Stops at the limit, or if the chunks are too many and too small. Chunks are copied into one
 * growing array, because each chunk would be an object of some hundred bytes.
 * @throws {ByteLimitExceeded}, and every error of the stream
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array();
  let size = 0;
  let chunks = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const wanted = size + read.value.byteLength;
    chunks += 1;
    if (wanted > maxBytes || isFragmented(chunks, wanted, MANY_CHUNKS)) {
      reader?.cancel().catch(() => {}); // not awaited: the sender may never finish
      throw new ByteLimitExceeded(
        wanted > maxBytes ? `more than ${maxBytes} bytes` : 'too many small chunks',
      );
    }
    if (wanted > bytes.length) bytes = grown(bytes, Math.max(wanted, 2 * bytes.length, FIRST_BYTES));
    bytes.set(read.value, size);
    size = wanted;
  }
  return bytes.slice(0, size);
}

function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}
