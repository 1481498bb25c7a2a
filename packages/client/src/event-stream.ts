/**
 * Reads the data of the events of a stream (HTML, "Server-sent events"), one after the other.
 * @throws what reading throws, such as a connection that has ended
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return; // an event that has no blank line behind it is not complete
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
        if (line !== '') continue;
        if (data.length > 0) yield data.join('\n');
        data = [];
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined); // the answer was read, and the rest is not wanted
  }
}
