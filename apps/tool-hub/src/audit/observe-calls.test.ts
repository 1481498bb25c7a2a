import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { Registry } from '@legate/service';
import type { Caller } from '../domain/caller.ts';
import type { Decision } from '../domain/decision.ts';
import { type CallKind, CallRecord, type CallSummary } from './call-record.ts';
import { observeCalls, resultOf } from './observe-calls.ts';

const caller: Caller = {
  userId: UserId.parse('usr_1'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'not read',
  subjectTokenId: 'id',
  audiences: ['tool-hub'],
  authentication: { client: 'frontend-app' },
};

it.each<[Decision, string]>([
  [{ leg: 'cache', rule: 'token_cached' }, 'answered'],
  [{ leg: 'tool_server', rule: 'tool_failed' }, 'answered'],
  [{ leg: 'idp', rule: 'policy_denied' }, 'refused'],
  [{ leg: 'registry', rule: 'connector_unusable' }, 'refused'],
  [{ leg: 'idp', rule: 'token_audience_mismatch' }, 'refused'],
  [{ leg: 'hub', rule: 'subject_token_type' }, 'failed'],
  [{ leg: 'authorization_server', rule: 'connection_required' }, 'refused'],
  [{ leg: 'hub', rule: 'memory_exhausted' }, 'refused'],
  [{ leg: 'idp', rule: 'unavailable' }, 'failed'],
  [{ leg: 'idp', rule: 'misconfigured' }, 'failed'],
  [{ leg: 'registry', rule: 'connectors_unavailable' }, 'failed'],
  [{ leg: 'hub', rule: 'internal_error' }, 'failed'],
  [{ leg: 'tool_server', rule: 'unavailable' }, 'tool_server_failed'],
  [{ leg: 'authorization_server', rule: 'misconfigured' }, 'tool_server_failed'],
  [{ leg: 'caller', rule: 'caller_gone' }, 'abandoned'],
])('counts a call that ended with %j as %s', (decided, result) => {
  expect(resultOf(decided)).toBe(result);
});

function ended(kind: CallKind, ms: number, toolServerMs: number): CallSummary {
  const begun = { kind, id: 'evt_1', occurredAtMs: 0, caller };
  const record = new CallRecord(begun, new WeakSet(), () => {});
  record.report({ step: 'request_sent', answer: { kind: 'unauthorized' }, ms: toolServerMs });
  return { ...record.summary, startedAt: 1000, endedAt: 1000 + ms, source: 'cache' };
}

it("excludes the tool server's time from the overhead, and delegations from the calls", async () => {
  const registry = new Registry();
  const observe = observeCalls(registry);
  observe(ended('tool', 2030, 2000));
  observe(ended('delegation', 700, 0));
  const text = await registry.metrics();
  expect(text).toContain('tool_calls_total{result="answered"} 1');
  expect(text).toContain('tool_call_overhead_seconds_sum 0.03');
  expect(text).toContain('tool_call_overhead_seconds_count 1');
});
