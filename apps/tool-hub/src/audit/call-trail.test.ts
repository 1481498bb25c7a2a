import { describe, expect, it, jest } from '@jest/globals';
import type { DelegationFacts } from '@legate/delegation';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { createLogger, runInRequest } from '@legate/service';
import type { CallStep } from '../domain/call-step.ts';
import type { Connector } from '../domain/connector.ts';
import type { Decided } from '../domain/decision.ts';
import { createCallTrail } from './call-trail.ts';
import type { Reservation, WaitingEvent } from './outbox.ts';

const caller = {
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'an-id-token',
  subjectTokenId: 'hash-of-it',
  audiences: ['app'],
  authentication: { client: 'frontend-app' },
};

const CONNECTOR: Connector = {
  id: ConnectorId.parse('con_a'),
  organizationId: caller.organizationId,
  name: 'A',
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [{ method: 'passthrough', acceptedAudiences: [] }],
  scopes: [],
};

const credentialObtained = (options: { fromCache: boolean; facts?: DelegationFacts }): CallStep => ({
  step: 'credential_obtained',
  caller,
  connector: CONNECTOR,
  obtained: {
    outcome: 'granted',
    credential: {
      kind: 'access_token',
      method: 'id-jag',
      accessToken: 'at',
      expiresAt: undefined,
      scopes: [],
    },
    ...options,
  },
  ms: 5,
});

const NOW_MS = 1_790_000_000_000;

function trailOf(options: { logEvents?: boolean; isRequired?: boolean; reservation?: Reservation } = {}) {
  let nowMs = NOW_MS;
  const sent: (readonly WaitingEvent[])[] = [];
  const kept: string[] = [];
  let logged = '';
  const destination = {
    write(line: string) {
      logged += line;
    },
  };
  const trail = createCallTrail({
    outbox: { add: (events) => void sent.push(events), reserve: () => options.reservation },
    explanations: { keep: ({ id }) => void kept.push(id) },
    clock: () => new Date(nowMs),
    log: createLogger({ service: 'tool-hub', level: 'info', destination }),
    logEvents: options.logEvents ?? false,
    isRequired: options.isRequired ?? false,
    onRecorded: () => undefined,
    onEnded: () => undefined,
  });
  const passSeconds = (seconds: number) => {
    nowMs += seconds * 1000;
  };
  /** Makes a call that ends at once with the decision */
  const end = (decided: Decided, wasSent = false) => {
    const call = trail.begin('tool', caller);
    call.report({ step: 'refused', decided });
    const answer = { kind: 'unavailable', reason: 'reset', isUnsent: !wasSent } as const;
    call.report({ step: 'request_sent', answer, ms: 1 });
    call.end();
    trail.flush();
  };
  const details = () => sent.flat().map(({ json }) => JSON.parse(json).details);
  return { trail, sent, kept, logged: () => logged, passSeconds, end, details };
}

it('passes on events in batches, after the responses', async () => {
  const { trail, sent, kept } = trailOf();
  const calls = [trail.begin('tool', caller), trail.begin('tool', caller)];
  for (const call of calls) call.end();
  expect(sent).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent.map((events) => events.length)).toEqual([2]);
  expect(kept).toEqual(calls.map(({ id }) => id));
});

it('records a call once, even if it is ended several times', () => {
  const { trail, sent } = trailOf();
  const call = trail.begin('tool', caller);
  call.end();
  trail.flush();
  call.end();
  trail.flush();
  expect(sent.flat()).toHaveLength(1);
});

it('writes each event of a batch to the log with the request ids of its own call', async () => {
  const { trail, logged } = trailOf({ logEvents: true });
  const trace = { spanId: '1'.repeat(16), isSampled: false };
  const requests = [
    { requestId: 'req_first', traceId: 'a'.repeat(32) },
    { requestId: 'req_second', traceId: 'b'.repeat(32) },
  ];
  for (const { requestId, traceId } of requests) {
    const unknown = { callerRequestId: undefined, callerTraceId: undefined, agentId: undefined };
    const origin = { endpoint: 'api', requestId, traceId, ...unknown, isAgentAuthenticated: false } as const;
    runInRequest({ requestId, trace: { ...trace, traceId }, tracer: undefined }, () =>
      trail.begin('tool', { ...caller, origin }).end(),
    );
  }
  runInRequest({ requestId: 'req_first', trace: undefined, tracer: undefined }, () =>
    trail.begin('tool', caller).end(),
  );
  await new Promise((resolve) => setImmediate(resolve));
  const lines = logged()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ request_id: requestId, trace_id: traceId }) => ({ requestId, traceId }));
  expect(lines).toEqual([...requests, { requestId: undefined, traceId: undefined }]);
});

