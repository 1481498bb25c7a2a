/**
 * Reads a body to its end, and stops at the limit.
 * @param refuse throws the error for a body beyond the limit
 * @throws what the stream fails with
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  refuse: () => never,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    length += read.value.byteLength;
    if (length > maxBytes) {
      reader?.cancel().catch(() => {}); // not awaited: it may wait for a sender that never ends
      return refuse();
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
