import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { newSecretToken } from '../../../domain/secret-token.ts';
import { auditTrailOf, type Client, clientOf } from '../../../testing/client.ts';
import { Browser, createOnboardingScene, type OnboardingScene } from '../../../testing/onboarding-scene.ts';

const APP = 'https://app.example/welcome';
/** An application whose user is asked for consent afterwards */
const application = { returnTo: [APP], clients: { [APP]: 'frontend-app' } } as const;

let byDefault: OnboardingScene;
let trusting: OnboardingScene;
let several: OnboardingScene;
let limited: OnboardingScene;
/** The scene of the current test */
let scene: OnboardingScene;
beforeAll(async () => {
  byDefault = await createOnboardingScene({
    ...application,
    app: { memberRules: { defaultRole: 'viewer' } },
  });
  const beside = byDefault.api;
  trusting = await createOnboardingScene({ ...application, trustIdpEmail: true, beside });
  several = await createOnboardingScene({ ...application, multipleOrganizations: true, beside });
  limited = await createOnboardingScene({ ...application, limited: true, beside });
});
afterAll(() => byDefault.api.close());

interface User {
  readonly sub: string;
  readonly email: string;
  readonly name: string;
}
let org: string;
let olga: User;
let bob: User;
let browser: Browser;
beforeEach(() => startIn(byDefault));

async function startIn(chosen: OnboardingScene): Promise<void> {
  scene = chosen;
  scene.newIdp();
  org = `org_${randomUUID()}`;
  olga = userNamed('olga');
  bob = userNamed('bob');
  browser = new Browser(scene.api.app);
  knowsOrganization(org, 'Acme');
  const owner = await as(olga, { roles: ['owner'] });
  await owner('patch', '/organization', { name: 'Acme' });
}

const userNamed = (name: string): User => ({
  sub: `user_${name}_${randomUUID()}`,
  email: `${name}_${randomUUID().slice(0, 8)}@acme.example`,
  name: name.toUpperCase(),
});
const knowsOrganization = (id: string, name: string) =>
  scene.idp.organizations.set(id, { id, name, external_id: id });

async function as(user: User, claims: object = {}, organization = org): Promise<Client> {
  const client: Client = async (...call) =>
    (await clientOf(scene.api, organization, { ...user, ...claims }))(...call);
  await client('get', '/me');
  return client;
}

/** Bob's invitation */
async function invite(body: object = {}): Promise<{ id: string; link: string }> {
  const owner = await as(olga);
  const made = await owner('post', '/invitations', { email: bob.email, role: 'admin', ...body });
  expect(made.status).toBe(201);
  return { id: made.body.id, link: made.body.accept_url };
}

const sql = (text: string, ...values: unknown[]) =>
  scene.api.database.asOwner(async (database) => (await database.query(text, values)).rows);
const stateOf = async (id: string) =>
  (await sql('SELECT state FROM invitations WHERE id = $1', id))[0]?.state;
const memberIn = async (organization: string, { sub }: User) =>
  (await sql('SELECT * FROM members WHERE organization_id = $1 AND user_id = $2', organization, sub))[0];
const actionsOf = async (id: string) => (await auditTrailOf(scene.api, id)).map(({ action }) => action);
const codeOf = ({ text }: Response) => /Error code: <code>(\w+)<\/code>/.exec(text)?.[1];
const titleOf = ({ text }: Response) => /<title>(.*) · Legate<\/title>/.exec(text)?.[1];

/** Opens the link, and follows it to the page. */
async function open(link: string, as = browser): Promise<Response> {
  const opened = await as.get(link);
  expect([opened.status, opened.headers.location]).toEqual([303, '/onboarding']);
  return as.get('/onboarding');
}

/** Opens the link and signs in. @returns the page with the question, or a refusal */
async function signedIn(link: string, user: object = bob, as = browser): Promise<Response> {
  await open(link, as);
  return as.signIn(scene.idp, user);
}

