import {
  type ConnectorClientAuth,
  type ConnectorFields,
  type MethodSettings,
  methodFacts,
  readSettings,
  type ServiceKey,
} from '@legate/delegation';
import { ConnectorId, OrganizationId } from '@legate/ids';
import { AuthMethod, Slug, TokenEndpointAuthMethod } from '@legate/management-contract';
import { mcpEndpointOf, ScopeToken } from '@legate/oauth';
import {
  apiKeyHeader,
  ConfigError,
  issuerUrl,
  readJsonFile,
  resourceUrl,
  secretFault,
} from '@legate/service';
import { z } from 'zod';
import type { Connector } from '../domain/connector.ts';
import { type ConnectorRegistry, createConnectorRegistry } from '../domain/registry.ts';
import { readApiKey, readCertificateKey } from './service-key.ts';
import { findSharedAudience } from './shared-audience.ts';

export const ConnectorMembers = z.strictObject({
  id: ConnectorId,
  organization_ids: z.array(OrganizationId).min(1),
  name: z.string().min(1).max(100),
  /** Short name, used as a prefix of the names of the connector's tools. Default: derived from the id */
  slug: Slug.optional(),
  resource: resourceUrl,
  /** Default: `resource` as written; if that is only a host, its path `/mcp` */
  mcp_url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !url.includes('#'), { error: 'must have no fragment' })
    .optional(),
  auth_method: AuthMethod,
  /**
   * Fallback methods in the order in which they are tried, each only if the tool server does not support the method
   * before it
   */
  fallback: z.array(AuthMethod).default([]),
  /**
   * Approves the fallback although ID-JAGs have worked at the tool server: any text, such as today's date. When ID-JAGs
   * work again the approval is used up, and the next one needs a different text.
   */
  fallback_approval: z
    .string()
    .regex(/^[\x21-\x7E]{1,100}$/)
    .optional(),
  scopes: z.array(ScopeToken).default([]),
  /** Additional scopes that single tools may require */
  step_up_scopes: z.array(ScopeToken).max(100).default([]),

  // Used by id-jag and oauth-pkce
  client_id: z.string().min(1).optional(),
  client_secret: z.string().min(1).optional(),
  client_private_key: z.looseObject({ kty: z.string() }).optional(),
  /** Default: the method in the authorization server's metadata */
  token_endpoint_auth_method: TokenEndpointAuthMethod.optional(),
  issuer: issuerUrl.optional(),
  audience: z.string().min(1).optional(),

  // Used by token-exchange
  exchange_audience: z.string().regex(/^\S+$/).max(2048).optional(),
  /** What `aud` of the new token contains. Default: `exchange_audience` */
  token_audience: z.string().regex(/^\S+$/).max(2048).optional(),
  /** Confirms that other servers may accept the same token; required unless `token_audience` is `resource` */
  acknowledge_shared_audience: z.boolean().default(false),

  // Used by passthrough
  acknowledge_legacy: z.boolean().default(false),
  passthrough_audiences: z.array(z.string().min(1).max(2048)).max(20).default([]),

  // Used by service: a key, or a certificate
  api_key: z.string().min(1).optional(),
  api_key_header: apiKeyHeader.default('Authorization'),
  /** PEM of the certificate and its private key */
  client_certificate: z.string().min(1).optional(),
  /** PEM of the CA certificates */
  ca_certificates: z.string().min(1).optional(),
});
export type ConnectorMembers = z.output<typeof ConnectorMembers>;

const ConnectorRecord = ConnectorMembers.transform((record, context): Connector[] => {
  const { auth_method, fallback } = record;
  try {
    if (new Set([auth_method, ...fallback]).size <= fallback.length)
      throw new MemberFault('fallback', 'lists a method twice');
    const methods: Connector['methods'] = [
      settingsOf(auth_method, record),
      ...fallback.map((method) => settingsOf(method, record)),
    ];
    return record.organization_ids.map((organizationId) => ({
      id: record.id,
      organizationId,
      name: record.name,
      slug: record.slug,
      resource: record.resource,
      mcpUrl: record.mcp_url ?? mcpEndpointOf(record.resource),
      methods,
      scopes: [...new Set(record.scopes)],
      stepUpScopes: [...new Set(record.step_up_scopes)],
      fallbackApproval: record.fallback_approval,
    }));
  } catch (err) {
    if (!(err instanceof MemberFault)) throw err;
    context.addIssue({ code: 'custom', path: [err.member], message: err.message });
    return z.NEVER;
  }
});

class MemberFault extends Error {
  override readonly name = 'MemberFault';
  constructor(
    readonly member: keyof ConnectorMembers,
    message = 'required by the authentication method',
  ) {
    super(message);
  }
}

