import { ClientUnavailable } from './oauth-client.ts';

const WINDOW_SECONDS = 60;
/** Maximum reads of a document per minute. Failed reads are not cached, so each request would cause another. */
const READS_PER_DOCUMENT = 10;

/** Limits per minute and process how often one document is read, for all callers together. */
export function createDocumentReads(clock: () => Date) {
  let startedAt = 0;
  let reads = new Map<string, number>();
  return {
    /** @throws {ClientUnavailable} */
    count(clientId: string): void {
      const now = Math.floor(clock().getTime() / 1000);
      if (now - startedAt >= WINDOW_SECONDS) {
        startedAt = now;
        reads = new Map();
      }
      const count = (reads.get(clientId) ?? 0) + 1;
      if (count > READS_PER_DOCUMENT) throw new ClientUnavailable('its document is being fetched too often');
      reads.set(clientId, count);
    },
  };
}
