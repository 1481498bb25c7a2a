import { methodFacts } from '@legate/delegation/methods';
import { mcpEndpointOf } from '@legate/oauth';
import { type FieldProblem, validationFailed } from '@legate/service';
import type { Connector, ConnectorMetadata, ConnectorSettings } from './connector.ts';
import { checkExchange } from './exchange-rules.ts';
import { and, isLegacy, isService, methodsUsed, namesOf, only } from './methods.ts';
import type { ResourceUrlFault } from './resource-url.ts';
import type { SecretFault } from './service-secret.ts';

/**
 * Returns true if the hub presents its own secret in the connector's method. If only a client has a secret,
 * the client may be a public one, and is one if it is not registered.
 */
export function secretUse({
  auth_method: method,
  client_id,
}: Pick<ConnectorSettings, 'auth_method' | 'client_id'>): 'required' | 'optional' | 'none' {
  const { secret } = methodFacts(method);
  if (secret !== 'client') return secret;
  return client_id === null ? 'none' : 'optional';
}

/** Fields that belong to the client, and are reset with it or with its method */
const CLIENT_FIELDS = ['token_endpoint_auth_method', 'audience'] as const;

/** Returns the fields of a client that a connector with these settings cannot have. */
const clientFieldsWithout = (
  settings: Pick<ConnectorSettings, 'auth_method' | 'client_id'>,
): readonly (typeof CLIENT_FIELDS)[number][] => {
  const { client, hasAudience } = methodFacts(settings.auth_method);
  const takes = {
    token_endpoint_auth_method: client !== 'none' && secretUse(settings) !== 'none',
    audience: hasAudience,
  };
  return CLIENT_FIELDS.filter((field) => !takes[field]);
};

/** Returns the fields of a client that are reset by a change, unless the request sets them. */
export const clientFieldsEnded = (
  before: Pick<ConnectorSettings, 'auth_method'>,
  after: Pick<ConnectorSettings, 'auth_method' | 'client_id'>,
): readonly (typeof CLIENT_FIELDS)[number][] =>
  before.auth_method === after.auth_method ? clientFieldsWithout(after) : CLIENT_FIELDS;

type Address = Pick<ConnectorSettings, 'resource_url' | 'mcp_url'>;
const endpointOf = ({ resource_url, mcp_url }: Address): string => mcp_url ?? mcpEndpointOf(resource_url);

/** Returns true if two settings have the same tool server and call it at the same address. */
export const isSameServer = (one: Address, other: Address): boolean =>
  one.resource_url === other.resource_url && endpointOf(one) === endpointOf(other);

/** Returns true if the secret must be a private key, as `private_key_jwt` requires. */
export const provesByKey = ({ token_endpoint_auth_method: method }: ConnectorSettings): boolean =>
  method === 'private_key_jwt';

/**
 * Returns true if a secret may stay after a change. A secret belongs to one tool server, and a client's
 * secret to one authorization server. If it stayed after a change of these, an administrator could have it
 * sent to another server, and so read a write-only value. The key of a service is sent to the tool server
 * itself, whatever authorization server a fallback uses.
 */
export const secretOutlives = (before: ConnectorSettings, after: ConnectorSettings): boolean =>
  before.resource_url === after.resource_url &&
  before.auth_method === after.auth_method &&
  (isService(methodFacts(after.auth_method))
    ? before.service_kind === after.service_kind && isSameServer(before, after)
    : before.issuer === after.issuer &&
      provesByKey(before) === provesByKey(after) &&
      secretUse(after) !== 'none');

/** Returns true if the secret of a service that is a fallback may stay after a change, for the same reasons. */
export const fallbackSecretOutlives = (before: ConnectorSettings, after: ConnectorSettings): boolean =>
  isSameServer(before, after) && hasServiceFallback(after) && before.service_kind === after.service_kind;

const hasServiceFallback = ({ fallback }: ConnectorSettings): boolean =>
  fallback.map(methodFacts).some(isService);