it.each([true, false])('writes events to the log if configured: %s', (logEvents) => {
  const { trail, logged } = trailOf({ logEvents });
  const call = trail.begin('tool', caller);
  call.end();
  trail.flush();
  expect(logged().includes(call.id)).toBe(logEvents);
  expect(logged()).not.toContain('an-id-token');
});

const FORBIDDEN: Decided = { leg: 'registry', rule: 'connector_unknown' };
const SENT_AND_LOST: Decided = { leg: 'tool_server', rule: 'unavailable' };

it('records ten refusals of one user and rule per minute individually, and the others as one event', () => {
  const { trail, end, details, sent, passSeconds } = trailOf();
  for (let i = 0; i < 50; i += 1) {
    end(FORBIDDEN);
    passSeconds(1);
  }
  expect(details()).toHaveLength(10);
  trail.sumUp(); // before the minute is over
  expect(details()).toHaveLength(10);
  passSeconds(10);
  trail.sumUp();
  expect(details().at(-1)).toMatchObject({
    rule: 'connector_unknown',
    count: 40,
    since: new Date(NOW_MS + 10_000).toISOString(),
  });
  expect(details()).toHaveLength(11);
  end(FORBIDDEN); // after the minute is over
  expect(details().at(-1)).not.toHaveProperty('count');
  expect(new Set(sent.flat().map(({ lane }) => lane))).toEqual(new Set(['refusals']));
});

it('records the combined event of the current minute when flushed', () => {
  const { trail, end, details } = trailOf();
  for (let i = 0; i < 12; i += 1) end(FORBIDDEN);
  trail.sumUp('all');
  expect(details().at(-1)).toMatchObject({ count: 2 });
});

it('combines refusals by rule', () => {
  const { end, details } = trailOf();
  for (let i = 0; i < 20; i += 1) end(FORBIDDEN);
  end({ leg: 'registry', rule: 'agent_unknown' });
  expect(details().at(-1)).toMatchObject({ rule: 'agent_unknown' });
});

it('records each call that was sent to the tool server, whatever its outcome', () => {
  const { end, sent } = trailOf();
  for (let i = 0; i < 50; i += 1) end(SENT_AND_LOST, true);
  expect(sent.flat().map(({ lane }) => lane)).toEqual(Array.from({ length: 50 }, () => 'done'));
});

it('refuses a call if there is no room for its event, if configured', () => {
  const { trail } = trailOf({ isRequired: true });
  expect(() => trail.begin('tool', caller)).toThrow('audit_unavailable');
  expect(() => trail.begin('delegation', caller)).not.toThrow();
});

it('passes the room reserved for a call on with its event, and frees the room of a refusal', () => {
  const release = jest.fn();
  const { trail, end, sent } = trailOf({ isRequired: true, reservation: { release } });
  const call = trail.begin('tool', caller);
  call.report(credentialObtained({ fromCache: true }));
  call.end();
  trail.flush();
  expect([sent.flat()[0]?.reservation !== undefined, release.mock.calls.length]).toEqual([true, 0]);
  end(FORBIDDEN);
  expect(release).toHaveBeenCalledTimes(1);
});

describe('outside a call', () => {
  const actions = (sent: readonly (readonly WaitingEvent[])[]) =>
    sent.flat().map(({ json }) => JSON.parse(json).action);

  it('records a delegation once, however many requests wait for it', () => {
    const { trail, sent } = trailOf();
    const step = credentialObtained({ fromCache: false, facts: { idpMs: 2 } });
    trail.outsideCalls.report(step);
    trail.outsideCalls.report(step);
    trail.flush();
    expect(actions(sent)).toEqual(['delegation.granted']);
  });

  it('records no delegation that belongs to the event of a call', () => {
    const { trail, sent } = trailOf();
    const step = credentialObtained({ fromCache: false, facts: { idpMs: 2 } });
    const call = trail.begin('tool', caller);
    call.report(step);
    call.end();
    trail.outsideCalls.report(step);
    trail.flush();
    expect(actions(sent)).toEqual(['tool.called']);
  });

  it('records no use of a cached token', () => {
    const { trail, sent } = trailOf();
    trail.outsideCalls.report(credentialObtained({ fromCache: true }));
    trail.flush();
    expect(sent).toEqual([]);
  });

  it('records a refused delegation with the rule that refused it', () => {
    const { trail, details } = trailOf();
    const obtained = { outcome: 'denied', by: 'idp', scopes: [], reason: 'access_denied' } as const;
    trail.outsideCalls.report({ step: 'credential_obtained', caller, connector: CONNECTOR, obtained, ms: 5 });
    trail.flush();
    expect(details()).toMatchObject([{ outcome: 'denied', leg: 'idp', rule: 'policy_denied' }]);
  });
});
