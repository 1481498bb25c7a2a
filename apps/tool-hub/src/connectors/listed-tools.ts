import type { ListedTools } from '@legate/management-contract';
import { ListedToolName, MAX_LISTED_TOOLS } from '@legate/management-contract';
import { LRUCache } from 'lru-cache';
import type { Connector } from '../domain/connector.ts';

/** Called with the names in a tool server's list, which the tool server chooses. It never throws and delays nothing. */
export type NoteListed = (
  connector: Pick<Connector, 'organizationId' | 'id' | 'resource'>,
  names: readonly unknown[],
) => void;

/** Maximum number of names that are stored as sent, for all connectors together */
const MAX_NAMES = 200_000;
/**
 * Maximum number of concurrent requests. Lists are read often: names that cannot be sent now are sent after the next
 * read.
 */
const MAX_ON_THEIR_WAY = 10;
const PAUSE_MS = 30_000;

/**
 * Sends management-api the names of tools that a tool server lists, once for each name and process, so that it can warn
 * of a binding with an unknown name.
 * @param deps.post rejects if management-api does not accept them
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