const CLIENTS = and(namesOf(({ client, secret }) => client !== 'none' && secret === 'required'));
const MAYBE_CLIENTS = and(namesOf(({ secret }) => secret === 'client'));
const CLIENT_FIELD_DETAIL = {
  token_endpoint_auth_method: `Allowed only for ${CLIENTS}, and for ${MAYBE_CLIENTS} with client_id and secret.`,
  audience: only(namesOf(({ hasAudience }) => hasAudience)),
};

const URL_DETAIL: Record<ResourceUrlFault, string> = {
  invalid_format: 'An absolute https URL without user or fragment.',
  resource_url_forbidden: 'Must be https with a public address.',
};

const ISSUER_CODE = { invalid_format: 'invalid_format', resource_url_forbidden: 'issuer_forbidden' } as const;

/** Facts that the rules need besides the requested settings. */
export interface SettingsFacts {
  readonly secret: SecretFacts;
  readonly fallbackSecret: SecretFacts;
  /** The resource's metadata, if it is known and the scopes are new */
  readonly metadata: ConnectorMetadata | null;
  readonly urlFault: ResourceUrlFault | undefined;
  /** Fault of the endpoint's URL. Undefined for a valid URL, even at another origin */
  readonly mcpUrlFault: ResourceUrlFault | undefined;
  readonly issuerFault: ResourceUrlFault | undefined;
  /** True if the tool server differs from the acknowledged one */
  readonly needsNewAcknowledgement: boolean;
}

export interface SecretFacts {
  /** True if there is a secret after the change */
  readonly isThere: boolean;
  /** True if the request contains a secret */
  readonly isSent: boolean;
  /** The fault of the secret in the request */
  readonly fault: SecretFault | undefined;
}

type Refuse = (pointer: string, code: string, detail: string) => void;

/**
 * Checks the rules that concern more than one field.
 * @throws {Problem} 400 `validation_failed`, with every broken rule
 */
export function checkSettings(wanted: ConnectorSettings, facts: SettingsFacts): void {
  const errors: FieldProblem[] = [];
  const refuse: Refuse = (pointer, code, detail) => errors.push({ pointer, code, detail });

  if (facts.urlFault) refuse('/resource_url', facts.urlFault, URL_DETAIL[facts.urlFault]);
  else checkEndpoint(wanted, facts.mcpUrlFault, refuse);
  if (facts.issuerFault) refuse('/issuer', ISSUER_CODE[facts.issuerFault], URL_DETAIL[facts.issuerFault]);
  checkMethods(wanted, facts, refuse);
  checkExchange(wanted, refuse);
  checkSecret(wanted, facts.secret, refuse);
  checkFallbackSecret(wanted, facts.fallbackSecret, refuse);
  const supported = facts.metadata?.scopes_supported;
  wanted.scopes.forEach((scope, index) => {
    if (supported && !supported.includes(scope)) {
      refuse(`/scopes/${index}`, 'scope_not_supported', 'The tool server does not list this scope.');
    }
  });
  if (errors.length > 0) throw validationFailed(errors);
}

/**
 * Checks where the users' tokens, or the key, are sent. They are meant for `resource_url`, and may be sent
 * only to its origin: otherwise an administrator could collect them at their own server.
 */
function checkEndpoint(
  { resource_url, mcp_url }: ConnectorSettings,
  fault: ResourceUrlFault | undefined,
  refuse: Refuse,
): void {
  if (mcp_url === null) return;
  if (fault === 'invalid_format') refuse('/mcp_url', fault, URL_DETAIL[fault]);
  else if (new URL(mcp_url).origin !== new URL(resource_url).origin)
    refuse('/mcp_url', 'other_origin', 'Must have the scheme, host and port of resource_url.');
}

