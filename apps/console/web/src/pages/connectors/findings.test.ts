import { expect, it } from '@jest/globals';
import type { Check } from '../../api/types.ts';
import { addressesOf, issuerToTrust, methodFound, outcomeIn } from './findings.ts';

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

const ISSUER = 'https://login.example';
const elsewhere = (change: Partial<Check> = {}): Check => ({
  ...{ check: 'authorization_servers', status: 'fail', evidence: { authorization_servers: [ISSUER] } },
  ...change,
});

it.each<[string, Check, boolean, string | undefined]>([
  ['the one at another origin', elsewhere(), false, ISSUER],
  ['the one that an address without a connector warns of', elsewhere({ status: 'warn' }), false, ISSUER],
  [
    'the spelling that it uses itself',
    { check: 'issuer', status: 'fail', evidence: { issuer: ISSUER } },
    true,
    ISSUER,
  ],
  ['none if it is pinned, but listed in another spelling', elsewhere({ status: 'warn' }), true, undefined],
  ['none if nothing is wrong', elsewhere({ status: 'ok' }), false, undefined],
  [
    'none that is no URL',
    elsewhere({ evidence: { authorization_servers: ['javascript:1'] } }),
    false,
    undefined,
  ],
  ['none without evidence', { check: 'authorization_servers', status: 'fail' }, false, undefined],
  ['none for another check', { check: 'jwks', status: 'fail', evidence: { url: ISSUER } }, false, undefined],
])('offers an issuer to trust: %s', (_case, check, isPinned, issuer) => {
  expect(issuerToTrust(check, isPinned)).toBe(issuer);
});

it.each<[string, unknown, string | undefined]>([
  ['the JWT bearer grant', ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'authorization_code'], 'id-jag'],
  ['no list of grants', [], 'id-jag'],
  ['only consent', ['authorization_code', 'refresh_token'], 'oauth-pkce'],
  ['neither', ['client_credentials'], undefined],
  ['no evidence', undefined, undefined],
])('finds the method of a server with %s', (_case, grants, method) => {
  const evidence = grants === undefined ? {} : { grant_types_supported: grants };
  expect(methodFound([{ check: 'grant', status: 'ok', evidence }])).toBe(method);
});

it.each([
  ['fault', 'fail', 'skipped'],
  ['untried', 'ok', 'skipped'],
  ['untried', 'warn', 'skipped'],
  ['works', 'warn', 'ok'],
] as const)('takes an examination for %s that ends with %s and lists tools: %s', (outcome, status, list) => {
  const checks = [
    { check: 'id_jag', status: 'skipped' },
    { check: 'tools_list', status: list },
  ] as const;
  expect(outcomeIn({ status, checks: [...checks] })).toBe(outcome);
});
