import { setTimeout as wait } from 'node:timers/promises';
import { isHeaderValue } from '@legate/mcp-wire';
import { isUnanswered, type RawAnswer } from './send-http.ts';

const MAX_RESUMPTIONS = 10;
/** Milliseconds to wait if a server sends no `retry`, and the maximum */
const RETRY_MS = 1000;
const MAX_RETRY_MS = 10_000;

/**
 * Reopens a stream that its server closed before the response, so that no connection stays open while a tool runs.
 * @param resume requests the stream after this event
 * @param deadline on the scale of `performance.now()`
 * @returns the response, or the last failure
 * @see MCP 2025-11-25, Transports, "Sending messages to the server", SSE streams that the server closes
 */
export async function followStream(
  first: RawAnswer,
  resume: (lastEventId: string) => Promise<RawAnswer>,
  deadline: number,
): Promise<RawAnswer> {
  let latest = first;
  let lastEventId: string | undefined;
  for (let resumptions = 0; isUnanswered(latest) && resumptions < MAX_RESUMPTIONS; resumptions += 1) {
    const { place } = latest.stream;
    lastEventId = place.lastEventId ?? lastEventId;
    if (lastEventId === undefined || !isHeaderValue(lastEventId)) return latest;
    const leftMs = Math.max(0, deadline - performance.now());
    await wait(Math.min(place.retryMs ?? RETRY_MS, MAX_RETRY_MS, leftMs));
    const next = await resume(lastEventId);
    // A server without such streams returns 405, and one that lost the session 404: neither responds to the original request.
    if (!next.stream || next.status !== 200) return latest;
    latest = next;
  }
  return latest;
}
