import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { type AdminCall, createFakeIdp, type Failure } from '../../testing/fake-idp.ts';
import { Browser, createOnboardingScene, type OnboardingScene } from '../../testing/onboarding-scene.ts';
import { ConsentGiven } from './onboarding.ts';

const returnTo = ['https://app.example/welcome'] as const;
const clients = { 'https://app.example/welcome': 'frontend-app' };
/** A scene with RELINK_MEMBERS */
let linking: OnboardingScene;
/** A scene with the default settings */
let byDefault: OnboardingScene;
/** The scene of the current test */
let scene: OnboardingScene;
beforeAll(async () => {
  linking = await createOnboardingScene({ returnTo, clients, relinkMembers: true });
  byDefault = await createOnboardingScene({ returnTo, clients, beside: linking.api });
});
afterAll(() => linking.api.close());

interface User {
  readonly sub: string;
  readonly email: string;
  readonly name: string;
}
let dave: User;
let client: Client;
beforeEach(() => startIn(linking));

async function startIn(chosen: OnboardingScene): Promise<void> {
  scene = chosen;
  scene.newIdp();
  dave = userNamed('dave');
  client = await clientOf(scene.api, undefined, { ...dave });
}

const userNamed = (name: string): User => ({
  sub: `user_${name}_${randomUUID()}`,
  email: `${name}@newco.example`,
  name,
});

