import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { createTenantDatabase } from '@legate/postgres';
import { createMakeChange } from '../../changes/change.ts';
import { systemAuthor } from '../../domain/author.ts';
import { APPLICATION_ROLE } from '../../storage/database.ts';
import { auditTrailOf, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { appointOwner } from './appoint-owner.ts';
import { createMemberStore } from './store.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

it.each([
  ['a viewer', false, 'viewer'],
  ['somebody who was removed', true, 'viewer'],
  ['somebody who was never here', false, null],
])('makes %s an owner, and records the reason in the audit trail', async (_case, isRemoved, role) => {
  const org = OrganizationId.parse(`org_${randomUUID()}`);
  const user = UserId.parse('user_dora');
  const dora = await clientOf(api, org, { sub: user, roles: [role ?? 'viewer'] });
  await (await clientOf(api, org, { sub: 'other' }))('get', '/me'); // makes the organization
  if (role) await dora('get', '/me');
  if (isRemoved)
    await api.database.asOwner((owner) =>
      owner.query('UPDATE members SET removed_at = now() WHERE organization_id = $1 AND user_id = $2', [
        org,
        user,
      ]),
    );
  const tenants = createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE });
  await createMakeChange(tenants)(systemAuthor(org), (change) =>
    appointOwner(createMemberStore(tenants), change, user, 'Ticket 42'),
  );
  api.advanceSeconds(2);
  expect((await dora('get', '/me')).body.role).toBe('owner');
  const [member] = (await dora('get', '/members?role=owner')).body.data;
  expect((await auditTrailOf(api, member.id)).at(-1)).toMatchObject({
    action: 'member.appointed',
    actor: { type: 'system' },
    details: { reason: 'Ticket 42' },
  });
});

it('refuses an unknown organization', async () => {
  const tenants = createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE });
  const author = systemAuthor(OrganizationId.parse('org_unknown'));
  await expect(
    createMakeChange(tenants)(author, (change) =>
      appointOwner(createMemberStore(tenants), change, UserId.parse('u'), 'Ticket 42'),
    ),
  ).rejects.toThrow('the organization is gone');
});
