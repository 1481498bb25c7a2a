import type { AdapterFactory } from '@legate/authorization-server';
import { clientNetworks, createOwnedItems } from '@legate/rate-limit';
import { INTERACTION_SECONDS } from './terms.ts';

/** Maximum unfinished authorizations that a process has begun: 80 MB in Redis if each has the maximum size */
const MAX_OPEN = 10_000;

/**
 * Parameter that contains where an authorization was begun. The hub sets it on each new request; clients cannot set it.
 */
export const ORIGIN_PARAMETER = 'legate_origin';

/** @param browser value of its cookie; undefined: it had none */
export function originOf(address: string | undefined, browser: string | undefined): string {
  const { site, network } = clientNetworks(address);
  return [site, network, browser ?? 'none'].join(' ');
}

/**
 * Limits the open authorizations of a process. A new one can always begin: above the limit, the oldest one is dropped
 * of the browser with the most, in the network with the most, in the site with the most. Sites come first, because
 * anybody can make up the cookies of many browsers.
 */
export function boundOpenAuthorizations(
  adapters: AdapterFactory,
  { clock, max = MAX_OPEN }: { clock: () => Date; max?: number },
): AdapterFactory {
  const now = () => clock().getTime();
  const open = createOwnedItems(max);
  /** Start times in epoch milliseconds, in the order in which they expire */
  const expiresAt = new Map<string, number>();

  function close(id: string): void {
    open.remove(id);
    expiresAt.delete(id);
  }

  /** @returns the authorizations to drop */
  function begin(id: string, origin: unknown): string[] {
    if (open.has(id)) return [];
    for (const [each, atMs] of expiresAt) {
      if (atMs > now()) break;
      close(each);
    }
    const given = open.add(String(origin).split(' '), id);
    for (const each of given) expiresAt.delete(each);
    expiresAt.set(id, now() + INTERACTION_SECONDS * 1000);
    return given;
  }

  return (model) => {
    const adapter = adapters(model);
    if (model !== 'Interaction') return adapter;
    return {
      ...adapter,
      async upsert(id, payload, expiresIn) {
        for (const oldest of begin(id, payload.params?.[ORIGIN_PARAMETER])) await adapter.destroy(oldest);
        await adapter.upsert(id, payload, expiresIn);
      },
      async destroy(id) {
        close(id);
        await adapter.destroy(id);
      },
    };
  };
}