describe('the pages of an invitation', () => {
  it('lead from the link through a sign-in to a membership and a consent', async () => {
    const { id, link } = await invite();
    const before = await open(link);
    expect([before.status, titleOf(before)]).toEqual([200, 'Join Acme']);
    for (const text of ['OLGA', 'admin', `b…@acme.example`, 'Only the account with this address'])
      expect(before.text).toContain(text);
    expect(before.text).not.toContain(bob.email);
    expect(before.text).not.toContain('<form');

    const question = await browser.signIn(scene.idp, bob);
    expect([question.status, titleOf(question)]).toEqual([200, 'Join Acme']);
    const consent = await browser.submit(question, {});
    expect([consent.status, titleOf(consent)]).toEqual([200, 'Allow access']);
    expect(consent.text).toContain('You are a member of Acme now.');
    expect(await memberIn(org, bob)).toMatchObject({
      role: 'admin',
      source: 'invitation',
      invited_by: olga.sub,
      email: bob.email,
      email_verified: true,
    });
    expect([...scene.idp.memberships].map((made) => JSON.parse(made))).toEqual([
      { user: bob.sub, organization: org, role: 'admin' },
    ]);
    expect(await stateOf(id)).toBe('accepted');
    expect(await actionsOf(id)).toEqual(['invitation.created', 'invitation.accepted']);
    const member = await memberIn(org, bob);
    expect(await auditTrailOf(scene.api, member.id)).toMatchObject([
      {
        action: 'member.joined',
        actor: { id: bob.sub },
        details: { source: 'invitation', invitation_id: id },
      },
      { action: 'invitation.accepted' },
    ]);

    const done = await browser.submit(consent, { decision: 'approve' });
    expect(done.text).toContain('must sign you in again');
    const client = await as(bob);
    expect((await client('get', '/me')).body).toMatchObject({ organization: { id: org }, role: 'admin' });
    expect((await client('get', '/members')).body.data).toContainEqual(
      expect.objectContaining({ user_id: bob.sub, source: 'invitation', invited_by: olga.sub }),
    );
  });

  it('have the token in a single URL, which is stored nowhere', async () => {
    const { link } = await invite();
    const opened = await browser.get(link);
    expect(opened.headers).toMatchObject({
      location: '/onboarding',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'set-cookie': [
        expect.stringMatching(/^__Host-invitation=[\w-]+; Max-Age=1800; .*HttpOnly; Secure; SameSite=Lax$/),
      ],
    });
    const token = new URL(link).searchParams.get('token') ?? '';
    const cookie = Buffer.from(browser.cookies.get('__Host-invitation') ?? '', 'base64url').toString(
      'latin1',
    );
    expect(cookie).not.toContain(token);
    for (const page of [await browser.get('/onboarding'), await browser.signIn(scene.idp, bob)])
      expect(page.text + JSON.stringify(page.headers)).not.toContain(token);
  });

  it('change nothing when a mail scanner follows the link', async () => {
    const { id, link } = await invite();
    const before = await sql('SELECT to_jsonb(i) AS row FROM invitations i WHERE id = $1', id);
    for (let i = 0; i < 3; i++) await open(link, new Browser(scene.api.app));
    expect(await sql('SELECT to_jsonb(i) AS row FROM invitations i WHERE id = $1', id)).toEqual(before);
    expect(titleOf(await signedIn(link))).toBe('Join Acme');
  });

  it('show the verified domains of the organization', async () => {
    await sql(
      `INSERT INTO domains (id, organization_id, domain, state, verification_token, verified_at, check_at)
       VALUES ($1, $1, $2, 'verified', repeat('x', 40), now(), now())`,
      org,
      `${org.slice(4)}.example`,
    );
    const { link } = await invite();
    expect((await open(link)).text).toContain(`<bdi>${org.slice(4)}.example</bdi>`);
  });

  it('end with a refusal if the person declines, and the inviter sees it', async () => {
    const { id, link } = await invite();
    const question = await signedIn(link);
    const next = await browser.pressed(question, '/onboarding/invitation/decline');
    expect(next.text).toContain('You have declined the invitation to Acme.');
    expect(titleOf(next)).toBe('Create your organization');
    expect(await stateOf(id)).toBe('declined');
    expect(await memberIn(org, bob)).toBeUndefined();
    expect(await actionsOf(id)).toEqual(['invitation.created', 'invitation.declined']);
    const owner = await as(olga);
    expect((await owner('get', `/invitations/${id}`)).body.state).toBe('declined');
    expect(codeOf(await open(link))).toBe('invitation_closed');
  });

  it('accept an address in another spelling', async () => {
    const { link } = await invite({ email: bob.email.toUpperCase() });
    expect(titleOf(await signedIn(link, { ...bob, email: bob.email.replace('bob', 'Bob') }))).toBe(
      'Join Acme',
    );
  });

  it('continue a session that began before the link was opened', async () => {
    await browser.signIn(scene.idp, bob);
    const { link } = await invite();
    const question = await open(link);
    expect(question.text).toContain('>Accept</button>');
    await browser.submit(question, {});
    expect(await memberIn(org, bob)).toMatchObject({ role: 'admin' });
  });

  it('require a new sign-in after a completed session', async () => {
    const form = await browser.signIn(scene.idp, { ...bob, organization_id: org });
    await browser.submit(form, { decision: 'approve' });
    const { link } = await invite({ email: userNamed('eve').email });
    expect((await open(link)).text).toContain('Sign in to answer');
  });
});

