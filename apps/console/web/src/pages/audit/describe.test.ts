import { expect, it } from '@jest/globals';
import { AUDIT_ACTIONS } from '@legate/management-contract';
import { t } from '../../text/en.ts';
import { isProven, nameOfActor, nameOfTarget, outcomeOf, partsOf, verbOf } from './describe.ts';

it.each([
  ['tool.called', 'allowed'],
  ['delegation.granted', 'allowed'],
  ['tool.denied', 'refused'],
  ['prompt.failed', 'failed'],
  ['token.denied', 'refused'],
  ['delegation.examined', 'done'],
  ['connector.updated', 'done'],
  ['member.denied', 'done'],
  ['consent.denied', 'done'],
  ['domain.failed', 'done'],
] as const)('says of %s that it was %s', (action, outcome) => {
  expect(outcomeOf({ action })).toBe(outcome);
});

it('finds agent, tool and connector of a call, and returns the other targets separately', () => {
  const [connector, agent, tool] = ['connector', 'agent', 'tool'].map((type) => ({
    type,
    id: type,
    name: null,
  }));
  const site = { type: 'site', id: 'site', name: 'Portal' };
  const targets = [connector, agent, tool, site].filter((one) => one !== undefined);
  expect(partsOf({ action: 'tool.called', targets })).toEqual({ agent, tool, connector, others: [site] });
});

it.each(['delegation.granted', 'session.opened'])('finds the agent of %s, which has no tool', (action) => {
  const agent = { type: 'agent', id: 'agt_1', name: 'Support' };
  expect(partsOf({ action, targets: [agent] })).toMatchObject({ agent, others: [] });
});

it.each([
  ['proved itself', { agent_authenticated: true }, true],
  ['was only named', {}, false],
  ['was named in an event without details', null, false],
])('tells that an agent %s', (_case, details, proven) => {
  expect(isProven({ details })).toBe(proven);
});

it('keeps an agent that was changed as the subject of the event', () => {
  const agent = { type: 'agent', id: 'agt_1', name: 'Support' };
  expect(partsOf({ action: 'agent.updated', targets: [agent] })).toEqual({
    agent: undefined,
    tool: undefined,
    connector: undefined,
    others: [agent],
  });
});

it('describes every action in words, and finds it by a filter', () => {
  const filters = Object.keys(t.audit.groups).flatMap((group) => group.split(','));
  const isFound = (action: string) => filters.includes(`${action.split('.')[0]}.*`);
  expect(AUDIT_ACTIONS.filter((action) => !verbOf({ action, targets: [] }) || !isFound(action))).toEqual([]);
});

it('describes a consent by what it is about: an MCP client, or an account at a connector', () => {
  const targets = [{ type: 'connector', id: 'con_notes', name: 'Notes' }];
  expect(verbOf({ action: 'consent.denied', targets })).toBe('connected no account at');
  expect(verbOf({ action: 'consent.denied', targets: [] })).toBe('denied an MCP client');
});

it('has no verb for an unknown action', () => {
  expect(verbOf({ action: 'future.thing_done', targets: [] })).toBeUndefined();
});

it('names people by name, address or id, in this order, and the service itself as Legate', () => {
  const actor = { type: 'user', id: 'user_bob', name: 'Bob', email: 'bob@acme.example' } as const;
  expect(nameOfActor({ actor })).toBe('Bob');
  expect(nameOfActor({ actor: { ...actor, name: null } })).toBe('bob@acme.example');
  expect(nameOfActor({ actor: { ...actor, name: null, email: null } })).toBe('user_bob');
  expect(nameOfActor({ actor: { type: 'system', id: 'x', name: null, email: null } })).toBe('Legate');
});

it.each([
  [{ type: 'agent', id: 'agt_1', name: 'Support' }, 'Support'],
  [{ type: 'agent', id: 'agt_1', name: null }, 'an unknown or deleted agent'],
  [{ type: 'session', id: 'sess_1', name: null }, 'sess_1'],
])('names %j', (target, name) => {
  expect(nameOfTarget(target)).toBe(name);
});
