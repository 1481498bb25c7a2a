import { expect, it } from '@jest/globals';
import type { Check } from '../../api/types.ts';
import { identifierOf } from './identifier-of.ts';

const ADDRESS = 'https://tools.example/mcp';
const found = (resource: unknown, change: Partial<Check> = {}): readonly Check[] => [
  {
    check: 'resource_identifier',
    status: 'ok',
    evidence: { resource, expected: [ADDRESS, 'https://tools.example'] },
    ...change,
  },
];

it('takes the name that the tool server gives itself', () => {
  expect(identifierOf(ADDRESS, found('https://tools.example'))).toBe('https://tools.example');
});

it.each([
  ['nothing was looked at', undefined],
  ['the tool server names another one', found('https://other.example')],
  ['the check failed', found('https://tools.example', { status: 'fail' })],
  ['an administrator alone is told', found('', { evidence: {} })],
  [
    'another address was looked at',
    found('https://a.example', {
      evidence: { resource: 'https://a.example', expected: ['https://a.example'] },
    }),
  ],
] as const)('stays with the address when %s', (_case, checks) => {
  expect(identifierOf(ADDRESS, checks)).toBe(ADDRESS);
});
