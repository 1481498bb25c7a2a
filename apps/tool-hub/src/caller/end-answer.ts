import type { ServerResponse } from 'node:http';

/** Milliseconds in which something of an answer must be read, before what is left of it is given up */
const UNREAD_MS = 60_000;

/**
 * Ends an answer with what may be megabytes. A caller who does not read would have us keep them for as long as he likes, and
 * as many as he has connections.
 */
export function endAnswer(res: ServerResponse, text = '', unreadMs = UNREAD_MS): void {
  res.end(text);
  // Most have left us by now. The time is for silence alone, and ends with the answer.
  if (res.writableLength > 0) res.setTimeout(unreadMs);
}