/** The response of the callback */
async function comeBack(claims: object) {
  const begun = await request(scene.api.app).get('/api/oauth/sign-in');
  const cookie = String([begun.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
  const search = scene.idp.authorize(String(begun.headers.location), { email_verified: true, ...claims });
  return request(scene.api.app).get(`/api/oauth/callback${search}`).set('Cookie', cookie);
}

async function signIn(claims: object, as = client) {
  const answer = await comeBack(claims);
  const session = new URL(String(answer.headers.location)).searchParams.get('session') ?? '';
  const { body: context } = await as('get', `/oauth/session/${session}`);
  return { session, context };
}

/** Creates an organization as the user, which the identity provider knows. @returns its id */
async function founded(user = dave, name = 'Newco'): Promise<string> {
  const as = await clientOf(scene.api, undefined, { ...user });
  const { session, context } = await signIn(user, as);
  const request = { session, csrf_token: context.csrfToken, name };
  expect((await as('post', '/oauth/create-org', request)).status).toBe(200);
  const id = scene.idp.organizations.get(session)?.id ?? '';
  scene.idp.calls.length = 0;
  return id;
}

const forgetAll = () => scene.newIdp();
const forgetMemberships = () => scene.idp.memberships.clear();
const knownMembers = () => [...scene.idp.memberships].map((body) => JSON.parse(body));
const knownOrganizations = () => [...scene.idp.organizations.values()];
const sql = (text: string, ...values: unknown[]) =>
  scene.api.database.asOwner((owner) => owner.query(text, values));
const actionsOf = async (organizationId: string) =>
  (await auditTrailOf(scene.api, organizationId)).map(({ action }) => action);

describe('a member whom the identity provider assigns to no organization', () => {
  it.each([
    ['the membership', forgetMemberships],
    ['the organization too', forgetAll],
  ])(
    'gets a token for their organization, and no form for another, when the identity provider has lost %s',
    async (_case, lose) => {
      const id = await founded();
      lose();
      const { session, context } = await signIn(dave);
      expect(context).toMatchObject({ needsOrgCreation: false, user: { organizationName: 'Newco' } });
      expect(knownMembers()).toEqual([{ user: dave.sub, organization: id, role: 'owner' }]);
      expect(knownOrganizations()).toMatchObject([{ id, name: 'Newco' }]);

      const consent = { session, csrf_token: context.csrfToken, decision: 'approve' };
      const given = ConsentGiven.parse((await client('post', '/oauth/consent', consent)).body);
      expect(given).toMatchObject({ organization_id: id, token_refresh_required: true });
      const refreshed = await clientOf(scene.api, id, { ...dave });
      expect((await refreshed('get', '/me')).body).toMatchObject({
        organization: { id, name: 'Newco' },
        role: 'owner',
      });
    },
  );

  it('is not linked again if only a token made them a member: the provider may have ended that', async () => {
    const erin = { ...dave, sub: `user_${randomUUID()}` };
    const member = await clientOf(scene.api, 'org_of_tokens', erin);
    expect((await member('get', '/me')).status).toBe(200);
    const as = await clientOf(scene.api, undefined, erin);
    const { context } = await signIn(erin, as);
    expect([context.needsOrgCreation, knownMembers()]).toEqual([true, []]);
  });

  it("appears in the organization's audit trail, with the author of the link", async () => {
    const id = await founded();
    forgetAll();
    await signIn(dave);
    expect((await auditTrailOf(scene.api, id)).slice(1)).toMatchObject([
      {
        action: 'member.link_requested',
        actor: { type: 'user', id: dave.sub, email: dave.email },
        targets: [
          { type: 'member', id: expect.stringMatching(/^mem_/), name: dave.email },
          { type: 'organization', id, name: 'Newco' },
        ],
        context: { request_id: expect.any(String), ip: expect.any(String) },
      },
    ]);
  });

  it('sees the consent in our pages, and no form for an organization', async () => {
    const id = await founded();
    forgetAll();
    const browser = new Browser(scene.api.app);
    const consent = await browser.signIn(scene.idp, dave);
    expect(consent.text).toContain('Allow access');
    expect(consent.text).toContain('<bdi>Newco</bdi>');
    const done = await browser.submit(consent, { decision: 'approve' });
    expect(done.text).toContain('must sign you in again');
    expect(knownMembers()).toEqual([{ user: dave.sub, organization: id, role: 'owner' }]);
  });

  it('gets the same role there as here', async () => {
    const id = await founded();
    await sql("UPDATE members SET role = 'viewer' WHERE organization_id = $1", id);
    forgetAll();
    await signIn(dave);
    expect(knownMembers()).toEqual([{ user: dave.sub, organization: id, role: 'viewer' }]);
  });

  it('is linked to the organization under its current name', async () => {
    const id = await founded();
    const owner = await clientOf(scene.api, id, { ...dave });
    await owner('patch', '/organization', { name: 'Newer Co' });
    forgetAll();
    await signIn(dave);
    expect(knownOrganizations()).toMatchObject([{ id, name: 'Newer Co' }]);
  });

  it('of several organizations is linked to the one joined first', async () => {
    const first = await founded();
    await sql(
      "UPDATE members SET created_at = created_at - interval '1 day' WHERE organization_id = $1",
      first,
    );
    const another = await founded(userNamed('erin'), 'Another');
    await sql('UPDATE members SET user_id = $2 WHERE organization_id = $1', another, dave.sub);
    forgetAll();
    await signIn(dave);
    expect(knownMembers()).toMatchObject([{ organization: first }]);

    await sql("UPDATE organizations SET status = 'suspended' WHERE id = $1", first);
    forgetAll();
    await signIn(dave);
    expect(knownMembers()).toMatchObject([{ organization: another }]);
  });

  it('is linked once by many concurrent sign-ins', async () => {
    const id = await founded();
    forgetMemberships();
    const shown = await Promise.all(Array.from({ length: 5 }, () => signIn(dave)));
    expect(shown.map(({ context }) => context.needsOrgCreation)).toEqual(Array(5).fill(false));
    expect(knownMembers()).toEqual([{ user: dave.sub, organization: id, role: 'owner' }]);
    expect(knownOrganizations()).toHaveLength(1);
  });

  it.each<[AdminCall, Failure, number, string]>([
    ['create', 'before', 503, 'idp_unavailable'],
    ['create', 'after', 503, 'idp_unavailable'],
    ['create', 500, 503, 'idp_unavailable'],
    ['create', 401, 502, 'idp_error'],
    ['create', 409, 409, 'organization_link_refused'],
    ['add-member', 'before', 503, 'idp_unavailable'],
    ['add-member', 'after', 503, 'idp_unavailable'],
    ['add-member', 503, 503, 'idp_unavailable'],
    ['add-member', 401, 502, 'idp_error'],
    ['add-member', 403, 409, 'organization_link_refused'],
    ['add-member', 410, 409, 'organization_link_refused'],
  ])('is let in by the next sign-in when %s has failed (%s)', async (call, how, status, code) => {
    const id = await founded();
    if (call === 'create') forgetAll();
    else forgetMemberships();
    scene.idp.failNext(call, how);
    const failed = await comeBack(dave);
    expect([failed.status, failed.body.code]).toEqual([status, code]);

    expect((await signIn(dave)).context.needsOrgCreation).toBe(false);
    expect(knownMembers()).toEqual([{ user: dave.sub, organization: id, role: 'owner' }]);
    expect(knownOrganizations()).toMatchObject([{ id }]);
  });

  it('is recorded before the identity provider is called, so that no crash hides the link', async () => {
    const id = await founded();
    forgetMemberships();
    const held = scene.idp.hold('add-member');
    const running = comeBack(dave);
    const started = running.catch(() => undefined);
    await held.arrived;
    expect(await actionsOf(id)).toEqual(['organization.created', 'member.link_requested']);
    held.release();
    await started;
  });

  it('is refused if the identity provider creates the organization with another id', async () => {
    const id = await founded();
    const { fetch } = createFakeIdp(scene.api.keys);
    forgetAll();
    const real = scene.idp.fetch;
    scene.idp.fetch = (input, init) => {
      const isCreation = String(input).endsWith('/admin/organizations') && init?.method === 'POST';
      if (!isCreation) return real(input, init);
      const { id: _ignored, ...rest } = JSON.parse(String(init.body));
      return fetch(input, { ...init, body: JSON.stringify(rest) });
    };
    const refused = await comeBack(dave);
    expect([refused.status, refused.body.code]).toEqual([409, 'organization_link_refused']);
    expect(knownMembers()).toEqual([]);
    expect(await actionsOf(id)).toEqual(['organization.created', 'member.link_requested']);
  });

  it('sees an error page if the identity provider refuses', async () => {
    await founded();
    forgetMemberships();
    scene.idp.failNext('add-member', 409);
    const page = await new Browser(scene.api.app).signIn(scene.idp, dave);
    expect(page.status).toBe(409);
    expect(page.text).toContain('Your identity provider does not let you in');
  });

  it('sees that the organization is suspended, and is not linked', async () => {
    const id = await founded();
    await sql("UPDATE organizations SET status = 'suspended' WHERE id = $1", id);
    forgetMemberships();
    const refused = await comeBack(dave);
    expect([refused.status, refused.body.code]).toEqual([403, 'organization_suspended']);
    expect(scene.idp.calls).toEqual([]);
    expect(await actionsOf(id)).toEqual(['organization.created']);
  });
});

describe('does not link', () => {
  /** Signs in, and belongs to no organization. */
  async function expectNothing(user: User, id: string): Promise<void> {
    scene.idp.calls.length = 0;
    const { context } = await signIn(user, await clientOf(scene.api, undefined, { ...user }));
    expect(context).toMatchObject({ needsOrgCreation: true, user: { organizationName: '' } });
    expect([scene.idp.calls, knownMembers()]).toEqual([[], []]);
    expect(await actionsOf(id)).not.toContain('member.link_requested');
  }

  it('another user with the same e-mail address and name', async () => {
    const id = await founded();
    forgetMemberships();
    await expectNothing({ ...dave, sub: `user_${randomUUID()}` }, id);
  });

  it('a user of another issuer with the same sub and e-mail address', async () => {
    const id = await founded();
    await sql("UPDATE members SET issuer = 'https://other-idp.example' WHERE organization_id = $1", id);
    forgetMemberships();
    await expectNothing(dave, id);
  });

  it('a member whose issuer is not known', async () => {
    const id = await founded();
    await sql('UPDATE members SET issuer = NULL WHERE organization_id = $1', id);
    forgetMemberships();
    await expectNothing(dave, id);
  });

  it('a member who was removed here', async () => {
    const id = await founded();
    await sql('UPDATE members SET removed_at = now() WHERE organization_id = $1', id);
    forgetMemberships();
    await expectNothing(dave, id);
  });

  it('the owner of an organization that was deleted', async () => {
    const id = await founded();
    const owner = await clientOf(scene.api, id, { ...dave });
    expect((await owner('delete', '/organization?confirm=Newco')).status).toBe(202);
    forgetMemberships();
    await expectNothing(dave, id);
  });

  it('a member whom the identity provider assigns to another organization, or to this one', async () => {
    const id = await founded();
    for (const organization_id of ['org_of_another', id]) {
      const member = await clientOf(scene.api, organization_id, { ...dave });
      const { context } = await signIn({ ...dave, organization_id }, member);
      expect(context.user.organizationName).toBe(organization_id === id ? 'Newco' : 'org_of_another');
    }
    expect(scene.idp.calls).toEqual([]);
    expect(await actionsOf(id)).not.toContain('member.link_requested');
  });
});

describe('an older session that asks for an organization', () => {
  it('creates no second organization, however late, and the next sign-in leads to the first one', async () => {
    const stale = await signIn(dave);
    const id = await founded();
    forgetAll();
    await sql(
      "UPDATE onboarding_sessions SET created_at = created_at - interval '3 hours' WHERE id <> $1",
      stale.session,
    );
    const { session, context } = stale;
    const again = { session, csrf_token: context.csrfToken, name: 'Second' };
    const refused = await client('post', '/oauth/create-org', again);
    expect([refused.status, refused.body.code]).toEqual([409, 'organization_exists']);
    expect(knownOrganizations()).toEqual([]);

    expect((await signIn(dave)).context.needsOrgCreation).toBe(false);
    expect(knownMembers()).toMatchObject([{ organization: id }]);
  });

  it('creates no replacement for its own organization, which the identity provider has lost', async () => {
    const half = await signIn(dave);
    const held = scene.idp.hold('add-member');
    const create = { session: half.session, csrf_token: half.context.csrfToken, name: 'Newco' };
    const running = client('post', '/oauth/create-org', create);
    const started = running.catch(() => undefined);
    await held.arrived;
    held.release();
    await started;
    // The state after a crash before completion was saved
    await sql(
      "UPDATE onboarding_sessions SET step = 'creating', organization_id = NULL, lease_until = NULL WHERE id = $1",
      half.session,
    );
    forgetAll();
    const refused = await client('post', '/oauth/create-org', create);
    expect([refused.status, refused.body.code]).toEqual([409, 'organization_exists']);
    expect(knownOrganizations()).toEqual([]);
    expect((await signIn(dave)).context.needsOrgCreation).toBe(false);
  });

  it('lets the owner of a deleted organization create another one', async () => {
    const id = await founded();
    const owner = await clientOf(scene.api, id, { ...dave });
    await owner('delete', '/organization?confirm=Newco');
    forgetAll();
    expect(await founded(dave, 'New start')).not.toBe(id);
  });
});

describe('without RELINK_MEMBERS a member whom the identity provider assigns to no organization', () => {
  beforeEach(() => startIn(byDefault));

  /** Asserts that nothing has changed, at the identity provider or here. */
  async function expectNothingDone(id: string): Promise<void> {
    expect([scene.idp.calls, knownMembers()]).toEqual([[], []]);
    expect(await actionsOf(id)).toEqual(['organization.created']);
  }

  it.each([
    ['the membership', forgetMemberships],
    ['the organization too', forgetAll],
  ])('is not linked again by any sign-in, after losing %s', async (_case, takeAway) => {
    const id = await founded();
    takeAway();
    for (let signIns = 0; signIns < 2; signIns += 1) {
      const refused = await comeBack(dave);
      expect([refused.status, refused.body.code]).toEqual([409, 'organization_exists']);
      expect(refused.body.detail).toContain('An administrator of the identity provider must name');
      expect(refused.headers.location).toBeUndefined();
    }
    await expectNothingDone(id);
  });

  it('sees a page that names who can help', async () => {
    const id = await founded();
    forgetMemberships();
    const browser = new Browser(scene.api.app);
    const page = await browser.signIn(scene.idp, dave);
    expect(page.status).toBe(409);
    expect(page.text).toContain('You already have an organization');
    expect(page.text).toContain('ask an administrator of the identity provider to assign you again');
    expect((await browser.get('/onboarding')).text).not.toContain('<form method="post"');
    await expectNothingDone(id);
  });

  it('sees that the organization is suspended', async () => {
    const id = await founded();
    await sql("UPDATE organizations SET status = 'suspended' WHERE id = $1", id);
    forgetMemberships();
    const refused = await comeBack(dave);
    expect([refused.status, refused.body.code]).toEqual([403, 'organization_suspended']);
    await expectNothingDone(id);
  });

  it('is let in once the identity provider names the organization again', async () => {
    const id = await founded();
    forgetMemberships();
    expect((await comeBack(dave)).status).toBe(409);
    const member = await clientOf(scene.api, id, { ...dave });
    const { context } = await signIn({ ...dave, organization_id: id }, member);
    expect(context).toMatchObject({ needsOrgCreation: false, user: { organizationName: 'Newco' } });
    await expectNothingDone(id);
  });

  it('may create another organization after the removal here', async () => {
    const id = await founded();
    await sql('UPDATE members SET removed_at = now() WHERE organization_id = $1', id);
    forgetMemberships();
    expect((await signIn(dave)).context.needsOrgCreation).toBe(true);
  });
});
