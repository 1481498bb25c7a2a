import { describe, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { createIdentityDirectory } from './identity-directory.ts';

const directoryOf = (organizations: readonly object[]) =>
  createIdentityDirectory({
    fetch: async () => Response.json({ data: organizations }),
    url: 'https://idp.example/admin',
    apiKey: 'key',
  });

it('finds the organization of an attempt, and no other that an admin API returns', async () => {
  const [ours, other] = [
    { id: 'org_ours', external_id: 'attempt' },
    { id: 'org_other', external_id: 'another' },
  ];
  expect(await directoryOf([other, ours]).findOrganization('attempt')).toBe('org_ours');
  // An admin API that ignores the filter returns all organizations.
  expect(await directoryOf([other, { id: 'org_bare' }]).findOrganization('attempt')).toBeUndefined();
  expect(await directoryOf([]).findOrganization('attempt')).toBeUndefined();
});

it.each([
  ['of another attempt', { id: 'org_other', external_id: 'another' }],
  ['of nobody’s attempt', { id: 'org_other', external_id: null }],
])(
  'does not accept an organization %s as the new one, whose owner would be another user',
  async (_case, answer) => {
    const directory = createIdentityDirectory({
      fetch: async () => Response.json(answer, { status: 201 }),
      url: 'https://idp.example/admin',
      apiKey: 'key',
    });
    await expect(directory.createOrganization('attempt', 'Newco')).rejects.toMatchObject({
      code: 'idp_error',
    });
  },
);

it('accepts the new organization from an admin API that returns only its id', async () => {
  const directory = createIdentityDirectory({
    fetch: async () => Response.json({ id: 'org_new' }, { status: 201 }),
    url: 'https://idp.example/admin',
    apiKey: 'key',
  });
  expect(await directory.createOrganization('attempt', 'Newco')).toBe('org_new');
});

describe('two members of an organization that the identity provider has lost, who sign in at the same moment,', () => {
  const ORGANIZATION = { id: OrganizationId.parse('org_lost'), name: 'Newco', role: 'viewer' };

  /** An admin API without the organization; it creates it only after two requests have found it missing. */
  function createLossyIdp(secondCreation: () => Response) {
    const organizations = new Set<string>();
    const members = new Set<string>();
    let missed = 0;
    let release = () => {};
    const bothMissed = new Promise<void>((resolve) => {
      release = resolve;
    });
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const body = JSON.parse(String(init?.body));
      if (String(input).endsWith('/memberships')) {
        if (!organizations.has(body.organization)) {
          missed += 1;
          if (missed === 2) release();
          return Response.json({}, { status: 404 });
        }
        members.add(body.user);
        return Response.json({});
      }
      await bothMissed;
      if (organizations.has(body.id)) return secondCreation();
      organizations.add(body.id);
      return Response.json({ id: body.id }, { status: 201 });
    };
    const directory = createIdentityDirectory({ fetch, url: 'https://idp.example/admin', apiKey: 'key' });
    const restore = (user: string) => directory.restoreMembership(ORGANIZATION, UserId.parse(user));
    return { members, restore: () => Promise.all([restore('user_a'), restore('user_b')]) };
  }

  it.each([
    ['that it exists', 409],
    ['that the key was used for another name of it', 422],
    ['that it will not create it', 403],
  ])('are both admitted if one of them gets %s', async (_case, status) => {
    const { members, restore } = createLossyIdp(() => Response.json({}, { status }));
    await restore();
    expect([...members].sort()).toEqual(['user_a', 'user_b']);
  });
});

it('admits nobody if the organization is not created, and reports why', async () => {
  const asked: string[] = [];
  const directory = createIdentityDirectory({
    fetch: async (input) => {
      const path = new URL(String(input)).pathname;
      asked.push(path);
      return Response.json({}, { status: path.endsWith('/organizations') ? 403 : 404 });
    },
    url: 'https://idp.example/admin',
    apiKey: 'key',
  });
  const lost = { id: OrganizationId.parse('org_lost'), name: 'Newco', role: 'owner' };
  await expect(directory.restoreMembership(lost, UserId.parse('user_a'))).rejects.toMatchObject({
    code: 'organization_link_refused',
    cause: expect.objectContaining({ message: 'status 403' }),
  });
  expect(asked).toEqual(['/admin/memberships', '/admin/organizations', '/admin/memberships']);
});

it.each([204, 200, 404, 405])(
  'treats a membership as ended when the admin API responds with %i',
  async (status) => {
    const asked: string[] = [];
    const directory = createIdentityDirectory({
      fetch: async (url, init) => {
        asked.push(`${init?.method} ${url}`);
        return new Response(null, { status });
      },
      url: 'https://idp.example/admin',
      apiKey: 'key',
    });
    await directory.removeMembership(OrganizationId.parse('org_a'), UserId.parse('idp|bob'));
    expect(asked).toEqual(['DELETE https://idp.example/admin/memberships?user=idp%7Cbob&organization=org_a']);
  },
);
