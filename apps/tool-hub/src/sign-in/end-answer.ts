import type { ServerResponse } from 'node:http';
import type { MemoryHold } from '@legate/service';

/** Milliseconds in which something of an answer must be read, before what is left of it is given up */
const UNREAD_MS = 60_000;

/** A caller who reads more slowly than this, in bytes a millisecond, is cut off as well: about 16 KB a second. */
const SLOWEST_BYTES_PER_MS = 16;

/**
 * Ends an answer with what may be megabytes. A caller who does not read would have us keep them for as long as they like,
 * and as many as they have connections.
 * @param memory of the request: from now on it counts what is unread, and no longer what the answer was made of
 */
export function endAnswer(res: ServerResponse, text = '', memory?: MemoryHold, unreadMs = UNREAD_MS): void {
  // As bytes: Node would copy a string behind the head, encode it in three times the room, and keep it while it is unread.
  res.end(Buffer.from(text));
  const unreadBytes = res.writableLength;
  memory?.keepOnly(2 * unreadBytes); // the allocator keeps about as much again of what was just freed
  if (unreadBytes === 0) return;
  // Most have left us by now. The first time is for silence alone, the second one for all of it; both end with the answer.
  res.setTimeout(unreadMs);
  const slowest = setTimeout(() => res.destroy(), unreadMs + unreadBytes / SLOWEST_BYTES_PER_MS);
  slowest.unref();
  res.once('close', () => clearTimeout(slowest));
}
