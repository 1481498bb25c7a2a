import type { Connector } from '../../domain/connector.ts';

/**
 * What things of a tool server are called at the agents' door: with their connector in front where the door leads to all
 * of them, as they are where it leads to one.
 */
export interface Naming {
  /** Whether anything is called otherwise than at its tool server */
  readonly isChanging: boolean;
  /** @returns undefined for what cannot be called so, or would lead to another connector */
  nameFor(connector: Connector, name: unknown): string | undefined;
  uriFor(connector: Connector, uri: string): string;
  /** @returns undefined when no connector has such a thing */
  findByName(name: string): Target | undefined;
  findByUri(uri: string): Target | undefined;
}

export interface Target {
  readonly connector: Connector;
  /** As the tool server calls it */
  readonly name: string;
}

/** MCP 2025-11-25 and later, "Tool names" */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** What is longer than that names nothing, and is not looked through for ids of connectors. */
const MAX_NAME_LENGTH = 128;
const MAX_PREFIXED_LENGTH = 128 + '.'.length + MAX_NAME_LENGTH;
/** The only scheme that hosts of MCP Apps accept for a page */
const UI = 'ui://';
const PREFIXED_UI = /^ui:\/\/legate\.([A-Za-z0-9_.-]{1,128})\/(.+)$/s;
const PREFIXED_URI = /^legate:\/\/([A-Za-z0-9_.-]{1,128})\/(.+)$/s;

/**
 * Returns what a URI, or URI template, of a connector is at the door to all connectors: `legate://{connector}/{uri}`, and
 * `ui://legate.{connector}/{rest}` for the page of an app.
 */
export const prefixedUri = ({ id }: Pick<Connector, 'id'>, uri: string): string =>
  uri.startsWith(UI) ? `${UI}legate.${id}/${uri.slice(UI.length)}` : `legate://${id}/${uri}`;

/** Names `{connector}.{name}`, and URIs as `prefixedUri` writes them. */
export function prefixed(connectors: ReadonlyMap<string, Connector>): Naming {
  /** Ids may have dots, as names may: the longest id counts, so that a name always leads to the same one. */
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
