import { hash } from 'node:crypto';
import { slugFrom } from '@legate/management-contract';
import type { Connector } from '../../domain/connector.ts';

/** Names of a tool server's items at `/mcp`: prefixed with the connector's slug for all connectors, unchanged for one. */
export interface Naming {
  /** True if names differ from the tool server's */
  readonly isChanging: boolean;
  /** @returns undefined for an unusable name */
  nameFor(connector: Connector, name: unknown): string | undefined;
  uriFor(connector: Connector, uri: string): string;
  /** @returns undefined when no connector has such a thing */
  findByName(name: string): Target | undefined;
  findByUri(uri: string): Target | undefined;
}

export interface Target {
  readonly connector: Connector;
  /** The tool server's name. Of a `hashed` one: the name at `/mcp`, to be looked for in the connector's list */
  readonly name: string;
  readonly form: NameForm;
}

/** `own`: the tool server's; `dotted`: `{connector_id}.{name}`, which older versions listed */
export type NameForm = 'own' | 'plain' | 'hashed' | 'dotted';

/** MCP 2025-11-25 and later, "Tool names" */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** Longer names are invalid, and are not searched for connectors. */
const MAX_NAME_LENGTH = 128;
const MAX_PREFIXED_LENGTH = 128 + '.'.length + MAX_NAME_LENGTH;
/** Hosts put their own prefix in front, such as `mcp__{server}__`, and model APIs count 64 characters in all. */
const MAX_LISTED_LENGTH = 50;
/** The only scheme that hosts of MCP Apps accept for a page */
const UI = 'ui://';
const PREFIXED_UI = /^ui:\/\/legate\.([A-Za-z0-9_.-]{1,128})\/(.+)$/s;
const PREFIXED_URI = /^legate:\/\/([A-Za-z0-9_.-]{1,128})\/(.+)$/s;
const HASH_SUFFIX = /--[a-z2-7]{8}$/;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Connectors of an organization have one (`withSlugs`). */
export const slugOf = ({ id, slug }: Connector): string => slug ?? slugFrom(id);

/**
 * Returns the URI, or URI template, of a connector at `/mcp` with all connectors: `legate://{slug}/{uri}`, and
 * `ui://legate.{slug}/{rest}` for the page of an app.
 */
export const prefixedUri = (connector: Connector, uri: string): string =>
  uri.startsWith(UI)
    ? `${UI}legate.${slugOf(connector)}/${uri.slice(UI.length)}`
    : `legate://${slugOf(connector)}/${uri}`;

/** Returns `{slug}_{name}` if model APIs take it and it says which name it is; otherwise a hashed one. */
function listedName(connector: Connector, name: string): string {
  const prefix = `${slugOf(connector)}_`;
  const room = MAX_LISTED_LENGTH - prefix.length;
  return isPlain(name) && name.length <= room ? prefix + name : prefix + hashedName(name, room);
}

/** A double `_` is the delimiter of some hosts. */
const isPlain = (name: string): boolean =>
  /^[A-Za-z0-9-][A-Za-z0-9_-]*$/.test(name) && !name.includes('__') && !HASH_SUFFIX.test(name);

function hashedName(name: string, room: number): string {
  const suffix = `--${base32(hash('sha256', name, 'buffer')).slice(0, 8)}`;
  const readable = name.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_+/, '');
  return readable.slice(0, room - suffix.length).replace(/_+$/, '') + suffix;
}

/** RFC 4648 §6, in lower case, of the first five bytes */
function base32(bytes: Buffer): string {
  const bits = [...bytes.subarray(0, 5)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
}

/** By slug; made once for a set of connectors, which serves many requests */
const bySlug = new WeakMap<ReadonlyMap<string, Connector>, ReadonlyMap<string, Connector>>();

function slugsOf(connectors: ReadonlyMap<string, Connector>): ReadonlyMap<string, Connector> {
  const known = bySlug.get(connectors);
  if (known) return known;
  const made = new Map([...connectors.values()].map((connector) => [slugOf(connector), connector]));
  bySlug.set(connectors, made);
  return made;
}

/** Names `{slug}_{name}`, and URIs as `prefixedUri` writes them. */
export function prefixed(connectors: ReadonlyMap<string, Connector>): Naming {
  const slugs = slugsOf(connectors);

  /** Ids may contain dots, as names may: the longest matching id is used, so that a name always means the same. */
  function findDotted(full: string): Target | undefined {
    let dot = full.lastIndexOf('.', full.length - 2); // with something behind it
    for (; dot > 0; dot = full.lastIndexOf('.', dot - 1)) {
      const connector = connectors.get(full.slice(0, dot));
      if (connector) return { connector, name: full.slice(dot + 1), form: 'dotted' };
    }
    return undefined;
  }

  return {
    isChanging: true,
    nameFor: (connector, name) =>
      typeof name === 'string' && NAME.test(name) ? listedName(connector, name) : undefined,
    uriFor: prefixedUri,
    findByName(full) {
      if (full.length > MAX_PREFIXED_LENGTH) return undefined;
      if (full.includes('.')) return findDotted(full); // no name that is listed has one
      const end = full.indexOf('_'); // no slug has one
      const connector = slugs.get(full.slice(0, Math.max(0, end)));
      if (!connector || end === full.length - 1) return undefined;
      return HASH_SUFFIX.test(full)
        ? { connector, name: full, form: 'hashed' }
        : { connector, name: full.slice(end + 1), form: 'plain' };
    },
    findByUri(full) {
      const [, owner = '', uri = ''] = PREFIXED_URI.exec(full) ?? [];
      const [, ownerOfUi = '', rest = ''] = PREFIXED_UI.exec(full) ?? [];
      const named = owner || ownerOfUi;
      const connector = slugs.get(named) ?? connectors.get(named);
      return (
        connector && {
          connector,
          name: owner ? uri : `${UI}${rest}`,
          form: slugs.has(named) ? 'plain' : 'dotted',
        }
      );
    },
  };
}

export function unprefixed(connector: Connector): Naming {
  return {
    isChanging: false,
    nameFor: (_connector, name) => (typeof name === 'string' && NAME.test(name) ? name : undefined),
    uriFor: (_connector, uri) => uri,
    findByName: (name) => (name.length > MAX_NAME_LENGTH ? undefined : { connector, name, form: 'own' }),
    findByUri: (uri) => ({ connector, name: uri, form: 'own' }),
  };
}