describe('reloading, going back and clicking twice', () => {
  it('shows the current step, whatever page was shown before', async () => {
    const { link } = await invite();
    const question = await signedIn(link);
    expect((await browser.get('/onboarding')).text).toBe(question.text);
    const consent = await browser.submit(question, {});
    expect((await browser.get('/onboarding')).text).toBe(consent.text);
    // The earlier form, sent again
    expect(titleOf(await browser.submit(question, {}))).toBe('Allow access');
    expect(
      (await sql("SELECT FROM audit_events WHERE organization_id = $1 AND action = 'member.joined'", org))
        .length,
    ).toBe(2);
  });

  it('accepts the invitation once for two clicks at the same time', async () => {
    const { id, link } = await invite();
    const question = await signedIn(link);
    const held = scene.idp.hold('add-member');
    const first = browser.send(question, {});
    await Promise.race([held.arrived, first]);
    const second = await browser.send(question, {});
    expect(second.status).toBe(303);
    const waiting = await browser.get('/onboarding');
    expect(titleOf(waiting)).toBe('You are joining Acme');
    expect(waiting.text).toContain('<meta http-equiv="refresh" content="2">');
    held.release();
    expect((await first).status).toBe(303);
    expect(await actionsOf(id)).toEqual(['invitation.created', 'invitation.accepted']);
  });

  it('continues by itself when the response to the first click is lost', async () => {
    const { link } = await invite();
    const question = await signedIn(link);
    const cookie = browser.cookies.get('__Host-invitation') ?? '';
    await browser.send(question, {});
    browser.cookies.set('__Host-invitation', cookie);
    const home = await browser.get('/onboarding');
    expect([home.status, home.headers.location]).toEqual([303, '/onboarding']);
    expect(titleOf(await browser.get('/onboarding'))).toBe('Allow access');
  });

  it('continues in a second browser', async () => {
    const { link } = await invite();
    await signedIn(link);
    const second = new Browser(scene.api.app);
    const question = await signedIn(link, bob, second);
    expect(titleOf(await second.submit(question, {}))).toBe('Allow access');
    // The first browser still shows the earlier page
    const first = await browser.get('/onboarding');
    expect([first.status, first.headers.location]).toEqual([303, '/onboarding']);
    expect(titleOf(await browser.get('/onboarding'))).toBe('Allow access');
  });
});

