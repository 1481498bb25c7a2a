import { expect, it } from '@jest/globals';
import { checklist } from './checklist-steps.ts';

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
