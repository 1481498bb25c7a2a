import { expect, it } from '@jest/globals';
import { checklist, nextStep } from './checklist-steps.ts';

const OVERVIEW = {
  connectors: { total: 1, ready: 1, error: 0, disabled: 0 },
  agents: { total: 1, active: 1, bound: 0 },
  sites: 0,
  members: 1,
  domains: null,
  first_call_at: null,
};

it('shows which steps are done and which one is next', () => {
  expect(checklist(OVERVIEW)).toEqual([
    { name: 'connector', done: true },
    { name: 'agent', done: true },
    { name: 'bound', done: false },
    { name: 'site', done: false },
    { name: 'call', done: false },
  ]);
});

it('omits steps that the reader may not see', () => {
  const names = checklist({ ...OVERVIEW, agents: null, sites: null }).map(({ name }) => name);
  expect(names).toEqual(['connector', 'call']);
});

it.each([
  ['an owner the first open step', OVERVIEW, ['agents:write', 'sites:write'], 'bound'],
  ['a viewer the call, if there is a connector', OVERVIEW, [], 'call'],
  [
    'everybody the connector, if there is none',
    { ...OVERVIEW, connectors: { ...OVERVIEW.connectors, total: 0 } },
    [],
    'connector',
  ],
  [
    'the call, if all else is done',
    { ...OVERVIEW, agents: { total: 1, active: 1, bound: 1 }, sites: 1 },
    ['agents:write', 'sites:write'],
    'call',
  ],
])('offers %s', (_case, overview, scopes, name) => {
  expect(nextStep(checklist(overview), scopes)).toBe(name);
});