describe('an invitation', () => {
  it('keeps the role of an active member, and the page shows that', async () => {
    const { id, link } = await invite();
    await as(bob, { roles: ['developer'] });
    const question = await signedIn(link, { ...bob, organization_id: org });
    const consent = await browser.submit(question, {});
    expect(consent.text).toContain('You are a member of Acme already. Your role stays as it is.');
    expect(await memberIn(org, bob)).toMatchObject({ role: 'developer', source: 'identity_provider' });
    expect(await stateOf(id)).toBe('accepted');
    expect(scene.idp.calls).toEqual([]);
  });

  it('adds a member at the identity provider if it does not name them', async () => {
    await as(bob, { roles: ['developer'] });
    const { link } = await invite({ email: 'other@acme.example' });
    await sql('UPDATE invitations SET email = $2 WHERE organization_id = $1', org, bob.email);
    await browser.submit(await signedIn(link), {});
    expect([...scene.idp.memberships].map((made) => JSON.parse(made).role)).toEqual(['developer']);
  });

  it('does not make a person who has only opened it a member', async () => {
    const { link } = await invite();
    await signedIn(link, { ...bob, organization_id: org });
    expect(await memberIn(org, bob)).toBeUndefined();
  });

  const keptOut = async (how: 'deactivate' | 'remove' | 'deny') => {
    const owner = await as(olga);
    if (how === 'deny') return owner('post', '/members/deny', { user_id: bob.sub });
    const { id } = await memberIn(org, bob);
    return how === 'remove' ? owner('delete', `/members/${id}`) : owner('post', `/members/${id}/deactivate`);
  };

  it.each(['deactivate', 'remove', 'deny'] as const)(
    'lets in again, with its role, a person to whom %s was applied before the invitation',
    async (how) => {
      await as(bob, { roles: ['developer'] });
      await keptOut(how);
      scene.api.advanceSeconds(1);
      const { link } = await invite({ role: 'viewer' });
      const consent = await browser.submit(await signedIn(link), {});
      expect(consent.text).toContain('You are a member of Acme now.');
      const member = await memberIn(org, bob);
      expect(member).toMatchObject({ role: 'viewer', removed_at: null, kept_out: null });
      expect(await actionsOf(member.id)).toEqual(
        expect.arrayContaining(['member.reinstated', 'invitation.accepted']),
      );
      expect((await (await as(bob))('get', '/me')).body.role).toBe('viewer');
    },
  );

  it.each([
    ['deactivate', 'membership_deactivated'],
    ['remove', 'membership_revoked'],
    ['deny', 'membership_revoked'],
  ] as const)('keeps out a person to whom %s was applied after the invitation', async (how, code) => {
    const { id, link } = await invite();
    await as(bob, { roles: ['developer'] });
    await keptOut(how);
    const refused = await browser.submit(await signedIn(link), {});
    expect([refused.status, codeOf(refused)]).toEqual([403, code]);
    expect(await stateOf(id)).toBe('pending');
    expect((await memberIn(org, bob)).removed_at).not.toBeNull();
    expect(scene.idp.calls).not.toContain('add-member');
  });

  it('lets a former owner in again only if an owner invites them', async () => {
    await as(bob, { roles: ['owner'] });
    await keptOut('remove');
    const adam = userNamed('adam');
    const admin = await as(adam, { roles: ['admin'] });
    scene.api.advanceSeconds(1);
    const made = await admin('post', '/invitations', { email: bob.email, role: 'viewer' });
    const refused = await browser.submit(await signedIn(made.body.accept_url), {});
    expect([refused.status, codeOf(refused)]).toEqual([403, 'membership_revoked']);
  });

  describe('a member of another organization', () => {
    let other: string;
    beforeEach(() => {
      other = `org_${randomUUID()}`;
    });
    const nothingWritten = async (id: string) => {
      expect(await stateOf(id)).toBe('pending');
      expect(await memberIn(org, bob)).toBeUndefined();
      expect(scene.idp.calls).toEqual([]);
    };

    it('is refused, whichever organization the sign-in names', async () => {
      await as(bob, {}, other);
      const { id, link } = await invite();
      const page = await browser.submit(await signedIn(link), {});
      expect([page.status, codeOf(page)]).toEqual([409, 'member_of_another_organization']);
      expect(page.text).toContain('Continue without the invitation');
      await nothingWritten(id);
    });

    it('is refused if only the sign-in names the organization', async () => {
      const { id, link } = await invite();
      const page = await browser.submit(await signedIn(link, { ...bob, organization_id: other }), {});
      expect([page.status, codeOf(page)]).toEqual([409, 'member_of_another_organization']);
      await nothingWritten(id);
      expect(await sql('SELECT FROM organizations WHERE id = $1', other)).toEqual([]);
    });

    it('may join if that organization keeps them out', async () => {
      const there = await as(bob, {}, other);
      await there('get', '/me');
      await sql('UPDATE members SET removed_at = now() WHERE organization_id = $1', other);
      const { link } = await invite();
      const page = await browser.submit(await signedIn(link, { ...bob, organization_id: other }), {});
      expect(titleOf(page)).toBe('Allow access');
      expect(await memberIn(org, bob)).toMatchObject({ role: 'admin' });
    });

    it('may join after leaving that organization', async () => {
      const there = await as(bob, { roles: ['developer'] }, other);
      expect((await there('post', '/me/leave')).status).toBe(204);
      const { link } = await invite();
      expect(titleOf(await browser.submit(await signedIn(link), {}))).toBe('Allow access');
    });

    it('is not a user of another issuer with the same sub', async () => {
      await as(bob, {}, other);
      await sql("UPDATE members SET issuer = 'https://other.example' WHERE organization_id = $1", other);
      const { link } = await invite();
      expect(titleOf(await browser.submit(await signedIn(link), {}))).toBe('Allow access');
    });

    it('joins only one of two that invite them at the same time', async () => {
      const first = await invite();
      const firstOrg = org;
      const firstOlga = olga;
      [org, olga] = [`org_${randomUUID()}`, userNamed('olga')];
      knowsOrganization(org, 'Other');
      await as(olga, { roles: ['owner'] });
      const second = await invite();
      const browsers = [new Browser(scene.api.app), new Browser(scene.api.app)] as const;
      const questions = [
        await signedIn(first.link, bob, browsers[0]),
        await signedIn(second.link, bob, browsers[1]),
      ] as const;
      const held = scene.idp.hold('add-member');
      const one = browsers[0].submit(questions[0], {});
      await Promise.race([held.arrived, one]);
      const two = await browsers[1].submit(questions[1], {});
      held.release();
      expect([titleOf(await one), codeOf(two)]).toEqual(['Allow access', 'member_of_another_organization']);
      expect(await memberIn(org, bob)).toBeUndefined();
      expect(await memberIn(firstOrg, bob)).toBeDefined();
      expect(firstOlga).not.toBe(olga);
    });

    it('may join with MULTIPLE_ORGANIZATIONS, and the page explains what to choose at the sign-in', async () => {
      await startIn(several);
      await as(bob, {}, other);
      const { link } = await invite();
      const page = await browser.submit(await signedIn(link, { ...bob, organization_id: other }), {});
      expect(titleOf(page)).toBe('Allow access');
      expect(page.text).toContain(`You have signed in for ${other}: choose Acme when you sign in again.`);
      expect(await memberIn(org, bob)).toMatchObject({ role: 'admin' });
      expect(await memberIn(other, bob)).toMatchObject({ removed_at: null });
    });
  });

  describe('a link without an open invitation', () => {
    const over = {
      unknown: async () => `/onboarding/invitation?token=${newSecretToken('invitation')}`,
      mistyped: async () => `${(await invite()).link.slice(0, -1)}!`,
      missing: async () => '/onboarding/invitation',
      expired: async () => {
        const { link } = await invite({ expires_in_days: 1 });
        scene.api.advanceSeconds(24 * 3600);
        return link;
      },
      revoked: async () => {
        const { id, link } = await invite();
        await (await as(olga))('delete', `/invitations/${id}`);
        return link;
      },
      replaced: async () => {
        const { id, link } = await invite();
        scene.api.advanceSeconds(60);
        await (await as(olga))('post', `/invitations/${id}/resend`);
        return link;
      },
      used: async () => {
        const { link } = await invite();
        const other = new Browser(scene.api.app);
        await other.submit(await signedIn(link, bob, other), {});
        return link;
      },
      'of an inviter who was removed': async () => {
        const adam = userNamed('adam');
        const admin = await as(adam, { roles: ['admin'] });
        const made = await admin('post', '/invitations', { email: bob.email, role: 'viewer' });
        await sql('UPDATE members SET removed_at = now() WHERE user_id = $1', adam.sub);
        return made.body.accept_url as string;
      },
      'of a suspended organization': async () => {
        const { link } = await invite();
        await sql("UPDATE organizations SET status = 'suspended' WHERE id = $1", org);
        return link;
      },
    };
    const withoutRequestId = ({ text }: Response) => text.replace(/req_[\w-]+/g, '');

    it('has the same page before the sign-in, whatever the reason', async () => {
      const pages = new Set<string>();
      for (const linkOf of Object.values(over)) {
        await startIn(byDefault);
        const page = await open(await linkOf());
        expect([page.status, codeOf(page)]).toEqual([404, 'invitation_not_found']);
        pages.add(withoutRequestId(page));
      }
      expect(pages.size).toBe(1);
    });

    it('has the same page for another person who signs in', async () => {
      for (const reason of ['unknown', 'expired', 'revoked', 'used'] as const) {
        await startIn(byDefault);
        const link = await over[reason]();
        const page = await signedIn(link, userNamed('eve'));
        expect([page.status, codeOf(page)]).toEqual([404, 'invitation_not_found']);
      }
    });

    it.each([
      ['expired', 409, 'invitation_closed'],
      ['revoked', 409, 'invitation_closed'],
      ['of an inviter who was removed', 409, 'invitation_closed'],
      ['of a suspended organization', 403, 'organization_suspended'],
      ['unknown', 404, 'invitation_not_found'],
      ['replaced', 404, 'invitation_not_found'],
    ] as const)('gives the invited person the reason: %s', async (reason, status, code) => {
      const page = await signedIn(await over[reason]());
      expect([page.status, codeOf(page)]).toEqual([status, code]);
    });

    it('can be dismissed, and the other pages continue', async () => {
      const page = await signedIn(await over.unknown());
      expect(page.text).toContain('Continue without the invitation');
      expect(titleOf(await browser.submit(page, {}))).toBe('Create your organization');
    });
  });

  describe('a forwarded link', () => {
    it('is refused to another account, and the page explains how to continue', async () => {
      const { id, link } = await invite();
      const page = await signedIn(link, userNamed('eve'));
      expect([page.status, codeOf(page)]).toEqual([403, 'invitation_wrong_account']);
      expect(page.text).toContain('Sign in as somebody else');
      expect(page.text).not.toContain(bob.email);
      const again =
        /href="([^"]+)">Sign in as somebody else/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const begun = await browser.get(again);
      expect(new URL(String(begun.headers.location)).searchParams.get('prompt')).toBe('login');
      expect(titleOf(await browser.signIn(scene.idp, bob, again))).toBe('Join Acme');
      expect(await stateOf(id)).toBe('pending');
    });

    it('is refused to the inviter', async () => {
      const { link } = await invite();
      const page = await signedIn(link, { ...olga, organization_id: org });
      expect([page.status, codeOf(page)]).toEqual([403, 'invitation_wrong_account']);
    });

    it.each([
      ['unverified', { email_verified: false }],
      ['unverified, in a text', { email_verified: 'False' }],
      ['of which the identity provider does not say that it is verified', { email_verified: undefined }],
      ['missing', { email: undefined }],
      ['with a control character', { email: 'b\u0000ob@acme.example' }],
    ])('is refused to an account whose address is %s', async (_case, claims) => {
      bob = { ...bob, email: 'bob@acme.example' };
      const { link } = await invite();
      const page = await signedIn(link, { ...bob, ...claims });
      expect([page.status, codeOf(page)]).toEqual([403, 'invitation_wrong_account']);
      expect(await memberIn(org, bob)).toBeUndefined();
    });

    it('accepts an address without email_verified if TRUST_IDP_EMAIL is set, but never an unverified one', async () => {
      await startIn(trusting);
      const { link } = await invite();
      for (const unverified of [false, 'false', 'False', 0, 'no', []])
        expect(codeOf(await signedIn(link, { ...bob, email_verified: unverified }))).toBe(
          'invitation_wrong_account',
        );
      expect(titleOf(await signedIn(link, { ...bob, email_verified: undefined }))).toBe('Join Acme');
    });

    it('does not accept a look-alike of the address', async () => {
      const { link } = await invite();
      const page = await signedIn(link, { ...bob, email: bob.email.replace('o', 'о') }); // Cyrillic
      expect(codeOf(page)).toBe('invitation_wrong_account');
    });
  });

  it('has a limit per address and minute, against which invisible requests do not count', async () => {
    await startIn(limited);
    const link = () => `/onboarding/invitation?token=${newSecretToken('invitation')}`;
    const statuses = [];
    for (let i = 0; i < 10; i++)
      statuses.push((await request(limited.api.app).get(link()).set('Sec-Fetch-Dest', 'image')).status);
    for (let i = 0; i < 161; i++) statuses.push((await browser.get(link())).status);
    expect(statuses).toEqual([...Array(10).fill(403), ...Array(160).fill(303), 429]);
  });

  it('escapes the name of an organization or inviter', async () => {
    olga = { ...olga, name: '<b>Your bank</b>' };
    await as(olga);
    scene.api.advanceSeconds(3700);
    const { link } = await invite();
    const page = await open(link);
    expect(page.text).toContain('&lt;b&gt;Your bank&lt;/b&gt;');
  });
});

