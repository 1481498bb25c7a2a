import { readClientKey } from '@legate/client-authentication';
import {
  AUTH_METHODS,
  type AuthMethod,
  type ConnectorClientAuth,
  type ConnectorFields,
  type MethodSettings,
  readSettings,
  type ServiceKey,
} from '@legate/delegation';
import type { OrganizationId } from '@legate/ids';
import { type ConnectorRecord, OrganizationDocument } from '@legate/management-contract';
import { mcpEndpointOf } from '@legate/oauth';
import type { Connector } from '../domain/connector.ts';
import { type OrganizationConnectors, organizationConnectors } from '../domain/connector-set.ts';
import { readApiKey, readCertificateKey } from './service-key.ts';

/** The document cannot be used. `message` contains paths and never values, because some values are secrets. */
export class UnusableDocument extends Error {
  override readonly name = 'UnusableDocument';
}

/**
 * Reads the document, or refuses the whole document: using a part of it could grant too much.
 * @returns undefined for a suspended organization
 * @throws {UnusableDocument} also if anything in it belongs to another organization
 */
export function readOrganizationDocument(
  organizationId: OrganizationId,
  body: unknown,
): OrganizationConnectors | undefined {
  const parsed = OrganizationDocument.safeParse(body);
  if (!parsed.success) {
    const places = parsed.error.issues.slice(0, 5).map(({ path }) => path.join('.') || 'document');
    throw new UnusableDocument(`malformed: ${places.join(' ')}`);
  }
  const { organization, connectors, agents, roles, removed_users, denied_clients, agent_clients } =
    parsed.data;
  const owners = [organization.id, ...connectors.map((connector) => connector.organization_id)];
  if (owners.some((owner) => owner !== organizationId))
    throw new UnusableDocument('it belongs to another organization');
  if (hasTwice(connectors) || hasTwice(agents)) throw new UnusableDocument('it has an id twice');
  if (organization.status !== 'active') return undefined;

  const usable = new Map<string, Connector>();
  const faults = new Map<string, string>();
  for (const record of connectors) {
    const connector = toConnector(record);
    if (typeof connector === 'string') faults.set(record.id, connector);
    else usable.set(record.id, connector);
  }
  const bound = agents.map((agent) => ({
    id: agent.id,
    name: agent.name ?? undefined,
    isActive: agent.status === 'active',
    bindings: agent.connectors.map((binding) => ({
      connectorId: binding.connector_id,
      scopes: binding.scopes ?? undefined,
      tools: binding.tools ?? undefined,
      approval: binding.approval,
    })),
  }));
  const { plan: name, requests_per_minute: requestsPerMinute } = organization;
  const plan = requestsPerMinute === undefined ? undefined : { name, requestsPerMinute };
  const own = organizationConnectors(usable, faults, bound, removed_users);
  return {
    ...own,
    name: organization.name ?? undefined,
    roles: {
      byUser: new Map(Object.entries(roles)),
      areManagedByIdp: organization.role_source === 'identity_provider',
    },
    deniedClients: clientsByUser(denied_clients),
    agentClients: new Map(agent_clients.map(({ client_id, agent_id }) => [client_id, agent_id])),
    agentPolicy: organization.agent_policy,
    plan,
  };
}

function clientsByUser(
  denied: OrganizationDocument['denied_clients'],
): ReadonlyMap<string, ReadonlySet<string>> {
  const byUser = new Map<string, Set<string>>();
  for (const { user_id, client_id } of denied) {
    const clients = byUser.get(user_id) ?? new Set();
    byUser.set(user_id, clients.add(client_id));
  }
  return byUser;
}

/** @returns the connector, or the reason why it cannot be used */
function toConnector(record: ConnectorRecord): Connector | string {
  const { resource_url: resource, mcp_url } = record;
  const mcpUrl = mcp_url ?? mcpEndpointOf(resource);
  // A credential for the resource is sent only to the origin of the resource.
  if (new URL(mcpUrl).origin !== new URL(resource).origin)
    return 'its mcp_url is not at the origin of its resource_url; set it again';
  const first = settingsOf(record.auth_method, record);
  if (typeof first === 'string') return first;
  const fallbacks: MethodSettings[] = [];
  for (const method of record.fallback) {
    const settings = settingsOf(method, record);
    // Methods after an unusable one are not tried: the unusable method might have denied the user.
    if (typeof settings === 'string') break;
    fallbacks.push(settings);
  }
  return {
    id: record.id,
    organizationId: record.organization_id,
    name: record.name,
    slug: record.slug,
    resource,
    mcpUrl,
    methods: [first, ...fallbacks],
    scopes: [...new Set(record.scopes)],
    stepUpScopes: [...new Set(record.step_up_scopes)],
    usedMethods: usedMethodsOf(record),
    fallbackApproval: record.fallback_approval ?? undefined,
  };
}

