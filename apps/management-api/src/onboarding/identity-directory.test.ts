import { expect, it } from '@jest/globals';
import { createIdentityDirectory } from './identity-directory.ts';

const directoryOf = (organizations: readonly object[]) =>
  createIdentityDirectory({
    fetch: async () => Response.json({ data: organizations }),
    url: 'https://idp.example/admin',
    apiKey: 'key',
  });

it('finds the organization of an attempt, and no other that an admin API lists', async () => {
  const [ours, other] = [
    { id: 'org_ours', external_id: 'attempt' },
    { id: 'org_other', external_id: 'another' },
  ];
  expect(await directoryOf([other, ours]).findOrganization('attempt')).toBe('org_ours');
  // An admin API that does not know the filter lists the organizations of everybody.
  expect(await directoryOf([other, { id: 'org_bare' }]).findOrganization('attempt')).toBeUndefined();
  expect(await directoryOf([]).findOrganization('attempt')).toBeUndefined();
});
