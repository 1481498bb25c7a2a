import type { Connector } from '../../domain/connector.ts';

/** Names of a tool server's items at `/mcp`: prefixed with the connector for all connectors, unchanged for one. */
export interface Naming {
  /** True if names differ from the tool server's */
  readonly isChanging: boolean;
  /** @returns undefined for an unusable name, or one that would refer to another connector */
  nameFor(connector: Connector, name: unknown): string | undefined;
  uriFor(connector: Connector, uri: string): string;
  /** @returns undefined when no connector has such a thing */
  findByName(name: string): Target | undefined;
  findByUri(uri: string): Target | undefined;
}

export interface Target {
  readonly connector: Connector;
  /** The tool server's name */
  readonly name: string;
}

/** MCP 2025-11-25 and later, "Tool names" */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** Longer names are invalid, and are not searched for connector ids. */
const MAX_NAME_LENGTH = 128;
const MAX_PREFIXED_LENGTH = 128 + '.'.length + MAX_NAME_LENGTH;
/** The only scheme that hosts of MCP Apps accept for a page */
const UI = 'ui://';
const PREFIXED_UI = /^ui:\/\/legate\.([A-Za-z0-9_.-]{1,128})\/(.+)$/s;
const PREFIXED_URI = /^legate:\/\/([A-Za-z0-9_.-]{1,128})\/(.+)$/s;

/**
 * Returns the URI, or URI template, of a connector at `/mcp` with all connectors: `legate://{connector}/{uri}`, and
 * `ui://legate.{connector}/{rest}` for the page of an app.
 */
export const prefixedUri = ({ id }: Pick<Connector, 'id'>, uri: string): string =>
  uri.startsWith(UI) ? `${UI}legate.${id}/${uri.slice(UI.length)}` : `legate://${id}/${uri}`;

/** Names `{connector}.{name}`, and URIs as `prefixedUri` writes them. */
export function prefixed(connectors: ReadonlyMap<string, Connector>): Naming {
  /** Ids may contain dots, as names may: the longest matching id is used, so that a name always means the same. */
  function findByName(full: string): Target | undefined {
    if (full.length > MAX_PREFIXED_LENGTH) return undefined;
    let dot = full.lastIndexOf('.', full.length - 2); // with something behind it
    for (; dot > 0; dot = full.lastIndexOf('.', dot - 1)) {
      const connector = connectors.get(full.slice(0, dot));
      if (connector) return { connector, name: full.slice(dot + 1) };
    }
    return undefined;
  }
  return {
    isChanging: true,
    nameFor(connector, name) {
      if (typeof name !== 'string' || name === '') return undefined;
      const full = `${connector.id}.${name}`;
      return NAME.test(full) && findByName(full)?.connector === connector ? full : undefined;
    },
    uriFor: prefixedUri,
    findByName,
    findByUri(full) {
      const [, id = '', uri = ''] = PREFIXED_URI.exec(full) ?? [];
      const [, idOfUi = '', rest = ''] = PREFIXED_UI.exec(full) ?? [];
      const connector = connectors.get(id || idOfUi);
      return connector && { connector, name: id ? uri : `${UI}${rest}` };
    },
  };
}

export function unprefixed(connector: Connector): Naming {
  return {
    isChanging: false,
    nameFor: (_connector, name) => (typeof name === 'string' && NAME.test(name) ? name : undefined),
    uriFor: (_connector, uri) => uri,
    findByName: (name) => (name.length > MAX_NAME_LENGTH ? undefined : { connector, name }),
    findByUri: (uri) => ({ connector, name: uri }),
  };
}
