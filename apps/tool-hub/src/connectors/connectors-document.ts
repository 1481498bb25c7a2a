import { identifierUrl, issuerUrl } from '@legate/service';
import { z } from 'zod';
import { type Connector, mcpUrlOf } from './connector.ts';
import type { ConnectorClientAuth } from './method-settings.ts';

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
      methods: [
        {
          method: record.auth_method,
          clientId: record.client_id,
          clientAuth,
          issuer: record.issuer,
          audience: record.audience,
        },
      ],
      scopes: [...new Set(record.scopes)],
    }));
  });

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
