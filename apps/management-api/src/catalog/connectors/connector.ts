import { ConnectorId } from '@legate/ids';
import { AuthMethod, Slug, TokenEndpointAuthMethod } from '@legate/management-contract';
import { ScopeToken } from '@legate/oauth';
import { apiKeyHeader, isCertificateBundle, issuerUrl } from '@legate/service';
import { z } from 'zod';
import { DisplayName } from '../../domain/display-name.ts';
import { Instant } from '../../domain/instant.ts';
import { resourceListParameters } from '../resources/deleted.ts';
import { ACCEPTED_EXCHANGE, Audience, SHOWN_EXCHANGE } from './exchange-fields.ts';
import { namesOf } from './methods.ts';

/** Removes duplicates, and keeps the order */
export const Scopes = z
  .array(ScopeToken)
  .max(100)
  .transform((scopes) => [...new Set(scopes)]);

const FALLBACKS = namesOf(({ isFallback }) => isFallback);
const Fallback = z
  .array(z.enum(FALLBACKS))
  .max(FALLBACKS.length)
  .transform((methods) => [...new Set(methods)]);
const Audiences = z
  .array(Audience)
  .max(20)
  .transform((audiences) => [...new Set(audiences)]);
const CaCertificates = z
  .string()
  .max(32_768)
  .refine(isCertificateBundle, { error: 'Must be certificates in PEM, and nothing else.' });
const ServiceKind = z.enum(['mtls', 'api_key']);
/** RFC 6749 appendix A.1 */
const ClientId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x20-\x7e]*$/);
/** RFC 8414 §2. Its address is checked with the connector's URL. */
const Issuer = z.string().max(2048).pipe(issuerUrl);
/** Several lines, for a certificate with its key; refuses characters that no key or password contains. */
export const Secret = z
  .string()
  .min(8)
  .max(16_384)
  .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u, { error: 'Must not contain control characters.' });

/** The metadata of a tool server (RFC 9728) as last fetched. */
export const ConnectorMetadata = z.strictObject({
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()).nullable().describe('`null` if the metadata does not list them'),
  checked_at: Instant,
});
export type ConnectorMetadata = z.output<typeof ConnectorMetadata>;

const ConnectorStatus = z.enum(['pending', 'ready', 'error']);

