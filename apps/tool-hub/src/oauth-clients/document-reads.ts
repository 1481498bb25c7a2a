import { ClientUnavailable } from './oauth-client.ts';

const WINDOW_SECONDS = 60;
/** Reads that fail are not remembered, so each request would be one more. */
const READS_PER_DOCUMENT = 10;

/** Bounds, per minute and process, how often one document is read, by all who ask together. */
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
