import { hash } from 'node:crypto';
import { type AccessToken, type Credential, isRenewable } from '@legate/delegation';
import type { ClientExtensions, ListKind } from '@legate/mcp-client';
import { Counter, type Registry } from '@legate/service';
import { LRUCache } from 'lru-cache';
import type { Granted } from '../../calls/call-tool.ts';
import { MAX_TTL_MS } from '../../calls/list-pages.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import { identityOf } from '../../domain/credential-identity.ts';
import { reachName } from '../../domain/reach.ts';
import type { ItemText } from './list-items.ts';
import type { ServerDescription } from './server-description.ts';

/**
 * A complete list of one tool server for one credential, before it is filtered for an agent; or its description of
 * itself, which has no items.
 */
export interface KeptList {
  readonly items: readonly ItemText[];
  readonly description?: ServerDescription;
  /** Epoch milliseconds */
  readonly freshUntilMs: number;
}

/** Identifies a list: caller, connector, kind. */
export interface ListPlace {
  readonly caller: Pick<Caller, 'organizationId' | 'userId'>;
  readonly connector: Connector;
  readonly kind: ListKind | 'description';
  /** The agent's extensions, since a tool server may list other items for a client that has them */
  readonly extensions?: ClientExtensions | undefined;
}

/**
 * Caches lists between an agent's requests, in this process, for as long as their tool servers allow. A list is found
 * only with the token that it was read with. Each time, the token is looked up first, so a revocation that ends the
 * token also hides the list, in all processes. Nobody gets a list whose tools they could not call.
 *
 * Lists are never shared between users, whatever a tool server permits.
 * @see docs/adr/0039-lists-are-kept-as-long-as-servers-say.md
 */
export type ListMemory = ReturnType<typeof createListMemory>;

const MAX_ENTRIES = 20_000;
const MAX_BYTES = 67_108_864;
/** Larger lists are not cached: they would displace too many others. */
const MAX_LIST_BYTES = 2_097_152;
/** Estimated overhead of an entry, and of an item in it. */
const ENTRY_BYTES = 1000;
const ITEM_BYTES = 200;

interface Entry {
  readonly list: KeptList;
  /** Names of the ends by which it is dropped */
  readonly names: readonly string[];
}

export function createListMemory(deps: { clock: () => Date; metrics: Registry }) {
  const keyOf = createKeyOf();
  const keysByName = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_LIST_BYTES,
    sizeCalculation: ({ list }) => sizeOf(list),
    dispose: ({ names }, key) => {
      for (const name of names) {
        const keys = keysByName.get(name);
        keys?.delete(key);
        if (keys?.size === 0) keysByName.delete(name);
      }
    },
  });
  const lookups = new Counter({
    name: 'list_cache_lookups_total',
    help: "Cache lookups for a tool server's list of tools, prompts or resources; a miss is a request to the tool server",
    labelNames: ['outcome'],
    registers: [deps.metrics],
  });
  const hits = lookups.labels({ outcome: 'hit' });
  const misses = lookups.labels({ outcome: 'miss' });
  hits.inc(0);
  misses.inc(0);

  /**
   * Returns true if a list is fresh. An expired list stays until it is displaced. One that is fresh for longer than the
   * maximum was cached before the clock was set back.
   */
  function isFresh({ freshUntilMs }: KeptList): boolean {
    const leftMs = freshUntilMs - deps.clock().getTime();
    return leftMs > 0 && leftMs <= MAX_TTL_MS;
  }

  function forget(name: string): void {
    for (const key of [...(keysByName.get(name) ?? [])]) entries.delete(key);
  }

  return {
    find(place: ListPlace, { credential, fromCache }: Granted): KeptList | undefined {
      // A new token has no list yet, even if it is the same string, as for a connected account: the earlier one was
      // ended.
      // A service's key is never in the cache.
      const kept =
        fromCache || !isOfUser(credential) ? entries.get(keyOf(place, credential))?.list : undefined;
      const list = kept && isFresh(kept) ? kept : undefined;
      if (place.kind !== 'description') (list ? hits : misses).inc();
      return list;
    },
    keep(place: ListPlace, credential: Credential, list: KeptList): void {
      if (!isFresh(list) || (isOfUser(credential) && !isRenewable(credential.method))) return;
      const key = keyOf(place, credential);
      const names = namesOf(place);
      entries.set(key, { list, names });
      if (!entries.has(key)) return; // too large
      for (const name of names) keysByName.set(name, (keysByName.get(name) ?? new Set()).add(key));
    },
    /** Drops the lists of a user, organization or session that has ended. @param name see `reachName` */
    end: forget,
    /** Drops lists of these kinds, which a tool server has announced as changed. */
    change(mcpUrl: string, kinds: readonly ListKind[]): void {
      for (const kind of kinds) forget(nameOfLists(mcpUrl, kind));
    },
  };
}

const isOfUser = (credential: Credential): credential is AccessToken => credential.kind === 'access_token';

/**
 * Returns a hash of everything that determines the contents of a list. It is a hash because the input includes the
 * token.
 */
function createKeyOf(): (place: ListPlace, credential: Credential) => string {
  /** Hash of each connector object, including secrets: any change by an administrator creates another object. */
  const configurations = new WeakMap<Connector, string>();

  function configurationOf(connector: Connector): string {
    const known = configurations.get(connector);
    if (known !== undefined) return known;
    // Bound tools are filtered when the list is shown, so agents with the same scopes share a list.
    const { binding, ...settings } = connector;
    const made = hash('sha256', JSON.stringify([settings, binding?.scopesKey]), 'base64url');
    configurations.set(connector, made);
    return made;
  }

  return ({ caller, connector, kind, extensions }, credential) => {
    const { organizationId, userId } = caller;
    const configuration = configurationOf(connector);
    const digest = extensions?.digest;
    const place = JSON.stringify([organizationId, userId, configuration, kind, credential.kind, digest]);
    return hash('sha256', place + identityOf(credential), 'base64url'); // JSON is self-delimiting
  };
}

const namesOf = ({ caller: { organizationId, userId }, connector, kind }: ListPlace): readonly string[] => [
  reachName({ organizationId }),
  reachName({ organizationId, userId }),
  reachName({ userId }),
  reachName({ organizationId, connectorId: connector.id }),
  nameOfLists(connector.mcpUrl, kind),
];

const nameOfLists = (mcpUrl: string, kind: ListPlace['kind']): string => `${kind} ${mcpUrl}`;

/** Estimates bytes: characters take two in a text with any beyond Latin-1, and are counted so in all texts. */
const sizeOf = ({ items, description }: KeptList): number =>
  items.reduce(
    (sum, { name, rest, restAtAll }) =>
      sum + ITEM_BYTES + 2 * ((name?.length ?? 0) + lengthOf(rest) + lengthOf(restAtAll)),
    ENTRY_BYTES + (description ? 2 * JSON.stringify(description).length : 0),
  );

/** Counts a text once if both eras share it, as in most items. */
const lengthOf = (rest: ItemText['rest']): number =>
  rest === undefined ? 0 : rest.modern.length + (rest.legacy === rest.modern ? 0 : rest.legacy.length);
