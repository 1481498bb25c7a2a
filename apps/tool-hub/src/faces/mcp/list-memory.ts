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

/** A complete list of one tool server for one credential, before anything is taken out of it for an agent. */
export interface KeptList {
  readonly items: readonly ItemText[];
  /** Epoch milliseconds */
  readonly freshUntilMs: number;
}

/** For whom, where and of what a list is. */
export interface ListPlace {
  readonly caller: Pick<Caller, 'organizationId' | 'userId'>;
  readonly connector: Connector;
  readonly kind: ListKind;
  /** Of the agent: a tool server may list other things for a client that has them. */
  readonly extensions?: ClientExtensions | undefined;
}

/**
 * Lists between an agent's requests, in this process, for as long as their tool servers say. Found by whoever is about to
 * ask with the very token that a list was read with: the token is looked up first, each time, so a revocation that ends it
 * ends the list, in all processes, and a list is shown to nobody whose call would not be sent.
 *
 * Nothing is ever shared by two users, whatever a tool server says of it.
 * @see docs/adr/0039-lists-are-kept-as-long-as-servers-say.md
 */
export interface ListMemory {
  find(place: ListPlace, granted: Granted): KeptList | undefined;
  keep(place: ListPlace, credential: Credential, list: KeptList): void;
  /** Forgets what is of somebody or something that has ended. @param name as `reachName` gives it */
  end(name: string): void;
  /** A tool server has said that its lists of these kinds are others now. */
  change(mcpUrl: string, kinds: readonly ListKind[]): void;
}

const MAX_ENTRIES = 20_000;
const MAX_BYTES = 67_108_864;
/** One that is larger is read anew each time: it would take the place of too many others. */
const MAX_LIST_BYTES = 2_097_152;
/** What an entry, and an item in it, takes besides its text: estimated. */
const ENTRY_BYTES = 1000;
const ITEM_BYTES = 200;

interface Entry {
  readonly list: KeptList;
  /** By which it is forgotten */
  readonly names: readonly string[];
}

export function createListMemory(deps: { clock: () => Date; metrics: Registry }): ListMemory {
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
    help: "Lookups of a tool server's list for an agent; a miss is a request to the tool server",
    labelNames: ['outcome'],
    registers: [deps.metrics],
  });
  const hits = lookups.labels({ outcome: 'hit' });
  const misses = lookups.labels({ outcome: 'miss' });
  hits.inc(0);
  misses.inc(0);

  /**
   * One that is over stays until another takes its place, or it is the one that was not used for longest. One with more
   * time left than any may have is of before the clock was set back.
   */
  function isFresh({ freshUntilMs }: KeptList): boolean {
    const leftMs = freshUntilMs - deps.clock().getTime();
    return leftMs > 0 && leftMs <= MAX_TTL_MS;
  }

  function forget(name: string): void {
    for (const key of [...(keysByName.get(name) ?? [])]) entries.delete(key);
  }

  return {
    find(place, { credential, fromCache }) {
      // A token that was just obtained has no list yet, even if it is the same once more, as that of a connected account
      // may be: something ended the one before. A service's key is never in the cache.
      const kept =
        fromCache || !isOfUser(credential) ? entries.get(keyOf(place, credential))?.list : undefined;
      const list = kept && isFresh(kept) ? kept : undefined;
      (list ? hits : misses).inc();
      return list;
    },
    keep(place, credential, list) {
      if (!isFresh(list) || (isOfUser(credential) && !isRenewable(credential.method))) return;
      const key = keyOf(place, credential);
      const names = namesOf(place);
      entries.set(key, { list, names });
      if (!entries.has(key)) return; // too large
      for (const name of names) keysByName.set(name, (keysByName.get(name) ?? new Set()).add(key));
    },
    end: forget,
    change(mcpUrl, kinds) {
      for (const kind of kinds) forget(nameOfLists(mcpUrl, kind));
    },
  };
}

const isOfUser = (credential: Credential): credential is AccessToken => credential.kind === 'access_token';

/** All that decides what may be in a list; hashed, since the token is part of it. */
function keyOf({ caller, connector, kind, extensions }: ListPlace, credential: Credential): string {
  const { organizationId, userId } = caller;
  const configuration = configurationOf(connector);
  const digest = extensions?.digest;
  const place = JSON.stringify([organizationId, userId, configuration, kind, credential.kind, digest]);
  return hash('sha256', place + identityOf(credential), 'base64url'); // JSON tells itself where it ends
}

/** Hashed once for each connector object, secrets and all: whatever an administrator changes makes it another one. */
const configurations = new WeakMap<Connector, string>();

function configurationOf(connector: Connector): string {
  const known = configurations.get(connector);
  if (known !== undefined) return known;
  // Which tools an agent is bound to is looked at when it is shown them: agents with the same scopes share a list.
  const { binding, ...settings } = connector;
  const made = hash('sha256', JSON.stringify([settings, binding?.scopesKey]), 'base64url');
  configurations.set(connector, made);
  return made;
}

const namesOf = ({ caller: { organizationId, userId }, connector, kind }: ListPlace): readonly string[] => [
  reachName({ organizationId }),
  reachName({ organizationId, userId }),
  reachName({ userId }),
  reachName({ organizationId, connectorId: connector.id }),
  nameOfLists(connector.mcpUrl, kind),
];

const nameOfLists = (mcpUrl: string, kind: ListKind): string => `${kind} ${mcpUrl}`;

/** Characters take two bytes where one of a text is beyond Latin-1; counted so for all. */
const sizeOf = ({ items }: KeptList): number =>
  items.reduce(
    (sum, { name, rest, restAtAll }) =>
      sum + ITEM_BYTES + 2 * ((name?.length ?? 0) + lengthOf(rest) + lengthOf(restAtAll)),
    ENTRY_BYTES,
  );

/** Mostly one and the same text for both eras */
const lengthOf = (rest: ItemText['rest']): number =>
  rest === undefined ? 0 : rest.modern.length + (rest.legacy === rest.modern ? 0 : rest.legacy.length);
