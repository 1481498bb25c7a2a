import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  hasOneOrganization,
  KIND_NAMES,
  organizationFault,
  organizationRuleOf,
  organizationSettings,
} from './index.ts';

const Settings = z.object({
  ORGANIZATION_CLAIM: organizationSettings.ORGANIZATION_CLAIM.optional(),
  ORGANIZATION_RULE: organizationSettings.ORGANIZATION_RULE.optional(),
});

const read = (rule: unknown) =>
  Settings.parse({ ORGANIZATION_RULE: typeof rule === 'string' ? rule : JSON.stringify(rule) })
    .ORGANIZATION_RULE;

describe('ORGANIZATION_RULE', () => {
  it('is a claim, a claim with a map, or one organization', () => {
    expect(read({ claim: 'https://acme.example/org' })).toEqual({ claim: 'https://acme.example/org' });
    expect(read({ fixed: 'org_acme' })).toEqual({ fixed: 'org_acme' });
    expect(read({ claim: 'tid', map: { '8eaf-0': 'org_acme' } })).toEqual({
      claim: 'tid',
      map: new Map([['8eaf-0', 'org_acme']]),
    });
  });

  it.each<[string, unknown, string, string]>([
    ['no JSON', 'org_id', '', 'must be JSON'],
    ['a text', '"org_id"', '', 'either claim or fixed'],
    ['a list', [{ claim: 'org_id' }], '', 'either claim or fixed'],
    ['null', 'null', '', 'either claim or fixed'],
    ['an empty object', {}, '', 'either claim or fixed'],
    ['a claim and an organization', { claim: 'tid', fixed: 'org_acme' }, '', 'either claim or fixed'],
    ['a rule of another kind', { by: 'verified_domain' }, '', 'either claim or fixed'],
    ['another member', { claim: 'tid', maps: {} }, '', 'maps'],
    ['a map beside one organization', { fixed: 'org_acme', map: {} }, '', 'map'],
    ['no name of a claim', { claim: 'a b' }, '.claim', 'must be the name of a claim'],
    ['an empty map', { claim: 'tid', map: {} }, '.map', 'at least one value'],
    ['a map that is a list', { claim: 'tid', map: ['org_acme'] }, '.map', 'must be an object'],
    [
      'a map with an empty value',
      { claim: 'tid', map: { '': 'org_acme' } },
      '.map',
      'must have no empty value',
    ],
    ['no id in the map', { claim: 'tid', map: { a: 'a:secret' } }, '.map', 'must be 1 to 128'],
    ['no organization', { fixed: 'a:secret' }, '.fixed', 'must be 1 to 128'],
  ])('names the member at fault: %s', (_case, rule, member, message) => {
    const { error } = Settings.safeParse({
      ORGANIZATION_RULE: typeof rule === 'string' ? rule : JSON.stringify(rule),
    });
    const [issue] = error?.issues ?? [];
    expect(issue?.path.join('.')).toBe(`ORGANIZATION_RULE${member}`);
    expect(issue?.message).toContain(message);
    expect(error?.message).not.toContain('secret');
  });
});

describe('the rule', () => {
  it('is that of the kind if none is set', () => {
    expect(organizationRuleOf({ IDP_KIND: 'generic' })).toEqual({ claim: 'organization_id' });
    expect(organizationRuleOf({ IDP_KIND: 'entra' })).toEqual({ claim: 'tid' });
  });

  it('is a claim in its short form', () => {
    const set = { IDP_KIND: 'entra', ORGANIZATION_CLAIM: 'org_id' } as const;
    expect(organizationRuleOf(set)).toEqual({ claim: 'org_id' });
  });

  it('is not set twice', () => {
    const both = { ORGANIZATION_CLAIM: 'org_id', ORGANIZATION_RULE: { claim: 'org_id' } };
    expect(organizationFault({ IDP_KIND: 'generic', ...both })).toMatch(
      /^ORGANIZATION_CLAIM, ORGANIZATION_RULE: /,
    );
  });

  it('must be set if the provider names no organization', () => {
    expect(organizationFault({ IDP_KIND: 'okta' })).toMatch(/^ORGANIZATION_RULE: required/);
    expect(() => organizationRuleOf({ IDP_KIND: 'okta' })).toThrow('ORGANIZATION_RULE');
    for (const IDP_KIND of KIND_NAMES)
      expect(organizationFault({ IDP_KIND, ORGANIZATION_CLAIM: 'org_id' })).toBeUndefined();
  });

  it.each([
    [{ fixed: 'org_acme' }, true],
    [{ claim: 'tid', map: { a: 'org_acme', b: 'org_acme' } }, true],
    [{ claim: 'tid', map: { a: 'org_acme', b: 'org_globex' } }, false],
    [{ claim: 'tid' }, false],
  ])('has one organization, or several: %j', (rule, isOne) => {
    expect(
      hasOneOrganization(organizationRuleOf({ IDP_KIND: 'generic', ORGANIZATION_RULE: read(rule) })),
    ).toBe(isOne);
  });
});
