import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isAtLeast, ROLES, roleHas, type Scope } from '../../domain/rights.ts';
import { type Client, clientOf } from '../../testing/client.ts';
import type { ApiDocument } from '../../testing/contract.ts';
import {
  call,
  createOneOfEach,
  type DescribedCall,
  type Ids,
  operationsOf,
} from '../../testing/every-operation.ts';
import { createOnboardingScene } from '../../testing/onboarding-scene.ts';
import type { TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let operations: DescribedCall[];
beforeAll(async () => {
  ({ api } = await createOnboardingScene());
  const { body } = await (await clientOf(api, undefined))('get', '/openapi.json');
  operations = operationsOf(body as ApiDocument).filter((operation) => scopeOf(operation) !== undefined);
});
afterAll(() => api.close());

/** Returns the scope that an operation needs by its description; undefined if it needs no scope. */
function scopeOf({ security }: DescribedCall): Scope | undefined {
  const [first] = security as { bearer?: Scope[] }[];
  return first?.bearer?.[0];
}

/** Operations called last, since the caller may do nothing after them. */
const LAST = ['suspendOrganization', 'deleteOrganization', 'leaveOrganization'];
const place = ({ operationId }: DescribedCall) => LAST.indexOf(operationId);

/** Creates one resource of each kind in a separate organization, and a member with this role. */
async function scene(name: string, role: string): Promise<{ member: Client; ids: Ids }> {
  const owner = await clientOf(api, name, { sub: 'user_olga', roles: ['owner'] });
  const ids = await createOneOfEach(api, name, owner);
  const member = await clientOf(api, name, { sub: 'user_one', roles: [role] });
  expect((await member('get', '/me')).body.role).toBe(role);
  return { member, ids };
}

describe.each(ROLES)('the role %s', (role) => {
  it('may call the operations whose declared scope it has, and no other', async () => {
    const { member, ids } = await scene(`org_${role}`, role);
    const wrong: string[] = [];
    expect(operations.length).toBeGreaterThan(50);
    for (const operation of [...operations].sort((a, b) => place(a) - place(b))) {
      const answer = await call(member, operation, ids);
      const isRefused = answer.body.code === 'insufficient_permission';
      const scope = scopeOf(operation) as Scope;
      const isAllowed =
        roleHas(role, scope) && isAtLeast(role, operation['x-legate-minimum-role'] ?? 'viewer');
      if (isRefused === isAllowed) wrong.push(`${operation.operationId}: ${answer.status}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe.each([
  ['deactivated', 'membership_deactivated'],
  ['denied', 'membership_revoked'],
  [null, 'membership_revoked'],
] as const)('an owner whose kept_out is %s', (keptOut, code) => {
  it('may call no operation at all', async () => {
    const name = `org_kept_${keptOut}`;
    const { member, ids } = await scene(name, 'owner');
    await api.database.asOwner((owner) =>
      owner.query(
        "UPDATE members SET removed_at = now(), kept_out = $2 WHERE organization_id = $1 AND user_id = 'user_one'",
        [name, keptOut],
      ),
    );
    api.advanceSeconds(2);
    const admitted: string[] = [];
    for (const operation of operations) {
      const answer = await call(member, operation, ids);
      if (answer.body.code !== code) admitted.push(`${operation.operationId}: ${answer.status}`);
    }
    expect(admitted).toEqual([]);
  });
});
