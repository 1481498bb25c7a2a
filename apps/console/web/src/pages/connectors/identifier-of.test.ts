import { expect, it } from '@jest/globals';
import type { Check } from '../../api/types.ts';
import { addressesOf } from './identifier-of.ts';

const ADDRESS = 'https://tools.example/mcp';
const found = (resource: unknown, change: Partial<Check> = {}): readonly Check[] => [
  {
    check: 'resource_identifier',
    status: 'ok',
    evidence: { resource, expected: [ADDRESS, 'https://tools.example'] },
    ...change,
  },
];

it('returns the name that the tool server gives itself', () => {
  const resource_url = 'https://tools.example';
  expect(addressesOf(ADDRESS, found(resource_url))).toEqual({ resource_url });
});

it('returns the endpoint if the name does not lead to it', () => {
  const [resource_url, mcp_url] = ['https://tools.example', 'https://tools.example/http?a=1'];
  const evidence = { resource: resource_url, expected: [ADDRESS, resource_url], mcp_url };
  expect(addressesOf(ADDRESS, found(resource_url, { evidence }))).toEqual({ resource_url, mcp_url });
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
  expect(addressesOf(ADDRESS, checks)).toEqual({ resource_url: ADDRESS });
});