/** @throws {MemberFault} */
function settingsOf(method: MethodSettings['method'], record: ConnectorMembers): MethodSettings {
  if (methodFacts(method).isLegacy && !record.acknowledge_legacy)
    throw new MemberFault(
      'acknowledge_legacy',
      `must be true to confirm that ${method} skips the audience check`,
    );
  return readSettings(method, fieldsOf(record));
}

/** @throws {MemberFault} in the returned functions */
const fieldsOf = (record: ConnectorMembers): ConnectorFields => ({
  issuer: record.issuer,
  audience: record.audience,
  passthroughAudiences: record.passthrough_audiences,
  exchange() {
    const { exchange_audience: audience, token_audience: tokenAudience = audience } = record;
    if (audience === undefined || tokenAudience === undefined) throw new MemberFault('exchange_audience');
    if (tokenAudience !== record.resource && !record.acknowledge_shared_audience)
      throw new MemberFault(
        'acknowledge_shared_audience',
        'must be true to confirm that other servers may accept a token whose audience is not the resource',
      );
    return { audience, tokenAudience };
  },
  client() {
    const { client_id: clientId } = record;
    if (clientId === undefined) throw new MemberFault('client_id');
    return { clientId, clientAuth: clientAuthOf(record) };
  },
  optionalClient() {
    const { client_id: clientId, client_secret, client_private_key } = record;
    const isPublic = client_secret === undefined && client_private_key === undefined;
    if (clientId === undefined && !isPublic)
      throw new MemberFault('client_id', 'required with a secret or a key of the client');
    return { clientId, clientAuth: isPublic ? undefined : clientAuthOf(record) };
  },
  serviceKey: () => serviceKeyOf(record),
});

/** @throws {MemberFault} */
function clientAuthOf(record: ConnectorMembers): ConnectorClientAuth {
  const { client_secret, client_private_key } = record;
  const method = record.token_endpoint_auth_method ?? 'client_secret';
  if (method === 'private_key_jwt') {
    if (!client_private_key) throw new MemberFault('client_private_key');
    return { method, privateJwk: client_private_key };
  }
  if (!client_secret) throw new MemberFault('client_secret');
  return { method, clientSecret: client_secret };
}

/** @throws {MemberFault} */
function serviceKeyOf(record: ConnectorMembers): ServiceKey {
  const { api_key, api_key_header, client_certificate, ca_certificates } = record;
  if (api_key === undefined && client_certificate === undefined)
    throw new MemberFault('api_key', 'this or client_certificate is required by the authentication method');
  if (api_key !== undefined && client_certificate !== undefined)
    throw new MemberFault('api_key', 'cannot be used with client_certificate');
  const member = client_certificate === undefined ? 'api_key' : 'client_certificate';
  const key =
    client_certificate === undefined
      ? readApiKey(api_key_header, api_key ?? '')
      : readCertificateKey(client_certificate, ca_certificates);
  if (typeof key === 'string') throw new MemberFault(member, key);
  return key;
}

/** The document in `CONNECTORS_FILE`. */
export const ConnectorsDocument = z.strictObject({
  /** True for the development setup, whose secrets are public. */
  development: z.boolean().default(false),
  connectors: z.array(ConnectorRecord).transform((records) => records.flat()),
});

/** The secrets of the file, which `ConnectorsDocument` turns into settings of methods. */
const Secrets = z.object({
  connectors: z.array(
    ConnectorMembers.pick({ id: true, client_secret: true, client_private_key: true, api_key: true }).strip(),
  ),
});

/** Returns the secrets that production refuses: connector and member of each. */
function secretFaults(path: string, env: NodeJS.ProcessEnv): string[] {
  return readJsonFile(path, Secrets, env).connectors.flatMap(({ id, ...secrets }) =>
    Object.entries(secrets).flatMap(([member, secret]) => {
      const fault = secretFault(typeof secret === 'string' ? secret : JSON.stringify(secret));
      return fault ? [`${path}: connector ${id}: ${member}: ${fault}`] : [];
    }),
  );
}

/**
 * Reads connectors from a JSON file, for a hub without management-api.
 * @throws {ConfigError} if the file cannot be used, or in production has development secrets or weak ones
 */
export function readConnectorsFile(
  path: string,
  options: { env: NodeJS.ProcessEnv; production: boolean },
): ConnectorRegistry {
  const document = readJsonFile(path, ConnectorsDocument, options.env);
  if (document.development && options.production)
    throw new ConfigError([`${path}: contains published development secrets and is refused in production`]);
  const faults = options.production ? secretFaults(path, options.env) : [];
  if (faults.length > 0) throw new ConfigError(faults);
  const shared = findSharedAudience(document.connectors);
  if (shared !== undefined)
    throw new ConfigError([
      `${path}: connectors at different origins have the audience ${shared}: each could use the tokens of the other`,
    ]);
  try {
    return createConnectorRegistry(document.connectors);
  } catch (err) {
    throw new ConfigError([`${path}: ${err instanceof Error ? err.message : 'cannot be used'}`]);
  }
}
