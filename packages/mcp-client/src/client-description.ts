import { CAPABILITIES_KEY, CLIENT_INFO_KEY, MODERN_REVISION, VERSION_KEY } from '@legate/mcp-wire';
import { type JsonMembers, membersOf } from './json-members.ts';

/** How this client describes itself to tool servers. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  /** `User-Agent` of its requests. Default: `{name}/{version}` */
  readonly userAgent?: string | undefined;
  /** Settings of the MCP extensions that the client supports, by name */
  readonly extensions?: Readonly<Record<string, object>> | undefined;
}

/** A client's description in the forms that requests contain, created once. */
export interface ClientDescription {
  readonly info: { readonly name: string; readonly version: string };
  readonly capabilities: { readonly extensions?: Readonly<Record<string, object>> };
  /** Members of `_meta` of every request of the modern revision */
  readonly meta: JsonMembers;
  readonly metaJson: string;
  /** Headers of every request, names and values in turn */
  readonly headers: readonly string[];
}

export function describeClient({ name, version, extensions, userAgent }: ClientInfo): ClientDescription {
  const info = { name, version };
  const capabilities = extensions ? { extensions } : {};
  const metaJson = JSON.stringify({
    [VERSION_KEY]: MODERN_REVISION,
    [CAPABILITIES_KEY]: capabilities,
    [CLIENT_INFO_KEY]: info,
  });
  // Compression would gain nothing here. A response that a proxy has compressed anyway is decompressed.
  const headers = ['user-agent', userAgent ?? `${name}/${version}`, 'accept-encoding', 'identity'];
  return { info, capabilities, meta: membersOf(metaJson), metaJson, headers };
}
