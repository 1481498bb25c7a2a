import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Peer, Refusal } from '@legate/delegation';
import { CallRefused, decidedBy } from '../refusals/call-refused.ts';
import { refusalDecided } from '../refusals/refusal-decided.ts';
import { RpcError } from '../refusals/rpc-error.ts';
import { RULES, remedyOf, rowOf } from './decision.ts';
import { PROBLEMS, problem } from './problem-codes.ts';

const ROWS = Object.entries(RULES).flatMap(([leg, rules]) =>
  Object.keys(rules).map((rule) => ({ leg, rule })),
);

it.each(ROWS)('$leg.$rule has complete sentences for what happened and what helps', (decision) => {
  const { summary, remedy } = rowOf(decision);
  for (const text of [summary, remedy]) expect(text).toMatch(/^[A-Z].{15,}\.$/);
});

it.each(ROWS.filter(({ rule }) => Object.hasOwn(PROBLEMS, rule)))(
  '$leg.$rule has the texts of the problem code with the same name',
  (decision) => {
    const { meaning, remedy } = Object.fromEntries(Object.entries(PROBLEMS))[decision.rule] ?? {};
    expect(rowOf(decision)).toMatchObject({ summary: meaning, remedy });
  },
);

it.each(ROWS)("$leg.$rule has the connector's doctor only if it helps", (decision) => {
  const { outcome, remedy, isExaminable = false } = rowOf(decision);
  const isNamed = isExaminable || outcome === 'misconfigured' || outcome === 'unsupported';
  const doctor = isNamed ? '/api/v1/connectors/con_a/doctor' : undefined;
  expect(remedyOf(decision, 'con_a')).toEqual({ remedy, doctor });
  expect(remedyOf(decision, undefined)).toEqual({ remedy, doctor: undefined });
});

it.each(Object.entries(RULES))('docs/reference/hub/audit.md lists all rules of %s', (leg, rules) => {
  const page = readFileSync(new URL('../../../../docs/reference/hub/audit.md', import.meta.url), 'utf8');
  const [, listed = ''] = new RegExp(`^\\| \`${leg}\` \\| (.+) \\|$`, 'm').exec(page) ?? [];
  expect(listed.replaceAll('`', '').split(', ').sort()).toEqual(Object.keys(rules).sort());
});

it.each([
  [{ leg: 'idp', rule: 'no_such_rule' }],
  [{ leg: 'no_such_leg', rule: 'policy_denied' }],
  [{ leg: 'constructor', rule: 'name' }],
  [{ leg: 'idp', rule: 'constructor' }],
])('rejects %j', (decision) => {
  expect(() => rowOf(decision)).toThrow('unknown rule');
});

describe('every refusal of a delegation has a rule with its own outcome', () => {
  const PEERS = ['idp', 'tool_server'] as const satisfies readonly Peer[];
  const reason = 'identity provider: access_denied';
  const refusals: Refusal[] = [
    ...PEERS.flatMap((by): Refusal[] => [
      { outcome: 'denied', by, scopes: [], reason },
      { outcome: 'unsupported', by, reason },
      { outcome: 'unavailable', by, reason, retryable: true },
      { outcome: 'misconfigured', by, reason },
    ]),
    ...PEERS.flatMap((by): Refusal[] => [
      { outcome: 'denied', by, why: 'target_unknown', scopes: [], reason },
      { outcome: 'denied', by, why: 'scope_refused', scopes: [], reason },
    ]),
    { outcome: 'misconfigured', by: 'idp', why: 'token_audience', reason },
    { outcome: 'misconfigured', by: 'idp', why: 'subject_token_type', reason },
    { outcome: 'denied', by: 'binding', scopes: [], reason },
    { outcome: 'denied', by: 'audience', scopes: [], reason },
    { outcome: 'expired', reason },
    { outcome: 'expired', reason, maxAge: 60 },
    { outcome: 'expired', reason, connect: { scopes: [] } },
  ];

  it.each(refusals)('$outcome $by', (refusal) => {
    for (const facts of [undefined, {}, { idJagId: 'x' }]) {
      const decided = refusalDecided(refusal, facts);
      expect(rowOf(decided).outcome).toBe(refusal.outcome);
      expect(decided.reason).toBe(reason);
    }
  });

  it.each(['target_unknown', 'scope_refused'] as const)('distinguishes %s from a policy', (why) => {
    const decided = PEERS.map((by) => refusalDecided({ outcome: 'denied', by, why, scopes: [], reason }, {}));
    expect(decided).toMatchObject([
      { leg: 'idp', rule: why },
      { leg: 'authorization_server', rule: why },
    ]);
  });

  it('distinguishes the token endpoint from its discovery', () => {
    const refusal: Refusal = { outcome: 'misconfigured', by: 'tool_server', reason };
    expect(refusalDecided(refusal, {})).toMatchObject({ leg: 'tool_server', rule: 'discovery_unusable' });
    expect(refusalDecided(refusal, { idJagId: 'x' })).toMatchObject({
      leg: 'authorization_server',
      rule: 'misconfigured',
    });
  });

  it('distinguishes a stronger sign-in from any sign-in', () => {
    expect(refusalDecided({ outcome: 'expired', reason, acrValues: 'mfa' }, undefined).rule).toBe(
      'stronger_sign_in_required',
    );
    expect(refusalDecided({ outcome: 'expired', reason }, undefined).rule).toBe('sign_in_required');
    const connect = { scopes: [] };
    expect(refusalDecided({ outcome: 'expired', reason, connect }, undefined).rule).toBe(
      'connection_required',
    );
  });
});

describe('an error is attributed to', () => {
  const refused = new CallRefused({ leg: 'idp', rule: 'policy_denied' }, 'delegation_denied');
  it.each([
    ['the refusal that it is', refused, 'idp.policy_denied'],
    ['the refusal that caused it', new RpcError(403, 'x', { cause: refused }), 'idp.policy_denied'],
    ["the caller's fault, by its status", problem('validation_failed'), 'caller.request_invalid'],
    ["the caller's fault, as an agent sees it", new RpcError(-32602, 'x'), 'caller.request_invalid'],
    ['ours, by its status', problem('internal_error'), 'hub.internal_error'],
    ['ours, as an agent sees it', new RpcError(-32603, 'x', { status: 500 }), 'hub.internal_error'],
    ['ours, where nobody foresaw it', new TypeError('x'), 'hub.internal_error'],
    ['ours, when it is no error at all', 'x', 'hub.internal_error'],
  ])('%s', (_case, err, expected) => {
    const { leg, rule } = decidedBy(err);
    expect(`${leg}.${rule}`).toBe(expected);
  });
});
