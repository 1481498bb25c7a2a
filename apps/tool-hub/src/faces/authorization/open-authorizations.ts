import type { AdapterFactory } from '@legate/authorization-server';
import { clientNetworks, createOwnedItems } from '@legate/rate-limit';
import { INTERACTION_SECONDS } from './terms.ts';

/** Authorizations that a process has begun and that nobody has finished: 80 MB in Redis if each is as large as it may be */
const MAX_OPEN = 10_000;

/** Parameter that says where an authorization was begun. The hub sets it on each new request, and no client can. */
export const ORIGIN_PARAMETER = 'legate_origin';

/** @param browser as its cookie says; undefined: it had none */
export function originOf(address: string | undefined, browser: string | undefined): string {
  const { site, network } = clientNetworks(address);
  return [site, network, browser ?? 'none'].join(' ');
}

/**
 * Bounds the open authorizations of a process. A new one always begins: beyond the bound, the site with the most open ones
 * gives way, and in it the network and the browser with the most, which loses the oldest. Sites come first, because anybody
 * can make up the cookies of many browsers.
 */
export function boundOpenAuthorizations(
  adapters: AdapterFactory,
  { clock, max = MAX_OPEN }: { clock: () => Date; max?: number },
): AdapterFactory {
  const now = () => clock().getTime();
  const open = createOwnedItems(max);
  /** Epoch milliseconds, in the order in which they were begun, so that they expire in it */
  const expiresAt = new Map<string, number>();

  function close(id: string): void {
    open.remove(id);
    expiresAt.delete(id);
  }

  /** @returns those that give way */
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
