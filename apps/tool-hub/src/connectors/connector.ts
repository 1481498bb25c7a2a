import { identifierUrl, issuerUrl } from '@legate/service';
import { z } from 'zod';

/** How the hub proves itself at the token endpoint of a connector's authorization server. */
export type ConnectorClientAuth =
  | { readonly method: 'client_secret_post' | 'client_secret_basic'; readonly clientSecret: string }
  | { readonly method: 'private_key_jwt'; readonly privateJwk: Readonly<Record<string, unknown>> };

/** A tool server as one organization uses it. Holds a secret: never sent to anyone, never logged. */
export interface Connector {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Resource identifier (RFC 8707, RFC 9728), as configured: compared as a string. */
  readonly resource: string;
  /** MCP endpoint */
  readonly mcpUrl: string;
  /** Further methods join here; none is ever tried in the place of another unless the connector says so. */
  readonly authMethod: 'id-jag';
  /** The hub's client at the tool server's authorization server; the ID-JAG's `client_id` must be this one. */
  readonly clientId: string;
  readonly clientAuth: ConnectorClientAuth;
  /** The only authorization server whose tokens, and to which our credentials, may be given. */
  readonly issuer: string | undefined;
  /** `audience` of the token exchange, where the derived one is wrong for this identity provider. */
  readonly audience: string | undefined;
  /** Asked for with every delegation; empty: whatever the resource metadata lists. */
  readonly scopes: readonly string[];
  /** Present where an agent acts, and the connector is narrowed to what is bound to it. */
  readonly binding?: {
    /** Undefined: all of them */
    readonly tools: ReadonlySet<string> | undefined;
    /** Stands for `scopes` where these are fewer than the connector's; no other scope is then ever asked for. */
    readonly scopesKey: string | undefined;
  };
}

/** Part of a cache key, whose separator is a colon (product spec §5). */
const id = z.string().regex(/^[A-Za-z0-9_.-]{1,128}$/);

/** RFC 6749 §3.3 */
const scopeToken = z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/);

const ConnectorRecord = z
  .strictObject({
    id,
    organization_ids: z.array(id).min(1),
    name: z.string().min(1).max(100),
    resource: identifierUrl,
    mcp_url: z
      .url({ protocol: /^https?$/ })
      .refine((url) => !url.includes('#'), { error: 'must have no fragment' })
      .optional(),
    auth_method: z.literal('id-jag'),
    client_id: z.string().min(1),
    client_secret: z.string().min(1).optional(),
    client_private_key: z.looseObject({ kty: z.string() }).optional(),
    token_endpoint_auth_method: z
      .enum(['client_secret_post', 'client_secret_basic', 'private_key_jwt'])
      .default('client_secret_post'),
    issuer: issuerUrl.optional(),
    audience: z.string().min(1).optional(),
    scopes: z.array(scopeToken).default([]),
  })
  .transform((record, context): Connector[] => {
    const clientAuth = clientAuthOf(record);
    if (typeof clientAuth === 'string') {
      context.addIssue({
        code: 'custom',
        path: [clientAuth],
        message: 'required by the authentication method',
      });
      return z.NEVER;
    }
    return record.organization_ids.map((organizationId) => ({
      id: record.id,
      organizationId,
      name: record.name,
      resource: record.resource,
      mcpUrl: record.mcp_url ?? mcpUrlOf(record.resource),
      authMethod: record.auth_method,
      clientId: record.client_id,
      clientAuth,
      issuer: record.issuer,
      audience: record.audience,
      scopes: [...new Set(record.scopes)],
    }));
  });

/** Many tool servers are identified by their endpoint itself (MCP, "Canonical Server URI"). */
export const mcpUrlOf = (resource: string): string =>
  /\/mcp\/?$/.test(resource) ? resource : `${resource.replace(/\/$/, '')}/mcp`;

/** The member that is missing, or the credentials. */
function clientAuthOf(record: {
  token_endpoint_auth_method: ConnectorClientAuth['method'];
  client_secret?: string | undefined;
  client_private_key?: Record<string, unknown> | undefined;
}): ConnectorClientAuth | 'client_secret' | 'client_private_key' {
  const { token_endpoint_auth_method: method, client_secret, client_private_key } = record;
  if (method === 'private_key_jwt')
    return client_private_key ? { method, privateJwk: client_private_key } : 'client_private_key';
  return client_secret ? { method, clientSecret: client_secret } : 'client_secret';
}

/** The document in `CONNECTORS_FILE`. */
export const ConnectorsDocument = z.strictObject({
  /** True for the development scene, whose secrets are public. */
  development: z.boolean().default(false),
  connectors: z.array(ConnectorRecord).transform((records) => records.flat()),
});
