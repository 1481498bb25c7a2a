import { afterEach, describe, expect, it } from '@jest/globals';
import { findKind, organizationSettings } from '@legate/identity-providers';
import { epochSeconds } from '@legate/jwt';
import type { Backend } from '@legate/secure-store';
import request from 'supertest';
import { callWhoami } from './testing/call-whoami.ts';
import { createScene, type Scene } from './testing/scene.ts';

let scene: Scene;
afterEach(() => scene.stop());

/** Creates a hub with this `ORGANIZATION_RULE`, whose identity provider does not put the organization into ID-JAGs. */
async function arrange(
  rule: object,
  kind: 'generic' | 'entra' = 'generic',
  parts: Pick<NonNullable<Parameters<typeof createScene>[0]>, 'backend'> = {},
) {
  scene = await createScene({
    ...parts,
    app: {
      organizationRule: organizationSettings.ORGANIZATION_RULE.parse(JSON.stringify(rule)),
      idJagOrganization: 'optional',
      kind: findKind(kind),
    },
  });
  scene.idp.misbehaviour.claims = { organization_id: undefined };
}

/** @returns 200, or the status and code of the refusal */
const callAs = async (claims: Record<string, unknown>) =>
  callWhoami(scene.app, await scene.idp.mintIdToken({ sub: 'user_alice', ...claims }));

const organizations = async () => (await scene.audited()).map(({ organization_id }) => organization_id);

const TENANTS = { claim: 'tid', map: { 'tenant-a': 'org_acme', 'tenant-b': 'org_globex' } };

describe('tenants of a map', () => {
  it('are the organizations in which their users act, and no user gets into another one', async () => {
    await arrange(TENANTS);
    expect(await callAs({ tid: 'tenant-a' })).toBe(200);
    expect(await callAs({ tid: 'tenant-b', organization_id: 'org_acme', org_id: 'org_acme' })).toBe(200);
    expect(await organizations()).toEqual(['org_acme', 'org_globex']);
  });

  it('keep the tokens of a user in one of them from the user of the same id in another', async () => {
    await arrange(TENANTS);
    for (const tid of ['tenant-a', 'tenant-b', 'tenant-a']) expect(await callAs({ tid })).toBe(200);
    expect(scene.idp.exchanges).toHaveLength(2);
  });

  it.each<[string, Record<string, unknown>]>([
    ['of another tenant', { tid: 'tenant-c' }],
    ['that names the organization instead of the tenant', { tid: 'org_acme' }],
    ['with the organization in another claim', { organization_id: 'org_acme' }],
    ['with the name of a member that all objects have', { tid: 'constructor' }],
    ['with the name of the prototype', { tid: '__proto__' }],
    ['without a tenant', { tid: null }],
  ])('refuse a token %s', async (_case, claims) => {
    await arrange(TENANTS);
    expect(await callAs(claims)).toBe('401 organization_id_required');
    expect(scene.idp.exchanges).toEqual([]);
  });

  it('end a session if its renewed ID token is of another one', async () => {
    await arrange(TENANTS);
    const { idToken, refreshToken } = await scene.idp.signIn({ sub: 'user_alice', tid: 'tenant-a' });
    const opened = await request(scene.app)
      .post('/api/v1/sessions')
      .set('Authorization', `Bearer ${idToken}`)
      .send({ refresh_token: refreshToken })
      .expect(201);
    expect(await callWhoami(scene.app, opened.body.session)).toBe(200);
    scene.idp.misbehaviour.renewed = { tid: 'tenant-b' };
    scene.clock.advanceSeconds(290);
    expect(await callWhoami(scene.app, opened.body.session)).toBe('401 session_ended');
  });
});

describe('groups of a map', () => {
  const GROUPS = { claim: 'groups', map: { 'g-acme': 'org_acme', 'g-globex': 'org_globex' } };

  it('give the organization of the only group that is in the map', async () => {
    await arrange(GROUPS);
    expect(await callAs({ groups: ['g-everybody', 'g-globex'] })).toBe(200);
    expect(await organizations()).toEqual(['org_globex']);
  });

  it('refuse a user who is in groups of two organizations, and do not ask for another sign-in', async () => {
    await arrange(GROUPS);
    const token = await scene.idp.mintIdToken({ sub: 'user_alice', groups: ['g-acme', 'g-globex'] });
    const answer = await request(scene.app).get('/api/v1/connectors').set('Authorization', `Bearer ${token}`);
    expect([answer.status, answer.body.code]).toEqual([403, 'organization_ambiguous']);
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    expect(answer.text).not.toMatch(/g-acme|org_acme/);
  });

  it.each<[string, Record<string, unknown>]>([
    [
      'that refers to them',
      { _claim_names: { groups: 's' }, _claim_sources: { s: { endpoint: 'https://graph.example' } } },
    ],
    ['that only says that there are some', { hasgroups: true }],
  ])('refuse a token %s, because there were too many', async (_case, claims) => {
    await arrange(GROUPS);
    expect(await callAs(claims)).toBe('401 organization_id_required');
  });
});

it('gives everybody the fixed organization, whatever a token claims', async () => {
  await arrange({ fixed: 'org_acme' });
  expect(await callAs({})).toBe(200);
  expect(await callAs({ organization_id: 'org_globex', tid: 'tenant-b' })).toBe(200);
  expect(await callAs({ organization_id: { not: 'an id' } })).toBe(200);
  expect(await organizations()).toEqual(['org_acme', 'org_acme', 'org_acme']);
});