export const Connector = z
  .strictObject({
    id: ConnectorId,
    name: z.string(),
    slug: z
      .string()
      .describe(
        'Prefix of the names of its tools at the hub, as in `notes_search`. Unique, also among deleted connectors. ' +
          'Derived from the name at creation, and not changed with it',
      ),
    resource_url: z
      .string()
      .describe("The tool server's resource identifier, as written: it is the `aud` of its tokens"),
    mcp_url: z
      .string()
      .nullable()
      .describe(
        'The MCP endpoint, at the same origin as `resource_url`. `null`: `resource_url` itself, as written, or `/mcp` at ' +
          'its origin if it has neither a path nor a query',
      ),
    auth_method: AuthMethod,
    service_kind: ServiceKind.nullable(),
    scopes: z.array(z.string()),
    step_up_scopes: z
      .array(z.string())
      .describe(
        'Scopes that single tools may require in addition to `scopes`; the hub requests no others. A token with such a ' +
          'scope is used only for the tool that required it',
      ),
    client_id: z
      .string()
      .nullable()
      .describe(
        "The hub's client at the tool server's authorization server. `null`, which `id-jag` does not allow: no client is " +
          'registered, and `oauth-pkce` uses the Client ID Metadata Document of the hub, without a secret',
      ),
    token_endpoint_auth_method: TokenEndpointAuthMethod.nullable().describe(
      'How the hub authenticates at the token endpoint of the authorization server (RFC 7591). With `private_key_jwt` the ' +
        '`secret` is a private JWK. `null`: as its metadata lists; `client_secret_post` if it lists both, or has none. Like the ' +
        '`secret`, it is reset when `auth_method` changes, unless the request sets it',
    ),
    has_secret: z.boolean(),
    secret_updated_at: Instant.nullable(),
    issuer: z
      .string()
      .nullable()
      .describe(
        'For `id-jag` and `oauth-pkce`: the only authorization server to which users and the secret are sent. `null`: the ' +
          'one at the origin of `resource_url`; without a secret, also the one that the tool server lists, if it lists only ' +
          'one. For `token-exchange`: the identity provider, for a tool server that does not list it',
      ),
    audience: z
      .string()
      .nullable()
      .describe(
        'For `id-jag`: the `audience` of the token exchange, if the identity provider has its own name for the ' +
          'authorization server. `null`: the issuer if its metadata advertises ID-JAGs, otherwise `resource_url`',
      ),
    ...SHOWN_EXCHANGE,
    fallback: z
      .array(AuthMethod)
      .describe(
        'Tried in this order, each only if the tool server does not support the one before; never after a denial',
      ),
    id_jag_used_at: Instant.nullable().describe(
      'When ID-JAGs first worked at this `resource_url`, or first worked again after an approval. From then on the ' +
        'fallback needs a newer approval',
    ),
    consent_used_at: Instant.nullable().describe(
      'The same for users who could consent there themselves (`oauth-pkce`)',
    ),
    token_exchange_used_at: Instant.nullable().describe('The same for `token-exchange`'),
    fallback_approved_at: Instant.nullable().describe(
      'When an administrator last approved the current fallback',
    ),
    passthrough_audiences: z
      .array(z.string())
      .describe(
        "Audiences of users' own tokens that the tool server accepts, in addition to its `resource_url`",
      ),
    api_key_header: z
      .string()
      .nullable()
      .describe('Header that carries the API key. `null`: `Authorization`, as a bearer token'),
    ca_certificates: z
      .string()
      .nullable()
      .describe('CA certificates in PEM, trusted for a mutual TLS connector instead of the well-known CAs'),
    has_fallback_secret: z.boolean(),
    status: ConnectorStatus,
    metadata: ConnectorMetadata.nullable(),
    last_error: z
      .strictObject({ code: z.string(), at: Instant })
      .nullable()
      .describe(
        '`issuer_not_pinned`: the authorization server is at another origin, so set `issuer` to its URL',
      ),
    enabled: z.boolean(),
    acknowledge_legacy: z
      .boolean()
      .describe('Confirms that you know passthrough skips the audience check. `false` without this method'),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Connector', description: 'A tool server, and how tokens for it are obtained.' });
export type Connector = z.output<typeof Connector>;

const fields = {
  name: DisplayName,
  slug: Slug,
  resource_url: z.string().max(2048),
  mcp_url: z.string().max(2048).nullable(),
  auth_method: AuthMethod,
  service_kind: ServiceKind.nullable(),
  scopes: Scopes,
  step_up_scopes: Scopes,
  client_id: ClientId.nullable(),
  token_endpoint_auth_method: TokenEndpointAuthMethod.nullable(),
  issuer: Issuer.nullable(),
  audience: Audience.nullable(),
  ...ACCEPTED_EXCHANGE,
  fallback: Fallback,
  passthrough_audiences: Audiences,
  api_key_header: apiKeyHeader.nullable(),
  ca_certificates: CaCertificates.nullable(),
  enabled: z.boolean(),
  acknowledge_legacy: z.boolean(),
};
/** The settings of a connector that an administrator decides about, except its secret. */
export type ConnectorSettings = Pick<Connector, keyof typeof fields>;
export const CONNECTOR_FIELDS = Object.keys(fields) as readonly (keyof ConnectorSettings)[];

export const settingsOf = (connector: Connector): ConnectorSettings =>
  // The entries of all fields have the declared type.
  Object.fromEntries(
    CONNECTOR_FIELDS.map((field) => [field, connector[field]]),
  ) as unknown as ConnectorSettings;

export const CreateConnector = z.strictObject({
  name: fields.name,
  slug: fields.slug.optional().describe('Default: derived from the name'),
  resource_url: fields.resource_url,
  mcp_url: fields.mcp_url.default(null),
  auth_method: fields.auth_method.default('id-jag'),
  service_kind: fields.service_kind.default(null),
  scopes: fields.scopes.default([]),
  step_up_scopes: fields.step_up_scopes.default([]),
  client_id: fields.client_id.default(null),
  token_endpoint_auth_method: fields.token_endpoint_auth_method.default(null),
  issuer: fields.issuer.default(null),
  audience: fields.audience.default(null),
  exchange_audience: fields.exchange_audience.default(null),
  token_audience: fields.token_audience.default(null),
  acknowledge_shared_audience: fields.acknowledge_shared_audience.default(false),
  fallback: fields.fallback.default([]),
  passthrough_audiences: fields.passthrough_audiences.default([]),
  api_key_header: fields.api_key_header.default(null),
  ca_certificates: fields.ca_certificates.default(null),
  enabled: fields.enabled.default(true),
  acknowledge_legacy: fields.acknowledge_legacy.default(false),
  secret: Secret.optional(),
  fallback_secret: Secret.optional().describe(
    'Secret of the fallback `service`, if `secret` belongs to another method',
  ),
});
export type CreateConnector = z.output<typeof CreateConnector>;

/** A merge patch; a secret can be removed only by its own endpoint. */
export const UpdateConnector = z
  .strictObject({ ...fields, secret: Secret, fallback_secret: Secret })
  .partial();
export type UpdateConnector = z.output<typeof UpdateConnector>;

export const PutSecret = z.strictObject({ secret: Secret });

export const ListConnectors = z.strictObject({
  ...resourceListParameters,
  auth_method: AuthMethod.optional(),
  enabled: z
    .enum(['true', 'false'])
    .transform((enabled) => enabled === 'true')
    .optional(),
  status: ConnectorStatus.optional(),
  search: DisplayName.optional().describe('Part of the name, in any case'),
});
export type ListConnectors = z.output<typeof ListConnectors>;
