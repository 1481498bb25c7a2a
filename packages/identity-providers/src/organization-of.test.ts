import { expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { TokenRefused } from '@legate/jwt';
import { type OrganizationRule, organizationOf, organizationSettings, unmappedClaim } from './index.ts';

const ruleOf = (rule: object): OrganizationRule =>
  organizationSettings.ORGANIZATION_RULE.parse(JSON.stringify(rule));

const organizationIn = (rule: object, claims: Record<string, unknown>) =>
  // Tokens are JSON, in which `__proto__` is a name like any other.
  organizationOf(ruleOf(rule), JSON.parse(JSON.stringify(claims)));

const refusalOf = (rule: object, claims: Record<string, unknown>): unknown => {
  try {
    return organizationIn(rule, claims);
  } catch (err) {
    return err instanceof TokenRefused ? err.message : err;
  }
};

const BY_CLAIM = { claim: 'org' };
const BY_MAP = { claim: 'org', map: { tenant_a: 'org_acme', tenant_b: 'org_globex', old_a: 'org_acme' } };

it.each<[string, object, unknown, string]>([
  ['a text', BY_CLAIM, 'org_acme', 'org_acme'],
  ['the only text of a list', BY_CLAIM, ['org_acme'], 'org_acme'],
  ['a text that a list has twice', BY_CLAIM, ['org_acme', 'org_acme'], 'org_acme'],
  ['the only text of a list that has empty members', BY_CLAIM, [null, 'org_acme', ''], 'org_acme'],
  ['the name of the only organization', BY_CLAIM, { org_acme: {} }, 'org_acme'],
  ['the name of an organization with attributes', BY_CLAIM, { org_acme: { id: '42' } }, 'org_acme'],
  ['a text in the map', BY_MAP, 'tenant_b', 'org_globex'],
  ['the only value in the map', BY_MAP, ['everybody', 'tenant_a', 'staff:all'], 'org_acme'],
  ['two values in the map that mean one organization', BY_MAP, ['tenant_a', 'old_a'], 'org_acme'],
  ['the only name in the map', BY_MAP, { tenant_a: {}, other: {} }, 'org_acme'],
])('is %s', (_case, rule, org, organization) => {
  expect(organizationIn(rule, { org })).toBe(organization);
});

it('is the fixed one, whatever the token says', () => {
  const claims = { organization_id: 'org_globex', org: 'org_globex' };
  expect(organizationIn({ fixed: 'org_acme' }, claims)).toBe('org_acme');
  expect(organizationIn({ fixed: 'org_acme' }, {})).toBe('org_acme');
});

it.each<[string, object, Record<string, unknown>]>([
  ['there is no claim', BY_CLAIM, { organization_id: 'org_acme' }],
  ['the claim is null', BY_CLAIM, { org: null }],
  ['the claim is empty', BY_CLAIM, { org: '' }],
  ['the list is empty', BY_CLAIM, { org: [] }],
  ['the list has only empty members', BY_CLAIM, { org: ['', null] }],
  ['the object is empty', BY_CLAIM, { org: {} }],
  ['the value is not in the map', BY_MAP, { org: 'tenant_c' }],
  ['the value is an organization of the map', BY_MAP, { org: 'org_acme' }],
  ['another claim has a value of the map', BY_MAP, { organization_id: 'org_acme', tenant: 'tenant_a' }],
  [
    'the groups were left out for their number',
    { claim: 'groups', map: { 'b7-1': 'org_acme' } },
    { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } },
  ],
  [
    'the groups were left out of a short token',
    { claim: 'groups', map: { g: 'org_acme' } },
    { hasgroups: true },
  ],
  ['the map has no such own member', BY_MAP, { org: ['constructor', 'toString', 'hasOwnProperty'] }],
  ['every object has a member of the name of the claim', { claim: 'constructor' }, {}],
  ['every object has a prototype', { claim: '__proto__' }, {}],
])('is none if %s', (_case, rule, claims) => {
  expect(organizationIn(rule, claims)).toBeUndefined();
});

it.each<[string, object, Record<string, unknown>, string | undefined]>([
  ['a value that the map lacks', BY_MAP, { org: 'tenant_c' }, 'org'],
  ['a list of values that the map lacks', BY_MAP, { org: ['tenant_c', 'constructor'] }, 'org'],
  ['no such claim', BY_MAP, { organization_id: 'tenant_a' }, undefined],
  ['an empty claim', BY_MAP, { org: [''] }, undefined],
  ['a value of the map', BY_MAP, { org: ['tenant_c', 'tenant_a'] }, undefined],
  ['a claim that needs no map', BY_CLAIM, { org: 'tenant_c' }, undefined],
  ['a fixed organization', { fixed: 'org_acme' }, { org: 'tenant_c' }, undefined],
])('names the claim that the map does not cover, for a token with %s', (_case, rule, claims, claim) => {
  expect(unmappedClaim(ruleOf(rule), claims)).toBe(claim);
});

it('does not take a value for the prototype of a map', () => {
  const claims = JSON.parse('{"org":{"__proto__":{}}}');
  expect(organizationOf(ruleOf(BY_MAP), claims)).toBeUndefined();
  const rule = organizationSettings.ORGANIZATION_RULE.parse('{"claim":"org","map":{"__proto__":"org_acme"}}');
  expect(organizationOf(rule, claims)).toBe('org_acme');
  expect(organizationOf(rule, { org: 'constructor' })).toBeUndefined();
});

it.each<[string, object, unknown]>([
  ['two texts', BY_CLAIM, ['org_acme', 'org_globex']],
  ['two names', BY_CLAIM, { org_acme: {}, org_globex: {} }],
  ['two values in the map', BY_MAP, ['tenant_a', 'tenant_b']],
])('is refused as ambiguous if there are %s', (_case, rule, org) => {
  expect(refusalOf(rule, { org })).toBe('organization_ambiguous: org');
});

it.each<[string, object, unknown]>([
  ['contains the separator of cache keys', BY_CLAIM, 'a:b'],
  ['is a number', BY_CLAIM, 7],
  ['is a number, with a map', BY_MAP, 7],
  ['is a list in a list', BY_CLAIM, [['org_acme']]],
  ['is an object in a list', BY_CLAIM, [{ id: 'org_acme' }]],
  ['is an object whose members describe the organization', BY_CLAIM, { id: 'org_acme' }],
  ['is true', BY_CLAIM, true],
  ['is longer than an id', BY_CLAIM, 'o'.repeat(129)],
])('is refused if the claim %s', (_case, rule, org) => {
  expect(refusalOf(rule, { org, organization_id: 'org_acme' })).toBe('claims: org');
});

it('is an id', () => {
  expect(OrganizationId.parse(organizationIn(BY_CLAIM, { org: 'org_acme' }))).toBe('org_acme');
});
