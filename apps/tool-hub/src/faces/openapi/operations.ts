import type { z } from 'zod';
import type { HubProblemCode } from '../../refusals/problem-codes.ts';
import { TOOL_CALL_PATH } from '../api/tool-call-route.ts';
import { BODIES, RESPONSES } from './schemas.ts';

/** An operation of `/api/v1`, as the document describes it. */
export interface HubOperation {
  readonly operationId: string;
  readonly method: 'get' | 'post' | 'delete';
  /** Below `/api/v1`, with `{parameters}` */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Needs no token */
  readonly isPublic?: true;
  /** Takes `limit` and `offset` */
  readonly isPaged?: true;
  readonly body?: z.ZodType;
  readonly status: 200 | 201 | 204;
  readonly response?: z.ZodType;
  /** Headers of its success, besides those of all */
  readonly headers?: readonly string[];
  /** Besides those of all authenticated requests */
  readonly problems: readonly HubProblemCode[];
}

/** What may refuse anything that is asked about a connector */
const CONNECTOR: readonly HubProblemCode[] = [
  ...([
    'agent_unknown',
    'agent_inactive',
    'agent_required',
    'agent_unauthenticated',
    'agent_mismatch',
  ] as const),
  ...(['connector_not_found', 'connector_misconfigured', 'connectors_unavailable'] as const),
];
/** What may refuse a request that goes to the tool server */
const TOOL_SERVER: readonly HubProblemCode[] = [
  ...CONNECTOR,
  ...(['sign_in_required', 'connection_required', 'delegation_denied', 'fallback_not_approved'] as const),
  ...(['tool_forbidden', 'access_revoked', 'tool_server_error', 'tool_server_unavailable'] as const),
  ...(['token_store_unavailable', 'hub_busy'] as const),
];
const ACTS_AS = 'Legate-Acts-As';
const withBraces = (path: string): string =>
  path.replace(
    /:(\w+)/g,
    (_, name: string) => `{${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}}`,
  );

const CALLS: readonly HubOperation[] = [
  {
    operationId: 'listConnectors',
    ...{ method: 'get', path: '/connectors', summary: 'List the connectors that the user may use' },
    ...{ isPaged: true, status: 200, response: RESPONSES.connectors },
    problems: ['validation_failed', ...CONNECTOR],
  },
  {
    operationId: 'listTools',
    ...{ method: 'get', path: '/connectors/{connector_id}/tools', summary: 'List the tools of a connector' },
    description: 'As the tool server lists them to this user; of those bound to the agent, where one acts.',
    ...{ status: 200, response: RESPONSES.tools, headers: [ACTS_AS] },
    problems: TOOL_SERVER,
  },
  {
    operationId: 'callTool',
    ...{ method: 'post', path: withBraces(TOOL_CALL_PATH), summary: 'Call a tool as the user' },
    description:
      'The tool may have its effect although the answer is a problem: 503, for one, may come after it.',
    ...{ body: BODIES.call, status: 200, response: RESPONSES.result },
    headers: [ACTS_AS, 'Legate-Token-Cache', 'Legate-Call-Id'],
    problems: [
      ...TOOL_SERVER,
      ...(['validation_failed', 'invalid_arguments', 'tool_not_found', 'audit_unavailable'] as const),
      'agent_capability_missing',
    ],
  },
  {
    operationId: 'explainCall',
    ...{ method: 'get', path: '/calls/{call_id}/explanation', summary: 'Say why a call ended as it did' },
    description: 'For the user who made the call, and for administrators of the organization.',
    ...{ status: 200, response: RESPONSES.explanation },
    problems: ['call_not_found', 'explanations_unavailable'],
  },
  {
    operationId: 'examineConnector',
    ...{
      method: 'post',
      path: '/connectors/{connector_id}/doctor',
      summary: 'Find out what is wrong with a connector',
    },
    ...{ body: BODIES.examine, status: 200, response: RESPONSES.report },
    problems: [...CONNECTOR, 'examination_running', 'insufficient_permission'],
  },
  {
    operationId: 'examineAddress',
    ...{ method: 'post', path: '/doctor', summary: 'Examine a tool server that is no connector yet' },
    description: 'For administrators of the organization.',
    ...{ body: BODIES.address, status: 200, response: RESPONSES.addressReport },
    problems: ['insufficient_permission'],
  },
];

