import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { type Reach, reachName } from '../../domain/reach.ts';
import { createTransactionScene } from '../../testing/transaction-scene.ts';

const organizationId = OrganizationId.parse('org_acme');
const userId = UserId.parse('user_alice');

it.each<[string, Reach]>([
  ['their organization', { organizationId }],
  ['the user in it', { organizationId, userId }],
  ['the user everywhere', { userId }],
])('refuses an access token from before %s was revoked, and accepts a later one', async (_case, reach) => {
  const scene = await createTransactionScene({
    endsOf: async (reaches) =>
      reaches.map((each) =>
        reachName(each) === reachName(reach) ? { id: 'an-end', at: scene.now() * 1000 } : undefined,
      ),
  });
  const before = await scene.accessToken({ iat: scene.now() - 1 });
  const refused = await scene.ask({ subject_token: before });
  expect([refused.status, refused.body.error]).toEqual([400, 'access_denied']);
  expect(scene.noted()).toMatchObject([{ action: 'token.denied', details: { rule: 'access_revoked' } }]);
  expect((await scene.ask({ subject_token: await scene.accessToken() })).status).toBe(200);
});

it('accepts an access token from the second of a revocation, because times in tokens have no fractions', async () => {
  const scene = await createTransactionScene({
    endsOf: async (reaches) => reaches.map(() => ({ id: 'an-end', at: scene.now() * 1000 + 999 })),
  });
  const answer = await scene.ask({ subject_token: await scene.accessToken({ iat: scene.now() }) });
  expect(answer.status).toBe(200);
});

it('issues nothing while revocations cannot be read', async () => {
  const endsOf = async () => Promise.reject(new Error('connection refused'));
  const scene = await createTransactionScene({ endsOf });
  const answer = await scene.ask({ subject_token: await scene.accessToken() });
  expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
});
