import { OrganizationId } from '@legate/ids';
import { LRUCache } from 'lru-cache';
import { ApiKeyId } from '../../domain/ids.ts';
import { remember } from '../../storage/remembered.ts';
import type { KeyPlace, KeyStanding, MachineStore } from '../standing/machine-store.ts';

const MAX_PLACES = 10_000;

/** The cached API keys and their accounts. A change by another process is seen within a second. */
export type KeyStandings = ReturnType<typeof createKeyStandings>;

export function createKeyStandings(deps: {
  store: Pick<MachineStore, 'findPlace' | 'findKey'>;
  clock: () => Date;
}) {
  const { store, clock } = deps;
  // A key never changes its organization, so the result is cached forever.
  const places = new LRUCache<string, KeyPlace>({ max: MAX_PLACES });
  // An organization's id contains no ':', so the first ':' ends it.
  const keyOf = ({ organizationId, keyId }: KeyPlace) => `${organizationId}:${keyId}`;
  const remembered = remember<{ standing: KeyStanding | undefined }>({
    clock,
    async load(key) {
      const colon = key.indexOf(':');
      const organizationId = OrganizationId.parse(key.slice(0, colon));
      return { standing: await store.findKey(organizationId, ApiKeyId.parse(key.slice(colon + 1))) };
    },
  });
  return {
    /**
     * @param hash SHA-256 of the key. Unknown keys are not cached: they are counted against their sender
     * @returns undefined for a key that is unknown or revoked, or whose account was deleted
     * @throws {DatabaseUnavailable} if the key was not read in the last 10 minutes
     */
    async find(hash: Buffer): Promise<KeyStanding | undefined> {
      const name = hash.toString('base64');
      const place = places.get(name) ?? (await store.findPlace(hash));
      if (!place) return undefined;
      places.set(name, place);
      return (await remembered.get(keyOf(place))).standing;
    },
    /** Returns true for a key that was found before. Makes no query. */
    isKnown: (hash: Buffer): boolean => places.has(hash.toString('base64')),
    /** Removes all keys of an organization from the cache. */
    forget: (organizationId: OrganizationId): void => remembered.forgetAll(`${organizationId}:`),
  };
}
