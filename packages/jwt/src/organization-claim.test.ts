import { expect, it } from '@jest/globals';
import { organizationFrom, TokenRefused } from './index.ts';

const verify = (claim: string, claims: Record<string, unknown>) =>
  organizationFrom(claim, async () => ({ claims: claims as { organization_id?: string }, acceptedUntil: 1 }))(
    'token',
  );

it.each<[string, Record<string, unknown>, string | undefined]>([
  ['organization_id', { organization_id: 'org_acme', org_id: 'org_evil' }, 'org_acme'],
  ['org_id', { organization_id: 'org_evil', org_id: 'org_acme' }, 'org_acme'],
  ['https://acme.example/org', { 'https://acme.example/org': 'org_acme' }, 'org_acme'],
  ['org_id', { organization_id: 'org_evil' }, undefined],
])('reads the organization only from the configured claim %s', async (claim, claims, organization) => {
  const { claims: taken, acceptedUntil } = await verify(claim, claims);
  expect([taken.organization_id, acceptedUntil]).toEqual([organization, 1]);
});

it.each([['a:b'], [''], [7], [['org_acme']], [{}]])('refuses a token whose claim is %j', async (org_id) => {
  const refused = verify('org_id', { organization_id: 'org_acme', org_id });
  await expect(refused).rejects.toEqual(new TokenRefused('claims', { detail: 'org_id' }));
});
