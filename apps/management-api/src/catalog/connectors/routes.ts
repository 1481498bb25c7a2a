import { z } from 'zod';
import { noContent, ok, versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json } from '../../http/api/request-body.ts';
import { resourceOperations } from '../resources/resource-operations.ts';
import type { CheckConnector } from './check.ts';
import { Connector, CreateConnector, ListConnectors, PutSecret, UpdateConnector } from './connector.ts';
import { namesHolder } from './name-holder.ts';
import type { RevokeTokens } from './revoke-tokens.ts';
import type { SecretCipher } from './secret-cipher.ts';
import type { Connectors } from './service.ts';
import type { ConnectorStore } from './store.ts';

/** The response has no number of tokens: the hub does not search for them. */
const Revoked = z.strictObject({ revoked: z.literal(true) });
const TAKEN = 'resource_already_registered';
const AUDIENCE = ['audience_refused', 'audience_in_use'] as const;

/** Returns true for a patch that disables a connector, as sent. */
const disables = (patch: unknown): boolean =>
  typeof patch === 'object' && patch !== null && Reflect.get(patch, 'enabled') === false;

interface Dependencies {
  readonly connectors: Connectors;
  readonly check: CheckConnector;
  readonly revokeTokens: RevokeTokens;
  readonly cipher: Pick<SecretCipher, 'fingerprint'>;
  readonly findHolder: ConnectorStore['findHolder'];
}

export const connectorOperations = (deps: Dependencies): Operation[] => [
  ...resourceOperations({
    noun: ['Connector', 'Connectors'],
    path: '/connectors',
    idParameter: 'connector_id',
    tag: 'Connectors',
    read: 'connectors:read',
    write: 'connectors:write',
    item: Connector,
    list: ListConnectors,
    create: CreateConnector,
    update: UpdateConnector,
    service: deps.connectors,
    isSecurity: { update: disables, remove: true },
    // A plain hash in the table would make it easier to guess the secret.
    idempotencyKey: ({ secret, fallback_secret, ...wanted }) => ({
      ...wanted,
      ...(secret !== undefined && { secret: deps.cipher.fingerprint(secret) }),
      ...(fallback_secret !== undefined && { fallback_secret: deps.cipher.fingerprint(fallback_secret) }),
    }),
    descriptions: {
      create: '`secret` and `fallback_secret` are stored encrypted and never returned.',
      update:
        'Changing `resource_url`, `auth_method` or `service_kind` deletes the secrets that belonged to the old value; ' +
        'changing `issuer` deletes the secret of `id-jag`. If users’ own tokens are passed through, a new `resource_url` ' +
        'needs `acknowledge_legacy` again.',
      remove: 'It can be restored, with its secret and its bindings to agents, for 30 days.',
    },
    problems: {
      create: { 409: [TAKEN, 'slug_taken', 'quota_exceeded', ...AUDIENCE], 503: ['secrets_unavailable'] },
      update: { 409: [TAKEN, 'slug_taken', ...AUDIENCE], 503: ['secrets_unavailable'] },
      restore: { 409: [TAKEN, ...AUDIENCE] },
    },
  }).map(namesHolder(deps.findHolder)),
  ...secretOperations(deps.connectors),
  ...toolServerOperations(deps),
];

/** Returns the operations that concern the tool server: its metadata, the fallback and the tokens for it. */
const toolServerOperations = (deps: Dependencies): Operation[] => [
  operation('approveConnectorFallback', 'post', '/connectors/{connector_id}/fallback-approval', {
    tag: 'Connectors',
    summary: 'Approve the fallback of a connector',
    description:
      'After ID-JAGs, `token-exchange` or the users’ own consent have worked at a connector, the hub no longer uses its fallback merely ' +
      'because the tool server stops offering these: otherwise a hostile tool server could obtain an API key or the users’ ' +
      'own tokens. An approval lets the hub use the fallback as it is configured now, within seconds. The approval ends ' +
      'when one of these works again, and when `fallback`, `auth_method`, `service_kind` or `resource_url` changes. A ' +
      'user whom the identity provider denies stays denied.',
    access: 'connectors:write',
    ifMatch: true,
    responses: { 200: { description: 'The connector', schema: Connector, headers: ['ETag'] } },
    problems: { 409: ['fallback_not_used'] },
    change: async (change, { params, ifMatch }) =>
      versioned(await deps.connectors.approveFallback(change, params.connector_id, ifMatch)),
  }),
  operation('checkConnector', 'post', '/connectors/{connector_id}/check', {
    tag: 'Connectors',
    summary: 'Check the metadata of a tool server',
    description:
      'Reads the protected resource metadata of the tool server (RFC 9728), and stores `status`, `metadata` and ' +
      '`last_error`, also after a failure. The method must be able to use one of the listed authorization servers. ' +
      'Otherwise the error is `issuer_not_pinned` if they are at another origin and `issuer` is not set, ' +
      '`issuer_not_listed` if `issuer` is not among them, or `no_authorization_server` if none is listed.',
    access: 'connectors:write',
    responses: { 200: { description: 'The connector', schema: Connector, headers: ['ETag'] } },
    problems: { 409: ['resource_changed'], 502: ['resource_unreachable'] },
    handle: async ({ author, params }) => versioned(await deps.check(author, params.connector_id)),
  }),
  operation('revokeConnectorTokens', 'post', '/connectors/{connector_id}/revoke-tokens', {
    tag: 'Connectors',
    summary: 'Revoke the tokens of a connector',
    description:
      'Ends the tokens that the tool hub has cached for the users of the connector. Each user gets a new token with their ' +
      'next call, if policy still allows it.',
    access: 'connectors:write',
    isSecurity: true,
    responses: { 200: { description: 'The hub no longer uses the old tokens', schema: Revoked } },
    problems: { 409: ['tool_hub_not_configured'], 502: ['tool_hub_error'], 503: ['tool_hub_unavailable'] },
    async handle({ author, params }) {
      await deps.revokeTokens(author, params.connector_id);
      return ok({ revoked: true as const });
    },
  }),
];

const secretOperations = (connectors: Connectors): Operation[] => [
  operation('putConnectorSecret', 'put', '/connectors/{connector_id}/secret', {
    tag: 'Connectors',
    summary: 'Set the secret of a connector',
    access: 'connectors:write',
    body: json(PutSecret),
    ifMatch: true,
    responses: { 204: { description: 'The secret is stored' } },
    problems: { 409: ['secret_not_applicable'], 503: ['secrets_unavailable'] },
    change: async (change, { params, ifMatch, body }) => {
      await connectors.putSecret(change, params.connector_id, ifMatch, body.secret);
      return noContent;
    },
  }),
  operation('deleteConnectorSecret', 'delete', '/connectors/{connector_id}/secret', {
    tag: 'Connectors',
    summary: 'Remove the secret of a connector',
    access: 'connectors:write',
    isSecurity: true,
    ifMatch: true,
    responses: { 204: { description: 'The connector has no secret' } },
    problems: { 409: ['secret_required'] },
    change: async (change, { params, ifMatch }) => {
      await connectors.removeSecret(change, params.connector_id, ifMatch);
      return noContent;
    },
  }),
];
