import { ClientUnavailable } from './oauth-client.ts';

const WINDOW_SECONDS = 60;
/** Documents that the hub has not read before, each counted once, for a process and for one address */
const NEW_PER_PROCESS = 30;
const NEW_PER_NETWORK = 10;
/** Reads of one document: those that fail are not remembered, so each request would be one more. */
const READS_PER_DOCUMENT = 10;

/**
 * Bounds, per minute and process, what strangers can make the hub request, because anybody can name any document. No
 * address can use up the share of the others, and documents that are known are not counted among the new ones.
 */
export function createDocumentBudget(clock: () => Date) {
  let window = openWindow(0);
  return {
    /**
     * @param network of the address that asks; undefined: unknown
     * @throws {ClientUnavailable}
     */
    count(clientId: string, { isKnown, network }: { isKnown: boolean; network: string | undefined }): void {
      const now = Math.floor(clock().getTime() / 1000);
      if (now - window.startedAt >= WINDOW_SECONDS) window = openWindow(now);
      const { newOnes, reads } = window;
      const ofNetwork = newOnes.get(network) ?? new Set();
      const isNew = !isKnown && !ofNetwork.has(clientId);
      if (isNew && (ofNetwork.size >= NEW_PER_NETWORK || sizeOf(newOnes) >= NEW_PER_PROCESS))
        throw new ClientUnavailable('too many new documents are being read');
      const count = (reads.get(clientId) ?? 0) + 1;
      if (count > READS_PER_DOCUMENT) throw new ClientUnavailable('its document is being read too often');
      reads.set(clientId, count);
      if (isNew) newOnes.set(network, ofNetwork.add(clientId));
    },
  };
}

const openWindow = (startedAt: number) => ({
  startedAt,
  newOnes: new Map<string | undefined, Set<string>>(),
  reads: new Map<string, number>(),
});

const sizeOf = (sets: ReadonlyMap<unknown, ReadonlySet<string>>): number =>
  [...sets.values()].reduce((sum, { size }) => sum + size, 0);