const CONNECTIONS = '/connectors/{connector_id}/connections';
const ACCOUNTS: readonly HubOperation[] = [
  {
    operationId: 'getConnection',
    ...{ method: 'get', path: CONNECTIONS, summary: 'Say whether the user has connected an account' },
    ...{ status: 200, response: RESPONSES.connection },
    problems: [...CONNECTOR, 'connection_not_used', 'token_store_unavailable'],
  },
  {
    operationId: 'connectAccount',
    ...{ method: 'post', path: CONNECTIONS, summary: 'Get a link by which the user connects an account' },
    ...{ body: BODIES.connect, status: 201, response: RESPONSES.link },
    problems: [
      ...CONNECTOR,
      ...([
        'validation_failed',
        'connection_not_used',
        'delegation_denied',
        'tool_server_unavailable',
      ] as const),
      ...(['token_store_unavailable', 'tool_server_error'] as const),
    ],
  },
  {
    operationId: 'disconnectAccount',
    ...{ method: 'delete', path: CONNECTIONS, summary: 'Disconnect the account of the user', status: 204 },
    problems: ['insufficient_permission', ...CONNECTOR, 'connection_not_used', 'token_store_unavailable'],
  },
  {
    operationId: 'listConnections',
    ...{ method: 'get', path: '/connections', summary: 'List the accounts that the user has connected' },
    description: 'One row for each connector at which users connect accounts, whether this one has or not.',
    ...{ isPaged: true, status: 200, response: RESPONSES.connections },
    problems: ['validation_failed', ...CONNECTOR, 'token_store_unavailable'],
  },
];

const SESSIONS: readonly HubOperation[] = [
  {
    operationId: 'openSession',
    ...{ method: 'post', path: '/sessions', summary: 'Open a session that outlives the ID token' },
    ...{ body: BODIES.session, status: 201, response: RESPONSES.session },
    problems: [
      ...CONNECTOR,
      ...([
        'validation_failed',
        'id_token_required',
        'refresh_token_in_use',
        'session_store_unavailable',
      ] as const),
    ],
  },
  {
    operationId: 'listSessions',
    ...{ method: 'get', path: '/sessions', summary: 'List the sessions of the user in this organization' },
    ...{ isPaged: true, status: 200, response: RESPONSES.sessions },
    problems: ['insufficient_permission', 'validation_failed', 'session_store_unavailable'],
  },
  {
    operationId: 'endOneSession',
    ...{
      method: 'delete',
      path: '/sessions/{session_id}',
      summary: 'End a session of the user',
      status: 204,
    },
    problems: ['insufficient_permission', 'session_not_found', 'session_store_unavailable'],
  },
  {
    operationId: 'endSession',
    ...{
      method: 'delete',
      path: '/sessions/current',
      summary: 'End the session of this handle',
      status: 204,
    },
    problems: ['session_not_found', 'session_store_unavailable'],
  },
  {
    operationId: 'signOut',
    ...{ method: 'delete', path: '/tokens', summary: 'Sign the user out of the hub', status: 204 },
    description: 'Ends the sessions of the user in this organization, and refuses ID tokens issued before.',
    problems: ['insufficient_permission', 'token_store_unavailable', 'session_store_unavailable'],
  },
];

const CLIENTS: readonly HubOperation[] = [
  {
    operationId: 'listClients',
    ...{ method: 'get', path: '/clients', summary: 'List the MCP clients that act as the user' },
    ...{ isPaged: true, status: 200, response: RESPONSES.clients },
    problems: ['insufficient_permission', 'validation_failed', 'session_store_unavailable'],
  },
  {
    operationId: 'removeClient',
    ...{ method: 'delete', path: '/clients/{client_id}', summary: 'Remove an MCP client', status: 204 },
    problems: ['insufficient_permission', 'client_not_found', 'session_store_unavailable'],
  },
];

const RULES: HubOperation = {
  operationId: 'listRules',
  ...{ method: 'get', path: '/rules', summary: 'List the rules by which calls end, with what helps' },
  ...{ isPublic: true, status: 200, response: RESPONSES.rules, headers: ['ETag'] },
  problems: [],
};

const DESCRIPTION: HubOperation = {
  operationId: 'getOpenApiDocument',
  ...{ method: 'get', path: '/openapi.json', summary: 'Get this description' },
  ...{ isPublic: true, status: 200, response: RESPONSES.document },
  problems: [],
};

/** @param hasClients false: the hub signs no MCP clients in */
export const operationsOf = ({ hasClients }: { hasClients: boolean }): readonly HubOperation[] => [
  ...CALLS,
  ...ACCOUNTS,
  ...SESSIONS,
  ...(hasClients ? CLIENTS : []),
  RULES,
  DESCRIPTION,
];