function checkMethods(wanted: ConnectorSettings, facts: SettingsFacts, refuse: Refuse): void {
  const methods = methodsUsed(wanted);
  const [service, legacy] = [methods.find(isService), methods.find(isLegacy)];
  const forService = (pointer: string, kind: Connector['service_kind'], detail: string) => {
    if (wanted.service_kind !== kind) refuse(pointer, 'not_applicable', detail);
  };

  wanted.fallback.forEach((method, index) => {
    if (method === wanted.auth_method)
      refuse(`/fallback/${index}`, 'duplicate', 'The connector already uses this as its method.');
  });
  if (service && wanted.service_kind === null) {
    refuse('/service_kind', 'required', `Required for the method ${service.name}.`);
  }
  if (!service && wanted.service_kind !== null) {
    refuse('/service_kind', 'not_applicable', only(namesOf(isService)));
  }
  if (wanted.api_key_header !== null)
    forService('/api_key_header', 'api_key', 'Allowed only for an API key.');
  if (wanted.ca_certificates !== null) forService('/ca_certificates', 'mtls', 'Allowed only for mutual TLS.');
  // A client that is not registered identifies itself by a metadata document, and has no secret.
  const registered = methods.find(({ client }) => client === 'required');
  if (registered && wanted.client_id === null) {
    const detail = `Required for the method ${registered.name}: the secret belongs to this client.`;
    refuse('/client_id', 'required', detail);
  }
  // All methods that use an authorization server share one client there, and therefore one issuer.
  if (!methods.some(({ issuesTokens }) => issuesTokens) && wanted.issuer !== null) {
    refuse('/issuer', 'not_applicable', only(namesOf(({ issuesTokens }) => issuesTokens)));
  }
  for (const field of clientFieldsWithout(wanted))
    if (wanted[field] !== null) refuse(`/${field}`, 'not_applicable', CLIENT_FIELD_DETAIL[field]);
  if (legacy && (!wanted.acknowledge_legacy || facts.needsNewAcknowledgement)) {
    refuse(
      '/acknowledge_legacy',
      'legacy_not_acknowledged',
      `${legacy.name} bypasses audience scoping: say true, and again for another resource_url or mcp_url.`,
    );
  }
  if (!legacy && wanted.passthrough_audiences.length > 0) {
    refuse('/passthrough_audiences', 'not_applicable', only(namesOf(isLegacy)));
  }
}

function checkSecret(
  wanted: ConnectorSettings,
  { isThere, isSent, fault }: SecretFacts,
  refuse: Refuse,
): void {
  const use = secretUse(wanted);
  if (use === 'none') {
    if (isSent) refuse('/secret', 'secret_not_applicable', whyNoSecret(wanted.auth_method));
    return;
  }
  if (fault) refuse('/secret', fault.code, fault.detail);
  if (wanted.enabled && !isThere && needsSecret(wanted))
    refuse('/secret', 'required', 'Send a secret, or enabled: false.');
}

/** Returns true if an enabled connector must have a secret. A public client has no authentication method. */
export const needsSecret = (settings: ConnectorSettings): boolean =>
  secretUse(settings) === 'required' || settings.token_endpoint_auth_method !== null;

/** Explains why a connector of this method has no secret. */
export const whyNoSecret = (method: Connector['auth_method']): string =>
  methodFacts(method).secret === 'client'
    ? 'Without client_id the hub is a public client there, and has no secret.'
    : `The method ${method} has no secret.`;

function checkFallbackSecret(
  wanted: ConnectorSettings,
  { isThere, isSent, fault }: SecretFacts,
  refuse: Refuse,
): void {
  if (hasServiceFallback(wanted)) {
    if (fault) refuse('/fallback_secret', fault.code, fault.detail);
    if (wanted.enabled && !isThere)
      refuse('/fallback_secret', 'required', 'Send fallback_secret, or enabled: false.');
  } else if (isSent) {
    refuse(
      '/fallback_secret',
      'secret_not_applicable',
      `Allowed only with ${and(namesOf(isService))} as a fallback.`,
    );
  }
}
