export class ByteLimitExceeded extends Error {
  override readonly name = 'ByteLimitExceeded';
}

/**
 * Reads a body to its end, and stops at the limit.
 * @throws {ByteLimitExceeded}, and what the stream fails with
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    length += read.value.byteLength;
    if (length > maxBytes) {
      reader?.cancel().catch(() => {}); // not awaited: it may wait for a sender that never ends
      throw new ByteLimitExceeded(`more than ${maxBytes} bytes`);
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
