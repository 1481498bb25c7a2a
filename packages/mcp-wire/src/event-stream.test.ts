import { expect, it } from '@jest/globals';
import { createEventParser, eventsOf } from './event-stream.ts';

async function read(...chunks: readonly string[]): Promise<string[]> {
  const events: string[] = [];
  for await (const data of eventsOf(new Blob([...chunks]).stream(), 1000)) events.push(data);
  return events;
}

/** Returns the events of a text that arrives in chunks of one byte */
async function readBytes(text: string): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const data of eventsOf(stream, 1000)) events.push(data);
  return events;
}

it.each([
  ['lines that end with \\n', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['lines that end with \\r\\n', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['lines that end with \\r', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['several lines of one event', 'data: a\ndata:  b\n\n', ['a\n b']],
  ['comments and other fields', ': hi\nevent: message\nid: 1\ndata:a\n\n\n: bye\n\n', ['a']],
  ['characters of several bytes', 'data: zürich 🙂\n\n', ['zürich 🙂']],
  ['an event that is not complete', 'data: a\n\ndata: b\n', ['a']],
])('reads %s, however the stream is split into chunks', async (_case, text, events) => {
  expect(await read(text)).toEqual(events);
  expect(await readBytes(text)).toEqual(events);
});

it('throws when the connection ends', async () => {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new TypeError('terminated')),
  });
  await expect(eventsOf(stream, 1000).next()).rejects.toThrow('terminated');
});

it.each([
  ['a line without end', 'data: '.padEnd(30, 'x')],
  ['many lines without a blank one', 'data: xxx\n'.repeat(10)],
])('throws for an event that is too long, and reads no more: %s', async (_case, text) => {
  let asked = 0;
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        asked += 1;
        controller.enqueue(new TextEncoder().encode(text));
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  await expect(eventsOf(stream, 20).next()).rejects.toThrow('too long');
  expect([asked, isCancelled]).toEqual([1, true]);
});

it('returns the events before one that is too long, whatever their total length', async () => {
  const events: string[] = [];
  const read = createEventParser({ onEvent: ({ data }) => void events.push(data) }, 20);
  for (let count = 0; count < 10; count += 1) read('data: 12345678\n\n');
  expect(() => read('data: '.padEnd(30, 'x'))).toThrow('too long');
  expect(events).toHaveLength(10);
});

it('returns the id of an event and the retry time that the server asks for', () => {
  const seen: unknown[] = [];
  const read = createEventParser({
    onEvent: ({ id, data }) => void seen.push([id, data]),
    onRetry: (milliseconds) => void seen.push(milliseconds),
  });
  read('id: 1\nretry: 500\ndata: a\n\ndata: b\n\n');
  expect(seen).toEqual([500, ['1', 'a'], [undefined, 'b']]);
});
