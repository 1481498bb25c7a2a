import { expect, it } from '@jest/globals';
import { eventsOf } from './event-stream.ts';

async function read(...chunks: readonly string[]): Promise<string[]> {
  const events: string[] = [];
  for await (const data of eventsOf(new Blob([...chunks]).stream())) events.push(data);
  return events;
}

/** The same in one chunk for each byte */
async function readBytes(text: string): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const data of eventsOf(stream)) events.push(data);
  return events;
}

it.each([
  ['lines that end with \\n', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['lines that end with \\r\\n', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['several lines of one event', 'data: a\ndata:  b\n\n', ['a\n b']],
  ['comments and other fields', ': hi\nevent: message\nid: 1\ndata:a\n\n\n: bye\n\n', ['a']],
  ['characters of several bytes', 'data: zürich 🙂\n\n', ['zürich 🙂']],
  ['an event that is not complete', 'data: a\n\ndata: b\n', ['a']],
])('reads %s, however they are cut', async (_case, text, events) => {
  expect(await read(text)).toEqual(events);
  expect(await readBytes(text)).toEqual(events);
});

it('throws when the connection ends', async () => {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new TypeError('terminated')),
  });
  await expect(eventsOf(stream).next()).rejects.toThrow('terminated');
});