describe('a form', () => {
  it('is refused with a wrong CSRF token, and without a session', async () => {
    const { id, link } = await invite();
    const question = await signedIn(link);
    const forged = await browser.submit(question, { csrf_token: 'wrong' });
    expect([forged.status, codeOf(forged)]).toEqual([403, 'csrf_token_invalid']);
    const elsewhere = await new Browser(scene.api.app).send(question, {});
    expect(codeOf(elsewhere)).toBe('onboarding_session_not_found');
    const otherSite = await browser.send(question, {}, { 'Sec-Fetch-Site': 'cross-site' });
    expect(codeOf(otherSite)).toBe('cross_site_request');
    expect(await stateOf(id)).toBe('pending');
  });

  it('accepts the invitation that it shows, not one that the browser has opened since', async () => {
    const shown = await invite();
    const question = await signedIn(shown.link);
    [org, olga] = [`org_${randomUUID()}`, userNamed('mallory')];
    knowsOrganization(org, 'Evil');
    await as(olga, { roles: ['owner'] });
    const planted = await invite();
    await browser.get(planted.link);
    const refused = await browser.submit(question, {});
    expect([refused.status, codeOf(refused)]).toEqual([403, 'csrf_token_invalid']);
    expect([await stateOf(shown.id), await stateOf(planted.id)]).toEqual(['pending', 'pending']);
  });
});

