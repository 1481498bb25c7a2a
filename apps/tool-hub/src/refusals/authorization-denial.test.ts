import { expect, it } from '@jest/globals';
import type { Refusal } from '@legate/delegation';
import { AgentId, ConnectorId, OrganizationId } from '@legate/ids';
import type { Problem } from '@legate/service';
import { WORKLOAD_PROBLEMS } from '@legate/workload';
import type { Connector } from '../domain/connector.ts';
import { type HubProblemCode, PROBLEMS, problem } from '../domain/problem-codes.ts';
import { authorizationDenial } from './authorization-denial.ts';
import {
  agentRefused,
  clientDenied,
  connectorNotFound,
  connectorsUnavailable,
  membershipRevoked,
  organizationSuspended,
} from './connector-problems.ts';
import { delegationProblem, insufficientScope, toolServerUnavailable } from './delegation-problems.ts';
import { concurrencyExceeded, hubBusy, rateLimitExceeded } from './limit-problems.ts';
import { accessRevoked, sessionEnded, signedOut, tokenMissing } from './sign-in-problems.ts';
import { textForModel } from './text-for-model.ts';
import { claimsRefused, tokenRefused } from './token-refusals.ts';
import {
  argumentsRefused,
  toolNotFound,
  toolServerError,
  toolServerProblem,
} from './tool-server-problems.ts';

const CONNECTOR: Connector = {
  id: ConnectorId.parse('con_tools'),
  organizationId: OrganizationId.parse('org_acme'),
  name: 'Tools',
  slug: 'tools',
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [{ method: 'passthrough', acceptedAudiences: [] }],
  scopes: [],
};
const CALL_ID = 'evt_01KYYK41G0MTR9P0W9Z0TW569K';
const AGENT = AgentId.parse('agt_1');
const request = { publicUrl: 'https://hub.example', callId: CALL_ID, agentId: AGENT };

const refused = (refusal: Refusal, facts = {}): Problem =>
  delegationProblem({ ...refusal, facts }, CONNECTOR);
const denied = (by: Extract<Refusal, { outcome: 'denied' }>['by'], scopes: readonly string[] = []) =>
  refused({ outcome: 'denied', by, scopes, reason: 'x' });

const signIn = { type: 'legate/sign_in' };
const administrator = (where: string, about: object = { connector_id: 'con_tools', slug: 'tools' }) => ({
  type: 'legate/administrator',
  where,
  ...about,
});
const ofOrganization = administrator('organization', {
  connector_id: 'con_tools',
  slug: 'tools',
  agent_id: AGENT,
});
const ofAgents = administrator('organization', { agent_id: AGENT });
const doctor = {
  type: 'legate/doctor',
  href: 'https://hub.example/api/v1/connectors/con_tools/doctor',
};

it.each<[string, Problem, string, ...object[]]>([
  [
    'an account that is not connected',
    refused({ outcome: 'expired', reason: 'x', connect: { scopes: [] } }),
    'available',
    { type: 'url', url: 'https://hub.example/connect/con_tools' },
  ],
  ['a sign-in that is too old', refused({ outcome: 'expired', reason: 'x' }), 'available', signIn],
  [
    'a sign-in that is too weak',
    refused({ outcome: 'expired', reason: 'x', maxAge: 300, acrValues: 'urn:mfa' }),
    'available',
    { ...signIn, max_age: 300, acr_values: 'urn:mfa' },
  ],
  [
    'a sign-in that has not met claims',
    refused({ outcome: 'expired', reason: 'x', claims: '{"access_token":{}}' }),
    'available',
    { ...signIn, claims: '{"access_token":{}}' },
  ],
  ['claims of a token that are refused', claimsRefused(['act'], undefined), 'available', signIn],
  ['an ended session', sessionEnded(), 'available', signIn],
  ['a user who has signed out', signedOut(), 'available', signIn],
  ['no token', tokenMissing(), 'available', signIn],
  ['an expired token', tokenRefused('expired'), 'available', signIn],
  ['a token of another kind', tokenRefused('wrong_type'), 'available', signIn],
  ['a token without an organization', tokenRefused('no_organization'), 'available', signIn],
  ['policy of the identity provider', denied('idp'), 'out_of_band', administrator('identity_provider')],
  ['policy of the tool server', denied('tool_server'), 'out_of_band', administrator('tool_server')],
  [
    'a tool server that the identity provider does not know',
    refused({ outcome: 'denied', by: 'idp', why: 'target_unknown', scopes: [], reason: 'x' }),
    'out_of_band',
    administrator('identity_provider'),
  ],
  [
    'scopes that the tool server refuses',
    refused({ outcome: 'denied', by: 'tool_server', why: 'scope_refused', scopes: ['a'], reason: 'x' }),
    'out_of_band',
    administrator('tool_server', { connector_id: 'con_tools', slug: 'tools', scopes: ['a'] }),
  ],
  [
    'scopes that are not granted',
    insufficientScope(CONNECTOR, ['a', 'b']),
    'out_of_band',
    administrator('identity_provider', { connector_id: 'con_tools', slug: 'tools', scopes: ['a', 'b'] }),
  ],
  ['scopes that are not bound', denied('binding'), 'out_of_band', ofOrganization],
  ['scopes that are not listed', denied('connector'), 'out_of_band', ofOrganization],
  ['a fallback without approval', denied('fallback'), 'out_of_band', ofOrganization],
  ['a token that must not be passed on', denied('audience'), 'out_of_band', ofOrganization],
  ['a connector that is not bound', connectorNotFound(true), 'out_of_band', ofAgents],
  [
    'a tool that is not bound',
    toolNotFound('x', CONNECTOR, { leg: 'binding', rule: 'tool_not_bound' }),
    'out_of_band',
    ofAgents,
  ],
  [
    'an agent that is not active',
    agentRefused({ leg: 'registry', rule: 'agent_inactive' }, 'x'),
    'out_of_band',
    ofAgents,
  ],
  ['an application that its user has denied', clientDenied(), 'out_of_band'],
  [
    'a connector that does not work',
    refused({ outcome: 'misconfigured', by: 'idp', reason: 'x' }),
    'out_of_band',
    doctor,
  ],
  [
    'a method that does not exist',
    refused({ outcome: 'unsupported', by: 'idp', reason: 'x' }),
    'out_of_band',
    doctor,
  ],
  ['a tool that the user may not use', toolServerProblem({ kind: 'forbidden' }, CONNECTOR), 'none'],
  ['a suspended organization', organizationSuspended(), 'none'],
  ['a membership that was revoked', membershipRevoked(), 'none'],
  ['access that was revoked', accessRevoked('caller'), 'none'],
])('describes what would help against %s', (_case, refusal, remediation, ...hints) => {
  expect(authorizationDenial(refusal, request)).toEqual({
    reason: 'insufficient_authorization',
    remediation,
    authorizationContextId: CALL_ID,
    ...(hints.length > 0 && { remediationHints: hints }),
  });
});

