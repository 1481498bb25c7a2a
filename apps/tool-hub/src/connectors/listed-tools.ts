import type { ListedTools } from '@legate/management-contract';
import { ListedToolName, MAX_LISTED_TOOLS } from '@legate/management-contract';
import { LRUCache } from 'lru-cache';
import type { Connector } from '../domain/connector.ts';

/** Called with the names in a tool server's list, which it chose itself. Never throws, and delays nothing. */
export type NoteListed = (
  connector: Pick<Connector, 'organizationId' | 'id' | 'resource'>,
  names: readonly unknown[],
) => void;

/** Names that are remembered as sent, of all connectors together */
const MAX_NAMES = 200_000;
/** Lists are read often: names that cannot be sent now are sent after the next one. */
const MAX_ON_THEIR_WAY = 10;
const PAUSE_MS = 30_000;

/**
 * Notifies management-api of which tools a tool server lists, once per name and process, so that it can warn of a binding that
 * names another one.
 * @param deps.post rejects where management-api does not take them
 */
export function createNoteListed(deps: {
  post: (connector: Parameters<NoteListed>[0], listed: ListedTools) => Promise<void>;
  clock: () => Date;
}): NoteListed {
  const { post, clock } = deps;
  const sent = new LRUCache<string, ReadonlySet<string>>({
    maxSize: MAX_NAMES,
    sizeCalculation: ({ size }) => size,
  });
  let onTheirWay = 0;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  return (connector, names) => {
    const key = JSON.stringify([connector.organizationId, connector.id, connector.resource]);
    const before = sent.get(key) ?? new Set();
    const fresh = [...new Set(names)]
      .filter((name): name is string => ListedToolName.safeParse(name).success)
      .filter((name) => !before.has(name))
      .slice(0, MAX_LISTED_TOOLS - before.size);
    if (fresh.length === 0 || onTheirWay >= MAX_ON_THEIR_WAY || clock().getTime() < pausedUntilMs) return;
    sent.set(key, new Set([...before, ...fresh]));
    onTheirWay += 1;
    void post(connector, { resource_url: connector.resource, names: fresh })
      .catch(() => {
        sent.delete(key);
        pausedUntilMs = clock().getTime() + PAUSE_MS;
      })
      .finally(() => {
        onTheirWay -= 1;
      });
  };
}
