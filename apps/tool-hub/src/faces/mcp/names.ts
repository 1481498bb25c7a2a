import { MAX_SLUG_LENGTH } from '@legate/management-contract';
import type { Connector } from '../../domain/connector.ts';
import { HASH_SUFFIX, isName, listedName, slugOf } from '../../domain/listed-name.ts';

/**
 * Names of a tool server's items at `/mcp`: prefixed with the connector's slug for all connectors; for one connector
 * unchanged if valid in MCP
 */
export interface Naming {
  /** True if names differ from the tool server's names */
  readonly isChanging: boolean;
  /** @returns undefined for an unusable name */
  nameFor(connector: Connector, name: unknown): string | undefined;
  uriFor(connector: Connector, uri: string): string;
  /** @returns undefined if no connector has such an item */
  findByName(name: string): Target | undefined;
  findByUri(uri: string): Target | undefined;
}

export interface Target {
  readonly connector: Connector;
  /** The tool server's name; or, if hashed, the name at `/mcp`, which must be looked up in the connector's list */
  readonly name: string;
  readonly isHashed: boolean;
}

/** Longer names are invalid, and no connector is looked up for them. */
const MAX_NAME_LENGTH = 128;
/** Maximum length at `/mcp` for names that are longer at the tool server, or have other characters */
const MAX_OTHER_LENGTH = 256;
const MAX_PREFIXED_LENGTH = MAX_SLUG_LENGTH + '_'.length + MAX_NAME_LENGTH;
/** The only scheme that hosts of MCP Apps accept for a page */
const UI = 'ui://';
const PREFIXED_UI = /^ui:\/\/legate\.([a-z0-9-]{1,16})\/(.+)$/s;
const PREFIXED_URI = /^legate:\/\/([a-z0-9-]{1,16})\/(.+)$/s;

/**
 * Returns the URI, or URI template, of a connector at `/mcp` with all connectors: `legate://{slug}/{uri}`, and
 * `ui://legate.{slug}/{rest}` for the page of an app.
 */
export const prefixedUri = (connector: Connector, uri: string): string =>
  uri.startsWith(UI)
    ? `${UI}legate.${slugOf(connector)}/${uri.slice(UI.length)}`
    : `legate://${slugOf(connector)}/${uri}`;

/** Connectors by slug, cached for a set of connectors, which serves many requests */
const bySlug = new WeakMap<ReadonlyMap<string, Connector>, ReadonlyMap<string, Connector>>();

function slugsOf(connectors: ReadonlyMap<string, Connector>): ReadonlyMap<string, Connector> {
  const known = bySlug.get(connectors);
  if (known) return known;
  const made = new Map([...connectors.values()].map((connector) => [slugOf(connector), connector]));
  bySlug.set(connectors, made);
  return made;
}

/** Reads and writes names `{slug}_{name}`, and URIs as `prefixedUri` writes them. */
export function prefixed(connectors: ReadonlyMap<string, Connector>): Naming {
  const slugs = slugsOf(connectors);
  return {
    isChanging: true,
    nameFor: listedName,
    uriFor: prefixedUri,
    findByName(full) {
      if (full.length > MAX_PREFIXED_LENGTH || full.includes('.')) return undefined; // no listed name has a dot
      const end = full.indexOf('_'); // no slug has an underscore
      const connector = slugs.get(full.slice(0, Math.max(0, end)));
      if (!connector || end === full.length - 1) return undefined;
      const isHashed = HASH_SUFFIX.test(full);
      return { connector, name: isHashed ? full : full.slice(end + 1), isHashed };
    },
    findByUri(full) {
      const [, owner = '', uri = ''] = PREFIXED_URI.exec(full) ?? [];
      const [, ownerOfUi = '', rest = ''] = PREFIXED_UI.exec(full) ?? [];
      const connector = slugs.get(owner || ownerOfUi);
      return connector && { connector, name: owner ? uri : `${UI}${rest}`, isHashed: false };
    },
  };
}

export function unprefixed(connector: Connector): Naming {
  return {
    isChanging: false,
    nameFor: (_connector, name) => (isName(name) ? name : listedName(connector, name)),
    uriFor: (_connector, uri) => uri,
    findByName(name) {
      if (name.length > MAX_OTHER_LENGTH) return undefined;
      const isHashed = HASH_SUFFIX.test(name) && name.startsWith(`${slugOf(connector)}_`);
      return { connector, name, isHashed };
    },
    findByUri: (uri) => ({ connector, name: uri, isHashed: false }),
  };
}
