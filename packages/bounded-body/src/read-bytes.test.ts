import { expect, it } from '@jest/globals';
import { ByteLimitExceeded, readBytes } from './read-bytes.ts';

/** @param endless sends the same chunk without end, otherwise `count` times */
function streamOf(chunk: string, count: number, { endless = false } = {}) {
  let sent = 0;
  let isCancelled = false;
  const bytes = new TextEncoder().encode(chunk);
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= count && !endless) return controller.close();
      sent += 1;
      controller.enqueue(bytes);
    },
    cancel() {
      isCancelled = true;
    },
  });
  return { stream, sent: () => sent, isCancelled: () => isCancelled };
}

it('returns all bytes, and no bytes if there is no body', async () => {
  expect(new TextDecoder().decode(await readBytes(streamOf('ab', 3).stream, 6))).toBe('ababab');
  expect(await readBytes(null, 6)).toEqual(new Uint8Array());
});

it.each([
  ['more bytes than the limit', 'ab', 'more than 5 bytes', 5, 3],
  ['chunks of one byte without an end', 'a', 'too many small chunks', 1_000_000, 1025],
])('stops at %s', async (_what, chunk, message, maxBytes, chunks) => {
  const { stream, sent, isCancelled } = streamOf(chunk, 0, { endless: true });
  await expect(readBytes(stream, maxBytes)).rejects.toThrow(new ByteLimitExceeded(message));
  expect(isCancelled()).toBe(true);
  expect(sent() - chunks).toBeLessThanOrEqual(1); // one chunk may be waiting in the stream
});