describe('a failure', () => {
  it.each([
    ['before', 503],
    ['after', 503],
    [500, 503],
  ] as const)('of the identity provider (%s) is completed by the next click', async (how, status) => {
    const { id, link } = await invite();
    const question = await signedIn(link);
    scene.idp.failNext('add-member', how);
    const failed = await browser.submit(question, {});
    expect([failed.status, await stateOf(id), await memberIn(org, bob)]).toEqual([
      status,
      'accepting',
      undefined,
    ]);
    const again = await browser.get('/onboarding');
    expect(titleOf(await browser.submit(again, {}))).toBe('Allow access');
    expect(await actionsOf(id)).toEqual(['invitation.created', 'invitation.accepted']);
  });

  it('because the identity provider refuses leaves the invitation open', async () => {
    const { id, link } = await invite();
    const question = await signedIn(link);
    scene.idp.failNext('add-member', 403);
    const refused = await browser.submit(question, {});
    expect([refused.status, codeOf(refused)]).toEqual([409, 'organization_link_refused']);
    expect(await stateOf(id)).toBe('pending');
    expect(titleOf(await browser.submit(await browser.get('/onboarding'), {}))).toBe('Allow access');
  });

  it('of the process is completed by the next click, half a minute later', async () => {
    const { id, link } = await invite();
    const question = await signedIn(link);
    const lease = new Date(scene.api.now().getTime() + 30_000);
    await sql(
      "UPDATE invitations SET state = 'accepting', user_id = $2, lease_until = $3 WHERE id = $1",
      id,
      bob.sub,
      lease,
    );
    expect(titleOf(await browser.submit(question, {}))).toBe('You are joining Acme');
    scene.api.advanceSeconds(30);
    expect(titleOf(await browser.submit(await browser.get('/onboarding'), {}))).toBe('Allow access');
  });

  it.each([
    [
      'revoked',
      async (id: string) => (await as(olga))('delete', `/invitations/${id}`),
      409,
      'invitation_closed',
    ],
    [
      'of somebody who is denied',
      async () => (await as(olga))('post', '/members/deny', { user_id: bob.sub }),
      403,
      'membership_revoked',
    ],
  ] as const)(
    'undoes the membership of an invitation that is %s meanwhile',
    async (_case, meanwhile, status, code) => {
      const { id, link } = await invite();
      const question = await signedIn(link);
      const held = scene.idp.hold('add-member');
      const accepting = browser.submit(question, {});
      await Promise.race([held.arrived, accepting]);
      expect((await meanwhile(id)).status).toBeLessThan(300);
      held.release();
      const refused = await accepting;
      expect([refused.status, codeOf(refused)]).toEqual([status, code]);
      expect(scene.idp.memberships.size).toBe(0);
      expect((await memberIn(org, bob))?.removed_at).not.toBeNull();
      expect((await (await as(bob))('get', '/sites')).status).toBe(code === 'membership_revoked' ? 403 : 200);
    },
  );

  it('because there is no room leaves nothing at the identity provider', async () => {
    const full = await createOnboardingScene({
      beside: byDefault.api,
      app: { memberRules: { maxMembers: 1 } },
    });
    await startIn(full);
    const { id, link } = await invite();
    const refused = await browser.submit(await signedIn(link), {});
    expect([refused.status, codeOf(refused)]).toEqual([403, 'member_limit_reached']);
    expect([scene.idp.memberships.size, await stateOf(id)]).toEqual([0, 'pending']);
  });
});

