import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Obtained } from '@legate/delegation';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { tokenId } from '@legate/jwt';
import { auditEvent, EVENT_ID } from '@legate/management-contract';
import { SignJWT } from 'jose';
import { decodeTime } from 'ulid';
import type { CallStep } from '../domain/call-step.ts';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import type { Decided } from '../domain/decision.ts';
import { AuditEvent, auditEventOf } from './call-event.ts';
import { CallRecord, createCallIds, newCallId } from './call-record.ts';
import { tokenDeniedEvent, tokenIssuedEvent } from './token-events.ts';
import { userEvent } from './user-event.ts';

const AT_MS = 1_790_000_000_123;
const sha256 = (text: string) => hash('sha256', text, 'base64url');
const jwt = (claims: Record<string, unknown>) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32));

const callerOf = (change: Partial<Caller> = {}): Caller => ({
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'an-id-token',
  subjectTokenId: 'hash-of-it',
  audiences: ['app'],
  authentication: { client: 'frontend-app' },
  origin: {
    endpoint: 'api',
    requestId: 'req_12345678',
    traceId: undefined,
    callerRequestId: 'chain-1234',
    callerTraceId: 'f'.repeat(32),
    agentId: 'agt_1',
    isAgentAuthenticated: false,
  },
  ...change,
});

const CONNECTOR: Connector = {
  id: ConnectorId.parse('con_tools'),
  organizationId: OrganizationId.parse('org_acme'),
  name: 'Tools',
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [{ method: 'passthrough', acceptedAudiences: [] }],
  scopes: [],
};

const credentialObtained = (obtained: Obtained, ms: number): CallStep => ({
  step: 'credential_obtained',
  caller: callerOf(),
  connector: CONNECTOR,
  obtained,
  ms,
});

function recordOf(caller = callerOf(), kind: 'tool' | 'delegation' = 'tool'): CallRecord {
  const begun = { kind, id: newCallId(AT_MS), occurredAtMs: AT_MS, caller };
  const record = new CallRecord(begun, new WeakSet(), () => {});
  record.report({ step: 'target_found', connector: CONNECTOR, name: 'whoami' });
  return record;
}

const eventOf = ({ summary }: CallRecord) =>
  auditEventOf({ ...summary, endedAt: summary.startedAt + 12.3456 });

it('records the denied call that this call repeats, however the call is addressed', () => {
  const record = recordOf();
  const retryOf = newCallId(AT_MS);
  record.report({ step: 'addressed', connectorId: undefined, name: 'whoami', retryOf });
  record.report({ step: 'addressed', connectorId: 'con_tools', name: 'whoami' });
  const event = eventOf(record);
  expect(event.details.retry_of).toBe(retryOf);
  expect(auditEvent(new Date(AT_MS)).safeParse(JSON.parse(JSON.stringify(event))).success).toBe(true);
});

it('records the user, agent, tool server, tool, outcome and duration, and nothing else', async () => {
  const [idToken, accessToken] = [await jwt({ jti: 'id-1' }), await jwt({ jti: 'at-1' })];
  const record = recordOf(callerOf({ subjectToken: idToken, subjectTokenId: tokenId(idToken) }));
  const obtained: Obtained = {
    outcome: 'granted',
    credential: { kind: 'access_token', method: 'id-jag', accessToken, expiresAt: undefined, scopes: [] },
    fromCache: false,
    facts: { idJagId: 'jag', actor: 'provider', idpMs: 3.456, authorizationServerMs: 2 },
  };
  record.report(credentialObtained(obtained, 6));
  record.report({ step: 'request_sent', answer: { kind: 'unauthorized' }, ms: 1 });
  record.report({ step: 'request_sent', answer: { kind: 'result', json: '{}', result: {} }, ms: 3 });
  expect(eventOf(record)).toEqual({
    id: expect.stringMatching(EVENT_ID),
    organization_id: 'org_acme',
    action: 'tool.called',
    occurred_at: new Date(AT_MS).toISOString(),
    actor: { type: 'user', id: 'user_alice' },
    targets: [
      { type: 'agent', id: 'agt_1' },
      { type: 'connector', id: 'con_tools', name: 'Tools' },
      { type: 'tool', id: 'whoami' },
    ],
    request_id: 'req_12345678',
    details: {
      outcome: 'granted',
      leg: 'authorization_server',
      rule: 'token_issued',
      endpoint: 'api',
      method: 'id-jag',
      cache: 'miss',
      authorized_party: 'frontend-app',
      id_token_hash: sha256('id-1'),
      id_jag_hash: 'jag',
      actor: 'provider',
      access_token_hash: sha256('at-1'),
      caller_request_id: 'chain-1234',
      caller_trace_id: 'f'.repeat(32),
      duration_ms: 12.35,
      idp_ms: 3.46,
      authorization_server_ms: 2,
      tool_server_ms: 4,
    },
  });
});

it('has an id that contains the time at which the call began', () => {
  const { id, occurred_at } = eventOf(recordOf());
  expect(decodeTime(id.slice('evt_'.length))).toBe(Date.parse(occurred_at));
});

it.each([
  ['call', createCallIds()],
  ['other event', newCallId],
])('gives every %s its own id', (_what, newId) => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newId(AT_MS)));
  expect(ids.size).toBe(10_000);
  for (const id of ids) expect(id).toMatch(EVENT_ID);
});

