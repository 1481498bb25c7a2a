import { MODERN_REVISION } from './revisions.ts';

/** How this client describes itself to tool servers. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  /** Settings of the extensions of MCP that it supports, by name */
  readonly extensions?: Readonly<Record<string, object>> | undefined;
}

/** The same in the forms in which requests carry it, made once. */
export interface ClientDescription {
  readonly info: { readonly name: string; readonly version: string };
  readonly capabilities: { readonly extensions?: Readonly<Record<string, object>> };
  /** Members of `_meta` of every request of the modern revision */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly metaJson: string;
}

export function describeClient({ name, version, extensions }: ClientInfo): ClientDescription {
  const info = { name, version };
  const capabilities = extensions ? { extensions } : {};
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN_REVISION,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': info,
  };
  return { info, capabilities, meta, metaJson: JSON.stringify(meta) };
}