describe('a first token while the invitation is being accepted', () => {
  it.each([
    ['no role', {}],
    ['a role of its own', { roles: ['viewer'] }],
  ])('has the role of the invitation, with %s', async (_case, claims) => {
    const { id, link } = await invite();
    const question = await signedIn(link);
    const held = scene.idp.hold('add-member');
    const accepting = browser.submit(question, {});
    await Promise.race([held.arrived, accepting]);
    const client = await as(bob, claims);
    expect((await client('get', '/me')).body.role).toBe('admin');
    held.release();
    expect(titleOf(await accepting)).toBe('Allow access');
    const member = await memberIn(org, bob);
    expect(member).toMatchObject({ role: 'admin', source: 'invitation', invited_by: olga.sub });
    expect(await actionsOf(member.id)).toEqual(['member.joined', 'invitation.accepted']);
    expect(await stateOf(id)).toBe('accepted');
  });

  it('does not have the role before, nor after the invitation was revoked', async () => {
    const { id } = await invite();
    expect((await (await as(bob))('get', '/me')).body.role).toBe('viewer');
    const eve = userNamed('eve');
    await sql("UPDATE invitations SET state = 'accepting', user_id = $2 WHERE id = $1", id, eve.sub);
    await (await as(olga))('delete', `/invitations/${id}`);
    expect((await (await as(eve))('get', '/me')).body.role).toBe('viewer');
  });
});
