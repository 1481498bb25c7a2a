import type { ServerResponse } from 'node:http';
import type { MemoryHold } from '../memory/memory-budget.ts';

/** Milliseconds in which part of a response must be read, otherwise the rest is dropped */
const UNREAD_MS = 60_000;

/** A caller who reads more slowly than this, in bytes a millisecond, is cut off as well: about 16 KB a second. */
const SLOWEST_BYTES_PER_MS = 16;

/**
 * Ends a response of possibly several megabytes. Without a limit, a caller who does not read could make us keep them
 * for any time, and on any number of connections.
 * @param memory of the request: from now on it counts the unread bytes instead of the response's inputs
 */
export function endAnswer(res: ServerResponse, text = '', memory?: MemoryHold, unreadMs = UNREAD_MS): void {
  // As bytes: Node would append a string to the head, encode it with three times the memory, and keep it while it is
  // unread.
  res.end(Buffer.from(text));
  const unreadBytes = res.writableLength;
  memory?.keepOnly(2 * unreadBytes); // the allocator keeps about as much again of what was just freed
  if (unreadBytes === 0) return;
  // Most responses are sent by now. The first timer is for a client that reads nothing, the second for the whole
  // response; both end with the response.
  res.setTimeout(unreadMs);
  const slowest = setTimeout(() => res.destroy(), unreadMs + unreadBytes / SLOWEST_BYTES_PER_MS);
  slowest.unref();
  res.once('close', () => clearTimeout(slowest));
}
