import { expect, it } from '@jest/globals';
import { wayOutOf } from './way-out.ts';

const TARGETS = [
  { type: 'agent', id: 'agt_1', name: 'Support' },
  { type: 'connector', id: 'con_1', name: 'Notes' },
];
const of = (leg: string, rule: string, targets = TARGETS) => ({
  ...{ details: { leg, rule }, targets },
  actor: { type: 'user' as const, id: 'user_bob', email: null, name: null },
});

it.each([
  ['the binding of the agent', 'binding', 'tool_not_bound', { to: 'binding', id: 'agt_1' }],
  ['the agent', 'registry', 'agent_inactive', { to: 'agent', id: 'agt_1' }],
  ['the accounts of the reader', 'authorization_server', 'connection_required', { to: 'account' }],
  ['the connector', 'idp', 'target_unknown', { to: 'connector', id: 'con_1' }],
  ['no page', 'caller', 'signed_out', undefined],
])('leads to %s for %s.%s', (_page, leg, rule, expected) => {
  expect(wayOutOf(of(leg, rule), 'denied', 'user_bob')).toEqual(expected);
});

it('does not lead to the accounts of somebody else', () => {
  expect(
    wayOutOf(of('authorization_server', 'connection_required'), 'expired', 'user_alice'),
  ).toBeUndefined();
});

it('does not lead to a connector that does not exist', () => {
  const targets = [{ type: 'connector', id: 'con_gone', name: null }];
  expect(
    wayOutOf(of('registry', 'connector_unknown', targets as never), 'denied', 'user_bob'),
  ).toBeUndefined();
});

it.each(['granted', 'tool_error'])('leads nowhere from a call with the outcome %s', (outcome) => {
  expect(wayOutOf(of('tool_server', 'tool_failed'), outcome, 'user_bob')).toBeUndefined();
});