it.each([
  ['tool', 'idp', 'policy_denied', 'tool.denied'],
  ['tool', 'idp', 'sign_in_required', 'tool.denied'],
  ['tool', 'idp', 'unavailable', 'tool.failed'],
  ['tool', 'tool_server', 'tool_failed', 'tool.called'],
  ['delegation', 'idp', 'policy_denied', 'delegation.denied'],
  ['delegation', 'idp', 'misconfigured', 'delegation.failed'],
] as const)('calls a %s that ends by %s.%s %s', (kind, leg, rule, action) => {
  const record = recordOf(callerOf(), kind);
  record.report({ step: 'refused', decided: { leg, rule } as Decided });
  expect(eventOf(record).action).toBe(action);
});

it("does not hash a connector's own key", () => {
  const record = recordOf();
  const credential = {
    kind: 'api_key',
    method: 'service',
    key: 'k',
    header: 'x-api-key',
    value: 'k',
  } as const;
  record.report(credentialObtained({ outcome: 'granted', credential, fromCache: false }, 1));
  const { details } = eventOf(record);
  expect([details.access_token_hash, details.rule, details.method]).toEqual([
    undefined,
    'credential_configured',
    'service',
  ]);
});

it('records the rule of the first refusal, unless the caller disconnected', () => {
  const record = recordOf();
  record.report({ step: 'refused', decided: { leg: 'tool_server', rule: 'unavailable' } });
  record.report({ step: 'failed', error: new Error('what follows from it') });
  expect(eventOf(record).details.leg).toBe('tool_server');
  const answer = { kind: 'unavailable', reason: 'its caller went away' } as const;
  record.report({ step: 'answered', answer, callerLeft: true });
  expect(eventOf(record).details.rule).toBe('caller_gone');
});

describe('keeps out of the trail', () => {
  const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyX2FsaWNlIn0.c2lnbmF0dXJl';
  it.each([
    ['a token for the name of a tool', JWT, '[redacted]'],
    ['a header for the name of a tool', 'Bearer abcdefghijkl', '[redacted]'],
    ['control characters', 'a\u0000b\nc', 'a\uFFFDb\uFFFDc'],
    ['half a character', `a\ud800`, 'a\uFFFD'],
    ['half a character at the end of what is cut', `${'x'.repeat(254)}😀`, `${'x'.repeat(254)}\uFFFD`],
    ['what is too long', 'x'.repeat(300), 'x'.repeat(255)],
  ])('%s', (_case, tool, kept) => {
    const record = recordOf();
    record.report({ step: 'target_found', connector: CONNECTOR, name: tool });
    expect(eventOf(record).targets.at(-1)).toEqual({ type: 'tool', id: kept });
  });

  it.each(['moneyjar-list.all', 'EYJABCD.x', 'an eyjafjord.list'])(
    'no part of a name that is not a token: %s',
    (tool) => {
      const record = recordOf();
      record.report({ step: 'target_found', connector: CONNECTOR, name: tool });
      expect(eventOf(record).targets.at(-1)).toEqual({ type: 'tool', id: tool });
    },
  );

  it('tokens, wherever a caller can send one', () => {
    const origin = {
      endpoint: 'mcp' as const,
      requestId: JWT.slice(0, 60),
      traceId: JWT,
      callerRequestId: JWT.slice(0, 60),
      callerTraceId: JWT,
      agentId: JWT,
      isAgentAuthenticated: false,
    };
    const record = recordOf(callerOf({ origin, subjectToken: JWT, subjectTokenId: tokenId(JWT) }));
    record.report({ step: 'addressed', connectorId: JWT, name: JWT });
    record.report({ step: 'refused', decided: { leg: 'caller', rule: 'request_invalid', reason: JWT } });
    expect(JSON.stringify(eventOf(record))).not.toContain('eyJ');
  });
});

describe('management-api accepts', () => {
  const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyX2FsaWNlIn0.c2lnbmF0dXJl';
  const { organizationId, userId } = callerOf();
  const user = { organizationId, userId };
  const request = { ...user, workloadId: JWT, subjectToken: JWT, requestId: JWT };
  const call = recordOf();
  call.report({ step: 'addressed', connectorId: JWT, name: JWT });
  call.report({ step: 'refused', decided: { leg: 'caller', rule: 'request_invalid', reason: JWT } });

  it.each([
    ['a call', eventOf(call)],
    ['what a user does', userEvent('consent.granted', { ...user, connector: { id: JWT, name: JWT } }, AT_MS)],
    [
      'an issued token',
      tokenIssuedEvent({ ...request, audience: JWT, operation: JWT, txn: 'txn_1', jti: 'jti' }, AT_MS),
    ],
    [
      'a denied token',
      tokenDeniedEvent(
        { ...request, audience: JWT, operation: undefined, rule: 'token_bound', reason: JWT },
        AT_MS,
      ),
    ],
  ])('the event of %s, whatever names the callers choose', (_case, event) => {
    const parsed = auditEvent(new Date(AT_MS)).safeParse(JSON.parse(JSON.stringify(event)));
    expect([parsed.error, JSON.stringify(event).includes('eyJ')]).toEqual([undefined, false]);
  });
});

it('reads an event back in the form in which it was written', () => {
  const event = eventOf(recordOf());
  expect(AuditEvent.parse(JSON.parse(JSON.stringify(event)))).toEqual(JSON.parse(JSON.stringify(event)));
});
