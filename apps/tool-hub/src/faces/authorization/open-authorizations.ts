import type { AdapterFactory } from '@legate/authorization-server';
import { clientNetworks } from '@legate/rate-limit';
import { INTERACTION_SECONDS } from './terms.ts';

/** Authorizations that a process has begun and that nobody has finished: 80 MB in Redis if each is as large as it may be */
const MAX_OPEN = 10_000;

/** From where an authorization was begun. It belongs to the request from its beginning on, and no client can set it. */
export const ORIGIN_PARAMETER = 'legate_origin';

export function originOf(address: string | undefined): string {
  const { site, network } = clientNetworks(address);
  return `${site} ${network}`;
}

/** What is open of one network, the oldest first */
type Network = Set<string>;

/**
 * Bounds the open authorizations of a process. A new one always begins: beyond the bound, the site with the most open ones
 * loses the oldest of that of its networks which has the most.
 */
export function boundOpenAuthorizations(
  adapters: AdapterFactory,
  { clock, max = MAX_OPEN }: { clock: () => Date; max?: number },
): AdapterFactory {
  const now = () => clock().getTime();
  /** In the order in which they were begun, so that they expire in it */
  const open = new Map<
    string,
    { readonly site: string; readonly network: string; readonly expiresAtMs: number }
  >();
  const sites = new Map<string, Map<string, Network>>();

  function close(id: string): void {
    const origin = open.get(id);
    if (!origin) return;
    open.delete(id);
    const networks = sites.get(origin.site);
    const network = networks?.get(origin.network);
    network?.delete(id);
    if (network?.size === 0) networks?.delete(origin.network);
    if (networks?.size === 0) sites.delete(origin.site);
  }

  /** @returns the one that gives way */
  function oldestOfBusiest(): string | undefined {
    const networks = mostOf([...sites.values()], (site) => sum([...site.values()].map(({ size }) => size)));
    const network = mostOf([...(networks?.values() ?? [])], ({ size }) => size);
    return network?.values().next().value;
  }

  /** @returns those that give way */
  function begin(id: string, origin: unknown): string[] {
    if (open.has(id)) return [];
    for (const [each, { expiresAtMs }] of open) {
      if (expiresAtMs > now()) break;
      close(each);
    }
    const given: string[] = [];
    while (open.size >= max) {
      const oldest = oldestOfBusiest();
      if (oldest === undefined) break;
      close(oldest);
      given.push(oldest);
    }
    const [site = '', network = site] = String(origin).split(' ');
    open.set(id, { site, network, expiresAtMs: now() + INTERACTION_SECONDS * 1000 });
    const networks = sites.get(site) ?? new Map<string, Network>();
    sites.set(site, networks);
    networks.set(network, (networks.get(network) ?? new Set()).add(id));
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

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function mostOf<Item>(items: readonly Item[], sizeOf: (item: Item) => number): Item | undefined {
  let most: Item | undefined;
  for (const item of items) if (most === undefined || sizeOf(item) > sizeOf(most)) most = item;
  return most;
}
