import type { AdapterFactory } from '@legate/authorization-server';
import { clientNetworks } from '@legate/rate-limit';
import { INTERACTION_SECONDS } from './terms.ts';

/** Authorizations that a process has begun and that nobody has finished: 80 MB in Redis if each is as large as it may be */
const MAX_OPEN = 10_000;

/** From where an authorization was begun. It belongs to the request from its beginning on, and no client can set it. */
export const ORIGIN_PARAMETER = 'legate_origin';

/** @param browser as its cookie tells; undefined: it had none */
export function originOf(address: string | undefined, browser: string | undefined): string {
  const { site, network } = clientNetworks(address);
  return [site, network, browser ?? 'none'].join(' ');
}

/** What is open of a site, of a network in it, or of a browser in that */
interface Group {
  size: number;
  readonly groups: Map<string, Group>;
  /** The ones of a browser, the oldest first */
  readonly ids: Set<string>;
}
const newGroup = (): Group => ({ size: 0, groups: new Map(), ids: new Set() });

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
  /** In the order in which they were begun, so that they expire in it */
  const open = new Map<string, { readonly origin: readonly string[]; readonly expiresAtMs: number }>();
  const all = newGroup();

  function close(id: string): void {
    const found = open.get(id);
    open.delete(id);
    if (found) remove(all, found.origin, id);
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
      const oldest = oldestOfBusiest(all);
      if (oldest === undefined) break;
      close(oldest);
      given.push(oldest);
    }
    const path = String(origin).split(' ');
    open.set(id, { origin: path, expiresAtMs: now() + INTERACTION_SECONDS * 1000 });
    add(all, path, id);
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

function add(group: Group, [name, ...rest]: readonly string[], id: string): void {
  group.size += 1;
  if (name === undefined) return void group.ids.add(id);
  const part = group.groups.get(name) ?? newGroup();
  group.groups.set(name, part);
  add(part, rest, id);
}

function remove(group: Group, [name, ...rest]: readonly string[], id: string): void {
  group.size -= 1;
  group.ids.delete(id);
  const part = name === undefined ? undefined : group.groups.get(name);
  if (name === undefined || !part) return;
  remove(part, rest, id);
  if (part.size === 0) group.groups.delete(name);
}

function oldestOfBusiest(group: Group): string | undefined {
  let busiest: Group | undefined;
  for (const part of group.groups.values()) if (!busiest || part.size > busiest.size) busiest = part;
  return busiest ? oldestOfBusiest(busiest) : group.ids.values().next().value;
}