describe('users whose sub differs for each client', () => {
  const ALICE = { sub: 'pairwise-hub', oid: '7d31-alice', tid: 'tenant-a' };
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

  async function openSession(claims: Record<string, unknown>) {
    const { idToken, refreshToken } = await scene.idp.signIn(claims);
    const opened = await request(scene.app)
      .post('/api/v1/sessions')
      .set('Authorization', `Bearer ${idToken}`)
      .send({ refresh_token: refreshToken })
      .expect(201);
    return String(opened.body.session);
  }

  async function logOut(claims: Record<string, unknown>) {
    const now = epochSeconds(scene.clock());
    const token = await scene.idp.mintIdToken(
      { jti: `logout-${now}`, events: EVENTS, exp: now + 60, ...claims },
      { typ: 'logout+jwt' },
    );
    await request(scene.app)
      .post('/oauth/backchannel-logout')
      .type('form')
      .send({ logout_token: token })
      .expect(200);
  }

  it('are one user in all clients, and nobody else with the same sub', async () => {
    await arrange(TENANTS, 'entra');
    scene.idp.misbehaviour.metadata = { subject_types_supported: ['pairwise'] };
    expect(await callAs(ALICE)).toBe(200);
    expect(await callAs({ ...ALICE, sub: 'pairwise-app' })).toBe(200);
    expect(scene.idp.exchanges).toHaveLength(1);
    expect(await callAs({ ...ALICE, oid: '7d31-bob' })).toBe(200);
    expect(scene.idp.exchanges).toHaveLength(2);
    expect((await scene.audited()).map(({ actor }) => actor.id)).toEqual([
      '7d31-alice',
      '7d31-alice',
      '7d31-bob',
    ]);
  });

  it('get ID-JAGs for their sub, which is compared where subs are public', async () => {
    await arrange(TENANTS, 'entra');
    scene.idp.misbehaviour.metadata = { subject_types_supported: ['public'] };
    expect(await callAs(ALICE)).toBe(200);
    scene.idp.misbehaviour.claims = { organization_id: undefined, sub: '7d31-alice' };
    expect(await callAs({ ...ALICE, oid: '7d31-bob', sub: 'pairwise-bob' })).toBe(
      '502 connector_misconfigured',
    );
  });

  it('are refused without the claim', async () => {
    await arrange(TENANTS, 'entra');
    expect(await callAs({ sub: '7d31-alice', tid: 'tenant-a' })).toBe('401 token_invalid');
  });

  it('keep a session over its renewal, and lose it if the renewed token is of another user', async () => {
    await arrange(TENANTS, 'entra');
    const session = await openSession(ALICE);
    scene.clock.advanceSeconds(290);
    expect(await callWhoami(scene.app, session)).toBe(200);
    scene.idp.misbehaviour.renewed = { oid: '7d31-bob' };
    scene.clock.advanceSeconds(290);
    expect(await callWhoami(scene.app, session)).toBe('401 session_ended');
  });

  it.each([
    ['their sub', { sub: ALICE.sub }],
    ['their id', { sub: 'pairwise-other', oid: ALICE.oid }],
    ['their sign-in', { sid: 's1' }],
  ])('are signed out by a logout token with %s, and nobody else is', async (_case, claims) => {
    await arrange(TENANTS, 'entra');
    const alices = await openSession({ ...ALICE, sid: 's1' });
    const bobs = await openSession({ ...ALICE, sub: 'pairwise-bob', oid: '7d31-bob', sid: 's2' });
    expect([await callWhoami(scene.app, alices), await callWhoami(scene.app, bobs)]).toEqual([200, 200]);
    await logOut(claims);
    expect([await callWhoami(scene.app, alices), await callWhoami(scene.app, bobs)]).toEqual([
      '401 session_ended',
      200,
    ]);
  });

  it('are signed out by their sub before they have done anything', async () => {
    await arrange(TENANTS, 'entra');
    const [before, bobs] = [
      await scene.idp.mintIdToken(ALICE),
      await scene.idp.mintIdToken({ ...ALICE, sub: 'pairwise-bob', oid: '7d31-bob' }),
    ];
    scene.clock.advanceSeconds(1);
    await logOut({ sub: ALICE.sub });
    const opening = await request(scene.app)
      .post('/api/v1/sessions')
      .set('Authorization', `Bearer ${before}`);
    expect([opening.status, opening.body.code]).toEqual([401, 'signed_out']);
    expect(await callWhoami(scene.app, before)).toBe('401 signed_out');
    expect(await callWhoami(scene.app, bobs)).toBe(200);
    expect(await callWhoami(scene.app, await scene.idp.mintIdToken(ALICE))).toBe(200);
  });

  it('are signed out by their sub while their first session is being opened', async () => {
    let isSignedOut = false;
    const backend = (memory: Backend): Backend => ({
      ...memory,
      async add(key, ...entry) {
        if (key.startsWith('session-slot:') && !isSignedOut) {
          isSignedOut = true;
          await logOut({ sub: ALICE.sub });
        }
        return memory.add(key, ...entry);
      },
    });
    await arrange(TENANTS, 'entra', { backend });
    const session = await openSession(ALICE);
    expect([isSignedOut, await callWhoami(scene.app, session)]).toEqual([true, '401 session_ended']);
  });

  it('are signed out by their sub if they have no session', async () => {
    await arrange(TENANTS, 'entra');
    const idToken = await scene.idp.mintIdToken(ALICE);
    expect(await callWhoami(scene.app, idToken)).toBe(200);
    scene.clock.advanceSeconds(1);
    await logOut({ sub: ALICE.sub });
    expect(await callWhoami(scene.app, idToken)).toBe('401 signed_out');
  });

  it('are not signed out by a sub that is somebody else’s id', async () => {
    await arrange(TENANTS, 'entra');
    const session = await openSession(ALICE);
    await logOut({ sub: ALICE.oid });
    expect(await callWhoami(scene.app, session)).toBe(200);
  });
});
