import { methodFacts } from '@legate/delegation/methods';
import type { Connector, UpdateConnector } from '../../api/types.ts';
import { wordsOf } from '../../forms/words.ts';
import { exchangeMembers } from './exchange-audience.ts';
import { fallbackOf, isLegacy, isService, methodsUsed } from './methods.ts';

/** Fields of the form, as text */
export interface SettingsValues extends Record<string, unknown> {
  readonly name: string;
  readonly slug: string;
  readonly resource_url: string;
  readonly mcp_url: string;
  readonly auth_method: Connector['auth_method'];
  readonly fallback: readonly Connector['auth_method'][];
  readonly issuer: string;
  readonly audience: string;
  readonly client_id: string;
  /** Empty: the value in the metadata is used */
  readonly token_endpoint_auth_method: NonNullable<Connector['token_endpoint_auth_method']> | '';
  readonly scopes: string;
  readonly step_up_scopes: string;
  readonly exchange_audience: string;
  readonly token_audience: string;
  readonly acknowledge_shared_audience: boolean;
  readonly acknowledge_legacy: boolean;
  readonly secret: string;
}

export const valuesOf = (connector: Connector): SettingsValues => ({
  name: connector.name,
  slug: connector.slug,
  resource_url: connector.resource_url,
  mcp_url: connector.mcp_url ?? '',
  auth_method: connector.auth_method,
  fallback: connector.fallback,
  issuer: connector.issuer ?? '',
  audience: connector.audience ?? '',
  client_id: connector.client_id ?? '',
  token_endpoint_auth_method: connector.token_endpoint_auth_method ?? '',
  scopes: connector.scopes.join(' '),
  step_up_scopes: connector.step_up_scopes.join(' '),
  exchange_audience: connector.exchange_audience ?? '',
  token_audience: connector.token_audience ?? '',
  acknowledge_shared_audience: connector.acknowledge_shared_audience,
  acknowledge_legacy: false,
  secret: '',
});

/** Returns true if an authorization server is used, by the method or by one of its fallbacks. */
export const asksIssuer = (values: SettingsValues): boolean =>
  methodsUsed(values).some(({ issuesTokens }) => issuesTokens);

/** Returns true if the hub may have a client of its own at the authorization server. */
export const asksClient = (values: SettingsValues): boolean =>
  methodsUsed(values).some(({ client }) => client !== 'none');

/** Returns true if the method may have a secret. If only a client can have one, the client must be registered. */
export const mayHaveSecret = ({
  auth_method,
  client_id,
}: Pick<SettingsValues, 'auth_method' | 'client_id'>): boolean => {
  const { secret } = methodFacts(auth_method);
  return secret === 'required' || (secret === 'client' && client_id.trim() !== '');
};

/** Returns true if the hub may authenticate as a client. */
export const mayAuthenticate = (values: SettingsValues): boolean =>
  methodFacts(values.auth_method).client !== 'none' && mayHaveSecret(values);

/** Returns true if the API accepts the change only with a secret. A public client has no authentication method. */
export const needsSecret = (connector: Connector, values: SettingsValues): boolean =>
  connector.enabled &&
  (methodFacts(values.auth_method).secret !== 'client' || values.token_endpoint_auth_method !== '');

/**
 * What happens to the secret with this change. The API deletes it if it would be sent to another tool server
 * or authorization server, so that it must be entered again. `unused`: the method or the client has no
 * secret.
 */
export function secretAfter(
  connector: Connector,
  values: SettingsValues,
): 'kept' | 'dropped' | 'missing' | 'unused' {
  const { auth_method: method } = values;
  if (!mayHaveSecret(values)) return 'unused';
  if (!connector.has_secret) return 'missing';
  const isSame = (name: 'issuer' | 'mcp_url') => (connector[name] ?? '') === values[name].trim();
  const sameServer = connector.resource_url === values.resource_url.trim();
  const sameReceiver = isService(methodFacts(method))
    ? isSame('mcp_url')
    : isSame('issuer') &&
      isKey(connector.token_endpoint_auth_method) === isKey(values.token_endpoint_auth_method);
  return sameServer && sameReceiver && connector.auth_method === method ? 'kept' : 'dropped';
}

/** Returns true if passthrough has not been acknowledged for this tool server, which may have just been replaced by another. */
export const needsAcknowledgement = (connector: Connector, values: SettingsValues): boolean =>
  methodsUsed(values).some(isLegacy) &&
  !(
    connector.acknowledge_legacy &&
    connector.resource_url === values.resource_url.trim() &&
    (connector.mcp_url ?? '') === values.mcp_url.trim()
  );

const isKey = (method: string | null): boolean => method === 'private_key_jwt';

/** Returns the members that differ from the connector. Members that the method does not use are cleared. */
export function changesOf(connector: Connector, values: SettingsValues): UpdateConnector {
  const { auth_method: method, secret } = values;
  const methods = methodsUsed(values);
  const wanted: UpdateConnector = {
    name: values.name.trim(),
    resource_url: values.resource_url.trim(),
    mcp_url: values.mcp_url.trim() || null,
    auth_method: method,
    fallback: fallbackOf(values),
    issuer: (asksIssuer(values) && values.issuer.trim()) || null,
    audience: (methodFacts(method).hasAudience && values.audience.trim()) || null,
    client_id: values.client_id.trim() || null,
    token_endpoint_auth_method: (mayAuthenticate(values) && values.token_endpoint_auth_method) || null,
    scopes: wordsOf(values.scopes),
    step_up_scopes: wordsOf(values.step_up_scopes),
    ...exchangeMembers(values),
    ...(values.slug.trim() !== '' && { slug: values.slug.trim() }),
    ...(!methods.some(isLegacy) && { passthrough_audiences: [] }),
    ...(!methods.some(isService) && { service_kind: null, api_key_header: null, ca_certificates: null }),
  };
  const before: Readonly<Record<string, unknown>> = {
    ...connector,
    // The API clears these with another method.
    ...(method !== connector.auth_method && { token_endpoint_auth_method: null, audience: null }),
  };
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return {
    ...Object.fromEntries(changed),
    ...(secret !== '' && secretAfter(connector, values) !== 'unused' && { secret }),
    ...(needsAcknowledgement(connector, values) && { acknowledge_legacy: values.acknowledge_legacy }),
  };
}
