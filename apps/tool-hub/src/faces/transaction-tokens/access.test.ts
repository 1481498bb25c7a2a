import { expect, it } from '@jest/globals';
import { reachName } from '../../domain/reach.ts';
import { createTransactionScene } from '../../testing/transaction-scene.ts';

it.each([
  ['their organization', { organizationId: 'org_acme' }],
  ['the user in it', { organizationId: 'org_acme', userId: 'user_alice' }],
  ['the user everywhere', { userId: 'user_alice' }],
])('refuses an access token from before %s was revoked, and not one from after', async (_case, reach) => {
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

it('issues nothing while nobody can say what was revoked', async () => {
  const endsOf = async () => Promise.reject(new Error('connection refused'));
  const scene = await createTransactionScene({ endsOf });
  const answer = await scene.ask({ subject_token: await scene.accessToken() });
  expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
});
