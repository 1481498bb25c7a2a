import { PageQuery, pageOf, toPage } from '@legate/pagination';
import type { RateLimiter } from '@legate/rate-limit';
import { Problem, validationFailed } from '@legate/service';
import type { Request } from 'express';
import { z } from 'zod';
import { type ConnectorAccess, readAgentId, requireConnector } from '../../connectors/access.ts';
import type { Caller } from '../../domain/caller.ts';
import { limitUser } from '../../limits/per-minute.ts';
import { connectionStoreUnavailable } from '../../refusals/connection-problems.ts';
import { created, noContent, ok } from '../api/answers.ts';
import { type HubOperation, operation, optionalJson } from '../api/operation.ts';
import { CONNECTOR_PROBLEMS } from '../api/problem-groups.ts';
import type { ConnectedAccounts, ConnectionStatus } from './connected-accounts.ts';
import type { ConsentFlow } from './consent-flow.ts';
import { FurtherScopes } from './further-scopes.ts';

const ConnectBody = z
  .strictObject({
    scopes: FurtherScopes.default([]),
    return_to: z.string().optional(),
  })
  .default({ scopes: [] });

const Link = z.strictObject({
  authorize_url: z.url().describe("Open it in this user's browser. It works once, within two minutes."),
  expires_at: z.iso.datetime(),
});

const Connection = z.strictObject({
  connected: z.boolean(),
  scopes: z.array(z.string()),
  expires_at: z.iso.datetime().nullable(),
});

const ConnectedAccount = z
  .strictObject({
    connector_id: z.string(),
    name: z.string(),
    resource: z.string().describe('Resource identifier of the tool server'),
    ...Connection.shape,
  })
  .meta({ id: 'ConnectedAccount' });

const PATH = '/connectors/{connector_id}/connections';
/** Problems of every request about an account at a connector */
const PROBLEMS = [...CONNECTOR_PROBLEMS, 'connection_not_used', 'token_store_unavailable'] as const;

interface ConnectionDependencies {
  access: ConnectorAccess;
  consentFlow: ConsentFlow;
  accounts: ConnectedAccounts;
  limiter: RateLimiter;
  /** URLs of pages to which users may be sent back */
  returnTo: readonly string[];
}

/**
 * Operations on connected accounts. `/connectors/{id}/connections`: an application has its user connect an account at a
 * connector, or disconnects it. `/connections`: all accounts of the user, and the connectors where one can be
 * connected.
 */
export const connectionOperations = (deps: ConnectionDependencies): HubOperation[] => [
  connectAccount(deps),
  ...accountOperations(deps),
  listConnections(deps),
];

interface AtConnector {
  readonly params: { readonly connectorId: string };
  readonly caller: Caller;
  readonly req: Request;
}

const connectorOf = async (access: ConnectorAccess, { params, caller, req }: AtConnector) =>
  requireConnector(await access(caller, readAgentId(req, caller)), params.connectorId);

const connectAccount = ({ access, consentFlow, limiter, returnTo }: ConnectionDependencies): HubOperation =>
  operation('connectAccount', 'post', PATH, {
    summary: 'Create a link with which the user connects an account',
    access: 'agents',
    body: optionalJson(ConnectBody),
    responses: { 201: { description: 'The link', schema: Link } },
    problems: [
      ...PROBLEMS,
      ...([
        'validation_failed',
        'delegation_denied',
        'tool_server_unavailable',
        'tool_server_error',
      ] as const),
    ],
    handle: orStoreUnavailable(
      async (call: AtConnector & { readBody: () => z.output<typeof ConnectBody> }) => {
        const { caller, req } = call;
        const { scopes, return_to: page } = call.readBody();
        // Must equal one of the configured pages, or this would be an open redirect.
        if (page !== undefined && !returnTo.includes(page))
          throw validationFailed([
            { pointer: '/return_to', code: 'invalid_enum', detail: 'Must be one of the pages in RETURN_TO.' },
          ]);
        await limitUser(limiter, 'links', caller);
        const request = { scopes, returnTo: page, agentId: readAgentId(req, caller) };
        const { url, expiresAt } = await consentFlow.begin(caller, await connectorOf(access, call), request);
        return created({ authorize_url: url, expires_at: expiresAt.toISOString() });
      },
    ),
  });

const accountOperations = ({ access, accounts }: ConnectionDependencies): HubOperation[] => [
  operation('getConnection', 'get', PATH, {
    summary: 'Get the state of a connection',
    access: 'agents',
    responses: { 200: { description: 'The connection, or that there is none', schema: Connection } },
    problems: PROBLEMS,
    handle: orStoreUnavailable(async (call: AtConnector) =>
      ok(toWire(await accounts.statusOf(call.caller, await connectorOf(access, call)))),
    ),
  }),

  operation('disconnectAccount', 'delete', PATH, {
    summary: 'Disconnect the account of the user',
    access: 'user',
    responses: { 204: { description: 'The account is disconnected' } },
    problems: ['insufficient_permission', ...PROBLEMS],
    handle: orStoreUnavailable(async (call: AtConnector) => {
      await accounts.disconnect(call.caller, await connectorOf(access, call));
      return noContent;
    }),
  }),
];

const listConnections = ({ access, accounts }: ConnectionDependencies): HubOperation =>
  operation('listConnections', 'get', '/connections', {
    summary: 'List the accounts that the user has connected',
    description:
      'Has an entry for every connector that uses connected accounts, including those that the user has not connected.',
    access: 'agents',
    query: PageQuery,
    responses: { 200: { description: 'A page of the list', schema: pageOf(ConnectedAccount) } },
    problems: ['validation_failed', ...CONNECTOR_PROBLEMS, 'token_store_unavailable'],
    handle: orStoreUnavailable(
      async ({ query, caller, req }: { query: z.output<typeof PageQuery>; caller: Caller; req: Request }) => {
        const { connectors } = await access(caller, readAgentId(req, caller));
        const all = [...connectors.values()].filter(accounts.isUsedBy);
        const items = await Promise.all(
          all.slice(query.offset, query.offset + query.limit).map(async (connector) => ({
            connector_id: connector.id,
            name: connector.name,
            resource: connector.resource,
            ...toWire(await accounts.statusOf(caller, connector)),
          })),
        );
        return ok(toPage(items, all.length, query));
      },
    ),
  });

const toWire = (status: ConnectionStatus) => ({
  connected: status.isConnected,
  scopes: status.scopes,
  expires_at: status.expiresAt?.toISOString() ?? null,
});

/** Turns every error but a problem into a 503: only the store throws others here, and there is no result without it. */
const orStoreUnavailable =
  <Call, Answer>(handle: (call: Call) => Promise<Answer>) =>
  (call: Call): Promise<Answer> =>
    handle(call).catch((err: unknown) => {
      throw err instanceof Problem ? err : connectionStoreUnavailable(err);
    });
