import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createOnboardingScene, type OnboardingScene } from '../../testing/onboarding-scene.ts';

/**
 * A member who was removed here, but whom the identity provider still assigns to the organization: their access token
 * may name no organization, so the membership has not been checked.
 */
let scene: OnboardingScene;
beforeAll(async () => {
  scene = await createOnboardingScene({ returnTo: ['https://app.example/welcome'] });
});
afterAll(() => scene.api.close());

let organizationId: string;
let session: string;
let dave: { sub: string; email: string; name: string };
let client: Client;
let csrfToken: string;
beforeEach(async () => {
  dave = { sub: `user_${randomUUID()}`, email: 'dave@newco.example', name: 'Dave' };
  organizationId = `org_${randomUUID()}`;
  client = await clientOf(scene.api, undefined, dave);
  await scene.api.database.asOwner(async (owner) => {
    await owner.query("INSERT INTO organizations (id, name) VALUES ($1, 'Secret plans')", [organizationId]);
    await owner.query(
      `INSERT INTO members (organization_id, user_id, id, role, issuer)
       VALUES ($1, $2, $3, 'admin', 'https://idp.example')`,
      [organizationId, dave.sub, `mem_${randomUUID()}`],
    );
  });
  session = await signIn();
  const { status, body } = await client('get', `/oauth/session/${session}`);
  expect([status, body.user.organizationName]).toEqual([200, 'Secret plans']);
  csrfToken = body.csrfToken;
  await scene.api.database.asOwner((owner) =>
    owner.query('UPDATE members SET removed_at = now() WHERE organization_id = $1', [organizationId]),
  );
  scene.api.advanceSeconds(31); // the time for which a membership is cached
});

async function signIn(): Promise<string> {
  const begun = await request(scene.api.app).get('/api/oauth/sign-in');
  const cookie = String([begun.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
  const claims = { ...dave, organization_id: organizationId };
  const search = scene.idp.authorize(String(begun.headers.location), claims);
  const answer = await request(scene.api.app).get(`/api/oauth/callback${search}`).set('Cookie', cookie);
  return new URL(String(answer.headers.location)).searchParams.get('session') ?? '';
}

const refusalOf = ({ status, body, text }: Awaited<ReturnType<Client>>) => {
  expect(text).not.toContain('Secret plans');
  return [status, body.code];
};

it('sees no data of the organization in an old session, nor in a new one', async () => {
  for (const id of [session, await signIn()]) {
    const answer = await client('get', `/oauth/session/${id}`);
    expect(refusalOf(answer)).toEqual([403, 'membership_revoked']);
  }
});

it('cannot consent for the organization, and writes nothing into its audit trail', async () => {
  const consent = { session, csrf_token: csrfToken, decision: 'approve' };
  expect(refusalOf(await client('post', '/oauth/consent', consent))).toEqual([403, 'membership_revoked']);
  expect(await auditTrailOf(scene.api, organizationId)).toEqual([]);
});
