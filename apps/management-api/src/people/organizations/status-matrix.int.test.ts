import { afterAll, beforeAll, expect } from '@jest/globals';
import { needs } from '@legate/testing';
import { ROLES } from '../../domain/rights.ts';
import { clientOf } from '../../testing/client.ts';
import type { ApiDocument } from '../../testing/contract.ts';
import { call, createOneOfEach, type DescribedCall, operationsOf } from '../../testing/every-operation.ts';
import { createOnboardingScene } from '../../testing/onboarding-scene.ts';
import type { TestApi } from '../../testing/test-api.ts';

const { describe, it } = needs('time');

let api: TestApi;
let operations: DescribedCall[];
beforeAll(async () => {
  ({ api } = await createOnboardingScene());
  const { body } = await (await clientOf(api, undefined))('get', '/openapi.json');
  operations = operationsOf(body as ApiDocument).filter(
    ({ path, security }) => security.length > 0 && !path.startsWith('/oauth/'), // those depend on each other
  );
});
afterAll(() => api.close());

const COLUMNS = {
  active: "status = 'active', purge_at = NULL",
  suspended: "status = 'suspended', purge_at = NULL, suspended_by = 'owner', suspended_at = now()",
  deleted: `status = 'suspended', purge_at = '2099-01-01', deleted_at = now(), suspended_by = NULL, suspended_at = NULL`,
} as const;

/** The operation to call last, since the caller may do nothing after it */
const LAST = 'leaveOrganization';
const isLast = ({ operationId }: DescribedCall) => Number(operationId === LAST);

it('keeps open exactly these operations, besides those that take rights away', () => {
  const openTo = (role: string) =>
    operations
      .filter((operation) => operation['x-legate-while-suspended'] === role && !takesRightsAway(operation))
      .map(({ operationId }) => operationId)
      .sort();
  expect(openTo('admin')).toEqual(['getMe', 'getOrganization']);
  expect(openTo('owner')).toEqual([
    'exportAuditEvents',
    'getAuditEvent',
    'getMember',
    'getRateLimit',
    'getRevocation',
    'listAuditEvents',
    'listCalls',
    'listMembers',
    'listUsage',
    'reactivateOrganization',
    'restoreOrganization',
  ]);
  const others = operations.filter(
    (operation) => takesRightsAway(operation) && operation['x-legate-while-suspended'] !== 'owner',
  );
  expect(others).toEqual([]);
});

describe.each(['active', 'suspended', 'deleted'] as const)('in an organization that is %s', (status) => {
  it.each(ROLES)(
    'lets the role %s call the declared operations, and no other',
    async (role) => {
      const name = `org_${status}_${role}`;
      const olga = await clientOf(api, name, { sub: 'user_olga', roles: ['owner'] });
      const ids = await createOneOfEach(api, name, olga);
      const member = await clientOf(api, name, { sub: 'user_one', roles: [role] });
      expect((await member('get', '/me')).body.role).toBe(role);

      const wrong: string[] = [];
      for (const operation of [...operations].sort((a, b) => isLast(a) - isLast(b))) {
        await api.database.asOwner((owner) =>
          owner.query(`UPDATE organizations SET ${COLUMNS[status]} WHERE id = $1`, [name]),
        );
        api.advanceSeconds(2); // the status is cached for one second
        const { 'x-legate-while-suspended': openTo } = operation;
        const isOpen = status === 'active' || openTo === role || (openTo !== undefined && role === 'owner');
        const answer = await call(member, operation, ids);
        const isRefused = answer.status === 403 && answer.body.code === `organization_${status}`;
        if (isRefused === isOpen && !(isOpen && isRefusedInPart(operation, status))) {
          wrong.push(`${operation.operationId}: ${answer.status} ${answer.body.code}`);
        }
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});

const takesRightsAway = (operation: DescribedCall): boolean =>
  operation['x-legate-takes-rights-away'] !== undefined;

/**
 * True for open operations that are refused here: they are open for some bodies only, or refuse a deleted
 * organization.
 */
const isRefusedInPart = (operation: DescribedCall, status: string): boolean =>
  operation['x-legate-takes-rights-away'] === 'depending-on-the-body' ||
  (operation.operationId === 'reactivateOrganization' && status === 'deleted');
