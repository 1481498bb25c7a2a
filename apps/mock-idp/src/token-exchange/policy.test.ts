import { expect, it } from '@jest/globals';
import { UserId } from '@legate/ids';
import type { Policy } from '../directory/model.ts';
import { decide, type PolicyQuestion } from './policy.ts';

const QUESTION: PolicyQuestion = {
  userId: UserId.parse('user_alice'),
  groups: [],
  organizationId: undefined,
  clientId: 'tool-hub',
  agentId: undefined,
  resources: ['https://tools.example'],
  scopes: ['read', 'write'],
};
const deny = (id: string, scopes?: string[]): Policy =>
  ({ id, effect: 'deny', match: { ...(scopes && { scopes }) } }) as Policy;
const narrow = (id: string, scopes: string[]): Policy =>
  ({ id, effect: 'narrow', match: {}, scopes }) as Policy;

it.each<[string, Policy[], ReturnType<typeof decide>]>([
  ['grants what was asked without a rule', [], { kind: 'granted', scopes: ['read', 'write'] }],
  ['takes away denied scopes', [deny('a', ['write'])], { kind: 'granted', scopes: ['read'] }],
  ['denies by a rule without scopes', [deny('a')], { kind: 'denied', policyId: 'a' }],
  [
    'names the rule that takes the last scope away',
    [deny('a', ['write']), deny('b', ['read'])],
    { kind: 'denied', policyId: 'b' },
  ],
  ['denies before it narrows', [narrow('a', ['read']), deny('b')], { kind: 'denied', policyId: 'b' }],
  [
    'leaves what every narrowing rule allows',
    [narrow('a', ['read', 'write']), narrow('b', ['write'])],
    { kind: 'granted', scopes: ['write'] },
  ],
  [
    'says that narrowing leaves nothing, which is no denial',
    [narrow('a', ['admin'])],
    { kind: 'nothing_left' },
  ],
])('%s', (_case, policies, answer) => {
  expect(decide(policies, QUESTION)).toEqual(answer);
});