function usedMethodsOf({ id_jag_used, token_exchange_used, consent_used }: ConnectorRecord): AuthMethod[] {
  const used: AuthMethod[] = [];
  if (id_jag_used) used.push('id-jag');
  if (token_exchange_used) used.push('token-exchange');
  if (consent_used) used.push('oauth-pkce');
  return used;
}

class UnusableField extends Error {
  override readonly name = 'UnusableField';
}

/** @returns the settings, or the reason why the method cannot be used */
function settingsOf(method: string, record: ConnectorRecord): MethodSettings | string {
  const facts = findFacts(method);
  if (!facts) return 'this hub does not support its authentication method';
  if (facts.isLegacy && !record.acknowledge_legacy)
    return 'its authentication method has not been acknowledged';
  try {
    return readSettings(facts.name, fieldsOf(record, method));
  } catch (err) {
    if (err instanceof UnusableField) return err.message;
    throw err;
  }
}

const findFacts = (method: string) => AUTH_METHODS.find(({ name }) => name === method);

/** @throws {UnusableField} in the returned functions */
const fieldsOf = (record: ConnectorRecord, method: string): ConnectorFields => ({
  issuer: record.issuer ?? undefined,
  audience: record.audience ?? undefined,
  passthroughAudiences: record.passthrough_audiences,
  exchange() {
    const { exchange_audience: audience, resource_url } = record;
    if (audience === null) throw new UnusableField('it has no exchange_audience');
    const tokenAudience = record.token_audience ?? audience;
    if (tokenAudience !== resource_url && !record.acknowledge_shared_audience)
      throw new UnusableField('its exchange_audience has not been acknowledged');
    return { audience, tokenAudience };
  },
  client() {
    const { client_id: clientId, secret } = record;
    if (record.secret_unreadable) throw new UnusableField(UNREADABLE);
    if (secret === null || clientId === null) throw new UnusableField('it has no client or no secret');
    return { clientId, clientAuth: clientAuthOf(record, secret) };
  },
  optionalClient() {
    const { client_id } = record;
    // A fallback uses the client of the first method, with its secret. If the first method has no client, the secret is
    // not a client's.
    const isOfClient = (findFacts(record.auth_method)?.client ?? 'none') !== 'none';
    if (isOfClient && record.secret_unreadable) throw new UnusableField(UNREADABLE);
    const secret = isOfClient && client_id !== null ? record.secret : null;
    return {
      clientId: client_id ?? undefined,
      clientAuth: secret === null ? undefined : clientAuthOf(record, secret),
    };
  },
  serviceKey() {
    const key = serviceKeyOf(record, record.auth_method === method);
    if (typeof key === 'string') throw new UnusableField(key);
    return key;
  },
});

/** @throws {UnusableField} */
function clientAuthOf(
  { token_endpoint_auth_method: method }: ConnectorRecord,
  secret: string,
): ConnectorClientAuth {
  switch (method) {
    case null:
      return { method: 'client_secret', clientSecret: secret };
    case 'client_secret_basic':
    case 'client_secret_post':
      return { method, clientSecret: secret };
    case 'private_key_jwt': {
      const privateJwk = readClientKey(secret);
      if (typeof privateJwk === 'string') throw new UnusableField(`its private key ${privateJwk}`);
      return { method, privateJwk };
    }
    default:
      throw new UnusableField('this hub does not support its token_endpoint_auth_method');
  }
}

/**
 * Returns the service's key, or the reason why there is none.
 * @param isFirst true if the key is in `secret`: that of a fallback is in `fallback_secret`
 */
function serviceKeyOf(record: ConnectorRecord, isFirst: boolean): ServiceKey | string {
  if (isFirst ? record.secret_unreadable : record.fallback_secret_unreadable) return UNREADABLE;
  const secret = isFirst ? record.secret : record.fallback_secret;
  if (secret === null) return 'it has no secret';
  switch (record.service_kind) {
    case 'mtls':
      return readCertificateKey(secret, record.ca_certificates ?? undefined);
    case 'api_key':
      return readApiKey(record.api_key_header ?? 'authorization', secret);
    default:
      return 'this hub does not support its kind of service credential';
  }
}

const UNREADABLE = 'its secret cannot be read; set it again';

const hasTwice = (items: readonly { id: string }[]): boolean =>
  new Set(items.map((item) => item.id)).size !== items.length;