it.each<[string, Problem]>([
  [
    'an outage of the identity provider',
    refused({ outcome: 'unavailable', by: 'idp', reason: 'x', retryable: true }),
  ],
  ['an outage of the tool server', toolServerUnavailable('x', CONNECTOR)],
  ['an outage of the registry', connectorsUnavailable(undefined)],
  ['the rate', rateLimitExceeded({ resetAfterSeconds: 7 } as never, 'user')],
  ['concurrent calls', concurrencyExceeded('user', 8, 'running calls')],
  ['a lack of memory', hubBusy()],
  ['a failure of the tool server', toolServerError('x', CONNECTOR)],
  ['a tool that does not exist', toolNotFound('x', CONNECTOR)],
  ['a connector that does not exist', connectorNotFound(false)],
  ['bad arguments', argumentsRefused('x')],
])('does not report as a denial: %s', (_case, refusal) => {
  expect(authorizationDenial(refusal, request)).toBeUndefined();
});

it('covers every problem that refuses a user', () => {
  const ofServices: readonly string[] = Object.keys(WORKLOAD_PROBLEMS).filter(
    (code) => !code.startsWith('token_'),
  );
  const aboutTheRequest = ['id_token_required', 'agent_mismatch'];
  for (const code of Object.keys(PROBLEMS).filter((name): name is HubProblemCode => name in PROBLEMS)) {
    const refusal = problem(code, { extensions: { connector_id: 'con_tools' } });
    const isDecided = authorizationDenial(refusal, request) !== undefined;
    const isRefusal = refusal.status === 401 || refusal.status === 403;
    if (isRefusal && ![...ofServices, ...aboutTheRequest].includes(code))
      expect([code, isDecided]).toEqual([code, true]);
  }
});

it.each<[string, Problem, string]>([
  [
    'a denial',
    denied('idp'),
    "The identity provider's policy does not let this user use this tool server in this way. " +
      'An administrator of the identity provider must allow it. Signing in again does not help. Do not try again.',
  ],
  [
    'a missing connection',
    refused({ outcome: 'expired', reason: 'x', connect: { scopes: [] } }),
    'The user has not connected an account at the tool server, or not with these scopes, or the connection has ended. ' +
      'The user must connect an account, by the link that the application gets at connect_at. Do not try again before that.',
  ],
  [
    'a connector that does not work',
    refused({ outcome: 'misconfigured', by: 'tool_server', reason: 'the issuer differs' }),
    "The tool server's metadata do not match the connector: the issuer differs. " +
      "An administrator must check the connector's resource and issuer, or the operator of the tool server must fix its metadata. " +
      'An administrator can examine the connector: legate doctor --connector con_tools. Do not try again.',
  ],
  [
    'an outage',
    toolServerUnavailable('x', CONNECTOR, { retryAfterSeconds: 9 }),
    'The tool server could not be reached, did not respond in time, or failed. Try again later. If the problem persists, an operator must look into it. ' +
      'The tool may have run. Wait 9 s before you try again.',
  ],
  ['bad arguments', argumentsRefused('x'), 'The tool server does not accept these arguments.'],
])('explains to a model for %s what happened, who can help, and whether to retry', (_case, refusal, text) => {
  expect(textForModel(refusal)).toBe(text);
});
