import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSigningKeys, type SigningKeys } from '@legate/jwt';
import { createRateLimiter } from '@legate/rate-limit';
import { createMemoryBackend, generateEncryptionKeys } from '@legate/secure-store';
import request from 'supertest';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { type AdminCall, createFakeIdp, type Failure } from '../../testing/fake-idp.ts';
import { onboardingSettings } from '../../testing/onboarding-scene.ts';
import { createTestApi, ISSUER, NOW, RESOURCE, type TestApi } from '../../testing/test-api.ts';
import { OnboardingContext } from './onboarding.ts';

const APP = 'https://app.example/welcome';
let keys: SigningKeys;
let idp: ReturnType<typeof createFakeIdp>;
let api: TestApi;
const backendClock = () => new Date(NOW * 1000);
const stored: string[] = [];
const backend = createMemoryBackend({ clock: backendClock });

beforeAll(async () => {
  // openid-client uses the system clock
  keys = await createSigningKeys({ alg: 'RS256', clock: () => new Date() });
  const limiter = createRateLimiter({ clock: backendClock, windowSeconds: 600 });
  api = await createTestApi({
    onboarding: {
      settings: {
        ...onboardingSettings(),
        returnTo: [APP, 'https://other.example/'],
        clients: new Map(),
        encryptionKeys: generateEncryptionKeys(),
        // All tests come from one address, so only users are limited.
        strangersPerMinute: 1_000_000,
      },
      fetch: (input, init) => idp.fetch(input, init),
      backend: {
        ...backend,
        set(key, value, ttlSeconds) {
          stored.push(key, value.toString('latin1'));
          return backend.set(key, value, ttlSeconds);
        },
      },
      attempts: limiter,
    },
  });
});
afterAll(() => api.close());

let user: { sub: string; email: string; name: string };
let dave: Client;
beforeEach(async () => {
  idp = createFakeIdp(keys);
  user = {
    sub: `user_${randomUUID()}`,
    email: 'dave@newco.example',
    name: 'Dave',
  };
  dave = await clientOf(api, undefined, { ...user, client_id: 'frontend-app' });
});

const begin = (query = '') => request(api.app).get(`/api/oauth/sign-in${query}`);
const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
  String([answer.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
const callBack = (search: string, cookie: string) =>
  request(api.app).get(`/api/oauth/callback${search}`).set('Cookie', cookie);

async function signIn(claims: object = user): Promise<string> {
  const begun = await begin();
  const search = idp.authorize(String(begun.headers.location), { email_verified: true, ...claims });
  const answer = await callBack(search, cookieOf(begun));
  return new URL(String(answer.headers.location)).searchParams.get('session') ?? '';
}

async function readyToCreate() {
  const session = await signIn();
  const { body } = await dave('get', `/oauth/session/${session}`);
  const create = (name = 'Newco', csrf_token: string = body.csrfToken, id = session) =>
    dave('post', '/oauth/create-org', { session: id, csrf_token, name });
  return { session, context: body, create };
}

const saved = (session: string) =>
  api.database.asOwner(async (owner) => {
    const { rows } = await owner.query('SELECT * FROM onboarding_sessions WHERE id = $1', [session]);
    return rows[0];
  });

describe('sign-in', () => {
  it('redirects the browser with PKCE, state and nonce, and stores them encrypted', async () => {
    const answer = await begin();
    const location = new URL(String(answer.headers.location));
    expect([answer.status, answer.headers['cache-control']]).toEqual([302, 'no-store']);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      client_id: 'management-api',
      redirect_uri: `${RESOURCE}/api/oauth/callback`,
      response_type: 'code',
      code_challenge_method: 'S256',
      nonce: expect.any(String),
      state: expect.any(String),
    });
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^__Host-oauth=[\w-]+; Max-Age=600; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
    expect(Buffer.from(cookie, 'base64url').toString('latin1')).not.toContain(
      location.searchParams.get('state'),
    );
  });

  it('begins only by a navigation, not by an invisible request of another page', async () => {
    for (const destination of ['image', 'iframe', 'empty', 'script']) {
      const answer = await request(api.app).get('/api/oauth/sign-in').set('Sec-Fetch-Dest', destination);
      expect([answer.status, answer.body.code]).toEqual([403, 'cross_site_request']);
    }
    const answer = await request(api.app).get('/api/oauth/sign-in').set('Sec-Fetch-Dest', 'document');
    expect(answer.status).toBe(302);
  });

  it('returns only to configured pages', async () => {
    const good = await begin('?return_to=https://other.example/');
    expect(good.status).toBe(302);
    const bad = await begin('?return_to=https://evil.example/');
    expect([bad.status, bad.body.errors[0].parameter]).toEqual([400, 'return_to']);
  });

  it('starts a session, returns to the page with its id, and keeps the tokens encrypted', async () => {
    const begun = await begin('?return_to=https://other.example/');
    const answer = await callBack(idp.authorize(String(begun.headers.location), user), cookieOf(begun));
    expect([answer.status, answer.headers['cache-control'], answer.headers['referrer-policy']]).toEqual([
      303,
      'no-store',
      'no-referrer',
    ]);
    expect(answer.headers.location).toMatch(/^https:\/\/other\.example\/\?session=[0-9a-f-]{36}$/);
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-oauth=; .*Expires=Thu, 01 Jan 1970/);
    expect(stored.some((text) => text.startsWith('onboarding:'))).toBe(true);
    expect(stored.join()).not.toContain('access-token-of-the-sign-in');
    const session = new URL(String(answer.headers.location)).searchParams.get('session') ?? '';
    expect(JSON.stringify(await saved(session))).not.toMatch(/access-token|eyJ/);
  });

  it('never adopts a session id that the browser sends', async () => {
    const begun = await begin();
    const known = '00000000-0000-4000-8000-000000000000';
    const search = `${idp.authorize(String(begun.headers.location), user)}&session=${known}`;
    expect((await callBack(search, cookieOf(begun))).headers.location).not.toContain(known);
  });

  it("redirects to the application's page when the identity provider refuses", async () => {
    const begun = await begin();
    const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? '';
    const search = `?${new URLSearchParams({ error: 'access_denied', state, iss: ISSUER })}`;
    const answer = await callBack(search, cookieOf(begun));
    expect([answer.status, answer.headers.location]).toEqual([303, `${APP}?code=idp_access_denied`]);
  });

  it.each<[string, (search: string, cookie: string) => [string, string]]>([
    ['without the cookie', (search) => [search, '']],
    ['with an altered cookie', (search, cookie) => [search, `${cookie.slice(0, -4)}AAAA`]],
    ['with another state', (search, cookie) => [search.replace(/state=[^&]+/, 'state=x'), cookie]],
    ['without a state', (search, cookie) => [search.replace(/state=[^&]+&?/, ''), cookie]],
    ['with a code that nobody gave', (search, cookie) => [search.replace(/code=[^&]+/, 'code=x'), cookie]],
  ])('is not completed %s', async (_case, change) => {
    const begun = await begin();
    const search = idp.authorize(String(begun.headers.location), user);
    const answer = await callBack(...change(search, cookieOf(begun)));
    expect([answer.status, answer.body.code]).toEqual([400, 'oauth_state_invalid']);
  });

  it.each([
    [
      'of another issuer (RFC 9207)',
      (search: string) => search.replace(/iss=[^&]+/, 'iss=https://evil.example'),
      {},
    ],
    ['whose ID token has another nonce', (search: string) => search, { nonce: 'other' }],
    ['whose ID token is for another client', (search: string) => search, { aud: 'other' }],
  ])('is not completed by a response %s', async (_case, change, claims) => {
    const begun = await begin();
    const search = change(idp.authorize(String(begun.headers.location), { ...user, ...claims }));
    const answer = await callBack(search, cookieOf(begun));
    expect([answer.status, answer.body.code]).toEqual([502, 'idp_error']);
  });

  it('is completed only once, even with a copied cookie', async () => {
    const begun = await begin();
    const location = String(begun.headers.location);
    await callBack(idp.authorize(location, user), cookieOf(begun)).expect(303);
    const again = await callBack(idp.authorize(location, user), cookieOf(begun));
    expect([again.status, again.body.code]).toEqual([400, 'oauth_state_invalid']);
  });
});

describe('the session', () => {
  it('contains the fields of the specification', async () => {
    const { context } = await readyToCreate();
    expect(context).toEqual({
      user: { email: 'dave@newco.example', name: 'Dave', organizationName: '' },
      domains: [],
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
      needsOrgCreation: true,
      suggestedOrgName: 'Newco',
    });
  });

  it('suggests no name to a user with an address of a public provider, or an unverified one', async () => {
    for (const claims of [{ email: 'dave@gmail.com' }, { email_verified: false }, { email: undefined }]) {
      const { body } = await dave('get', `/oauth/session/${await signIn({ ...user, ...claims })}`);
      expect(body.suggestedOrgName).toBeNull();
    }
  });

  it('of another user is not found, like a session that never existed', async () => {
    const { session, context } = await readyToCreate();
    const mallory = await clientOf(api, undefined, { sub: 'user_mallory' });
    const body = { session, csrf_token: context.csrfToken, name: 'Mine' };
    for (const answer of [
      await mallory('get', `/oauth/session/${session}`),
      await mallory('post', '/oauth/create-org', body),
      await dave('get', '/oauth/session/00000000-0000-4000-8000-000000000000'),
      await dave('get', '/oauth/session/x'),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'onboarding_session_not_found']);
    }
  });

  it('requires an access token', async () => {
    const answer = await request(api.app).get('/api/oauth/session/x');
    expect([answer.status, answer.body.code]).toEqual([401, 'token_missing']);
  });

  it('ends after ten idle minutes', async () => {
    const { session, create } = await readyToCreate();
    api.advanceSeconds(599);
    await dave('get', `/oauth/session/${session}`);
    api.advanceSeconds(599);
    expect((await dave('get', `/oauth/session/${session}`)).status).toBe(200);
    api.advanceSeconds(600);
    for (const answer of [await dave('get', `/oauth/session/${session}`), await create()]) {
      expect([answer.status, answer.body.code]).toEqual([410, 'onboarding_session_expired']);
    }
  });

  it('ends after thirty minutes, even if it is used', async () => {
    const { session } = await readyToCreate();
    for (let i = 0; i < 3; i++) {
      api.advanceSeconds(590);
      expect((await dave('get', `/oauth/session/${session}`)).status).toBe(200);
    }
    api.advanceSeconds(30);
    expect((await dave('get', `/oauth/session/${session}`)).status).toBe(410);
  });
});

describe.each(['create-org', 'consent'])('%s by a token that is limited to other scopes', (step) => {
  it('is refused, and the response names the missing scope', async () => {
    const limited = await clientOf(api, undefined, { ...user, scope: 'openid sites:read' });
    const answer = await limited('post', `/oauth/${step}`, {});
    expect([answer.status, answer.body.code, answer.body.required_scope]).toEqual([
      403,
      'insufficient_permission',
      'org:write',
    ]);
    expect(answer.headers['www-authenticate']).toContain('insufficient_scope');
  });

  it.each(['openid email', 'org:write'])('reaches its handler with the scope %s', async (scope) => {
    const able = await clientOf(api, undefined, { ...user, scope });
    expect((await able('post', `/oauth/${step}`, {})).body.code).toBe('validation_failed');
  });
});

it('hides a session from tokens that are limited to other scopes', async () => {
  const session = await signIn();
  const read = async (scope: string) =>
    (await (await clientOf(api, undefined, { ...user, scope }))('get', `/oauth/session/${session}`)).body;
  expect(await read('openid sites:read')).toMatchObject({
    code: 'insufficient_permission',
    required_scope: 'org:read',
  });
  for (const scope of ['openid email', 'org:read'])
    expect(await read(scope)).toMatchObject({ needsOrgCreation: true });
});

describe('create-org', () => {
  it('creates the organization and its owner at the identity provider and here, and records both', async () => {
    const { session, context, create } = await readyToCreate();
    const answer = await create('  Newco Ltd ');
    expect(answer.status).toBe(200);
    expect(OnboardingContext.parse(answer.body)).toEqual({
      user: { email: 'dave@newco.example', name: 'Dave', organizationName: 'Newco Ltd' },
      domains: [],
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
      needsOrgCreation: false,
      suggestedOrgName: null,
    });
    expect(answer.body.csrfToken).not.toBe(context.csrfToken);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { organization_id: id } = await saved(session);
    expect([...idp.organizations]).toEqual([[session, { id, name: 'Newco Ltd', external_id: session }]]);
    expect([...idp.memberships]).toEqual([
      JSON.stringify({ user: user.sub, organization: id, role: 'owner' }),
    ]);
    const owner = await clientOf(api, id, user);
    expect((await owner('get', '/me')).body).toMatchObject({
      organization: { id, name: 'Newco Ltd' },
      role: 'owner',
    });
    expect(await auditTrailOf(api, id)).toMatchObject([
      { action: 'organization.created', actor: { type: 'user', id: user.sub } },
    ]);
  });

  it('renames an organization that a token has introduced meanwhile, as a new version', async () => {
    const { session, create } = await readyToCreate();
    const held = idp.hold('add-member');
    const creating = create('Newco');
    await held.arrived;
    const { id = '' } = idp.organizations.get(session) ?? {};
    const owner = await clientOf(api, id, { ...user, roles: ['owner'] });
    const before = await owner('get', '/organization');
    held.release();
    expect([before.body.name, (await creating).status]).toEqual([id, 200]);
    const known = { 'If-None-Match': String(before.headers.etag) };
    const after = await owner('get', '/organization', undefined, known);
    expect([after.status, after.body.name]).toEqual([200, 'Newco']);
  });

  it('makes a founder the owner even if a token has made them a member meanwhile', async () => {
    const { session, create } = await readyToCreate();
    const held = idp.hold('add-member');
    const creating = create('Newco');
    await held.arrived;
    const { id = '' } = idp.organizations.get(session) ?? {};
    const founder = await clientOf(api, id, { ...user, roles: ['viewer'] });
    expect((await founder('get', '/me')).body.role).toBe('viewer');
    held.release();
    expect((await creating).status).toBe(200);
    api.advanceSeconds(2);
    expect((await founder('get', '/me')).body.role).toBe('owner');
    const { data } = (await founder('get', '/members')).body;
    expect(data).toMatchObject([{ user_id: user.sub, role: 'owner', source: 'onboarding' }]);
  });

  it.each<[string, object, string, string]>([
    ['without a session', { session: undefined }, '/session', 'required'],
    ['with a session that is no UUID', { session: 'x' }, '/session', 'invalid_format'],
    ['without a CSRF token', { csrf_token: undefined }, '/csrf_token', 'required'],
    ['without a name', { name: undefined }, '/name', 'required'],
    ['with an empty name', { name: ' ' }, '/name', 'too_short'],
    ['with a name of 101 characters', { name: 'x'.repeat(101) }, '/name', 'too_long'],
    ['with more than that', { plan: 'pro' }, '/plan', 'unknown_field'],
  ])('refuses a request %s', async (_case, fields, pointer, code) => {
    const good = { session: '00000000-0000-4000-8000-000000000000', csrf_token: 'x', name: 'Newco' };
    const answer = await dave('post', '/oauth/create-org', { ...good, ...fields });
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer, code }]]);
  });

  it('refuses a wrong CSRF token, even one for another step, and creates nothing', async () => {
    const { create, context } = await readyToCreate();
    const other = await readyToCreate();
    for (const token of ['wrong', `${context.csrfToken}x`, other.context.csrfToken]) {
      const answer = await create('Newco', token);
      expect([answer.status, answer.body.code]).toEqual([403, 'csrf_token_invalid']);
    }
    const { body } = await create();
    expect((await create('Newco', body.csrfToken)).body.code).toBe('csrf_token_invalid');
    expect(idp.calls).toEqual(['create', 'add-member']);
  });

  it('returns the same response to a repeated request, and a conflict for a different one', async () => {
    const { create } = await readyToCreate();
    const first = await create();
    const again = await create();
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await create('Other');
    expect([other.status, other.body.code]).toEqual([409, 'onboarding_session_conflict']);
    expect(idp.organizations.size).toBe(1);
  });

  it('creates one organization for ten concurrent requests', async () => {
    const { session, create } = await readyToCreate();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
    for (const { status, body, headers } of answers) {
      if (status === 200) continue;
      expect([status, body.code, headers['retry-after']]).toEqual([409, 'onboarding_in_progress', '1']);
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect([idp.organizations.size, idp.memberships.size]).toEqual([1, 1]);
    expect(await auditTrailOf(api, (await saved(session)).organization_id)).toHaveLength(1);
  });

  it.each<[AdminCall, Failure, number, string]>([
    ['create', 'before', 503, 'idp_unavailable'],
    ['create', 'after', 503, 'idp_unavailable'],
    ['create', 500, 503, 'idp_unavailable'],
    ['create', 401, 502, 'idp_error'],
    ['add-member', 'before', 503, 'idp_unavailable'],
    ['add-member', 'after', 503, 'idp_unavailable'],
    ['add-member', 404, 502, 'idp_error'],
  ])('is completed by a retry when %s has failed (%s)', async (call, how, status, code) => {
    const { session, create } = await readyToCreate();
    idp.failNext(call, how);
    const failed = await create();
    expect([failed.status, failed.body.code]).toEqual([status, code]);
    expect(await saved(session)).toMatchObject({ step: 'creating', organization_id: null });
    expect((await create('Other')).body.code).toBe('onboarding_session_conflict');

    const retried = await create();
    expect([retried.status, retried.body.needsOrgCreation]).toEqual([200, false]);
    expect([idp.organizations.size, idp.memberships.size]).toEqual([1, 1]);
    expect(await auditTrailOf(api, (await saved(session)).organization_id)).toHaveLength(1);
  });

  it.each<AdminCall>(['create', 'add-member'])(
    'is completed after the process died while it waited for %s',
    async (call) => {
      const { session, create } = await readyToCreate();
      const held = idp.hold(call);
      const lost = create(); // the client has disconnected, so the response is lost
      const started = lost.catch(() => undefined);
      await held.arrived;
      expect((await create()).body.code).toBe('onboarding_in_progress');
      held.release();
      await started;
      // As the process would have left the session
      await api.database.asOwner((owner) =>
        owner.query(
          "UPDATE onboarding_sessions SET step = 'creating', organization_id = NULL, lease_until = $2 WHERE id = $1",
          [session, new Date(api.now().getTime() + 30_000)],
        ),
      );
      expect((await create()).body.code).toBe('onboarding_in_progress');
      api.advanceSeconds(30);
      expect((await create()).status).toBe(200);
      expect([idp.organizations.size, idp.memberships.size]).toEqual([1, 1]);
      expect(await auditTrailOf(api, (await saved(session)).organization_id)).toHaveLength(1);
    },
  );

  it('completes in a new session what an expired session has started', async () => {
    const first = await readyToCreate();
    idp.failNext('add-member', 'before');
    await first.create();
    api.advanceSeconds(601);
    const second = await readyToCreate();
    expect((await second.create('Newco again')).status).toBe(200);
    expect([...idp.organizations.keys()]).toEqual([first.session]);
    expect((await saved(second.session)).organization_id).toBe(idp.organizations.get(first.session)?.id);
  });

  it('creates no second organization from a second browser tab', async () => {
    const first = await readyToCreate();
    const second = await readyToCreate();
    const held = idp.hold('create');
    const running = first.create();
    const started = running.catch(() => undefined);
    await held.arrived;
    expect((await second.create('Other')).body.code).toBe('onboarding_in_progress');
    held.release();
    await started;
    const answer = await second.create('Other');
    expect([answer.status, answer.body.code]).toEqual([409, 'organization_exists']);
    expect(idp.organizations.size).toBe(1);
  });

  it('is refused to a user who has an organization, by token or by sign-in', async () => {
    const { session, context } = await readyToCreate();
    const member = await clientOf(api, 'org_acme', user);
    const body = { session, csrf_token: context.csrfToken, name: 'Second' };
    const byToken = await member('post', '/oauth/create-org', body);
    expect([byToken.status, byToken.body.code]).toEqual([409, 'organization_exists']);

    const signedIn = await signIn({ ...user, organization_id: 'org_acme' });
    const shown = await member('get', `/oauth/session/${signedIn}`);
    expect(shown.body).toMatchObject({ needsOrgCreation: false, user: { organizationName: 'org_acme' } });
    expect(idp.organizations.size).toBe(0);
  });

  it('returns only the domains that the organization has verified', async () => {
    const { session, create } = await readyToCreate();
    await create();
    const { organization_id: id } = await saved(session);
    const add = (organization: string, domain: string, state: string) =>
      api.database.asOwner((owner) =>
        owner.query(
          `INSERT INTO domains (id, organization_id, domain, state, verification_token, verified_at, check_at)
           SELECT 'dom_' || $2, $1, $2, $3, repeat('x', 40), verified_at, verified_at
           FROM (VALUES (CASE WHEN $3 = 'verified' THEN now() END)) AS v (verified_at)`,
          [organization, domain, state],
        ),
      );
    await add(id, 'newco.example', 'verified');
    await add(id, 'mail.newco.example', 'verified');
    await add(id, 'pending.example', 'pending');
    await add(id, 'failed.example', 'failed');
    const domains = ['mail.newco.example', 'newco.example'];
    expect((await create()).body.domains).toEqual(domains);
    expect((await dave('get', `/oauth/session/${session}`)).body.domains).toEqual(domains);
  });

  it("succeeds with a warning when the organization's details cannot be loaded", async () => {
    const { session, create } = await readyToCreate();
    await create();
    // The details may be unavailable for any reason; here the row is missing.
    await api.database.asOwner((owner) =>
      owner.query("UPDATE onboarding_sessions SET organization_id = 'org_of_no_row' WHERE id = $1", [
        session,
      ]),
    );
    const answer = await create();
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        domains: [],
        warning: expect.stringContaining('could not be loaded'),
        user: { organizationName: 'Newco' },
      },
    ]);
  });

  it('can be tried at most ten times in ten minutes', async () => {
    const { create } = await readyToCreate();
    for (let i = 0; i < 10; i++) expect((await create('Newco', 'wrong')).status).toBe(403);
    const answer = await create();
    expect([answer.status, answer.body.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(500);
  });
});

describe('consent', () => {
  const ready = async () => {
    const { session, create } = await readyToCreate();
    const { body } = await create();
    const consent = (decision: string, csrf_token: string = body.csrfToken) =>
      dave('post', '/oauth/consent', { session, csrf_token, decision });
    return { session, create, consent };
  };

  it.each([
    ['approve', APP, 'organization.consent_given'],
    ['deny', `${APP}?code=consent_denied`, 'organization.consent_denied'],
  ])('ends the session, and is recorded in the audit trail: %s', async (decision, redirectTo, action) => {
    const { session, create, consent } = await ready();
    const answer = await consent(decision);
    const { organization_id } = await saved(session);
    expect([answer.status, answer.body]).toEqual([
      200,
      { redirect_to: redirectTo, organization_id, token_refresh_required: true },
    ]);
    expect(await saved(session)).toMatchObject({ step: 'done', decision });
    const ofConsent = {
      action,
      actor: { id: user.sub },
      targets: [{ type: 'organization', id: organization_id }],
      details: { client_id: 'frontend-app' },
    };
    expect(await auditTrailOf(api, organization_id)).toMatchObject([
      { action: 'organization.created' },
      ofConsent,
    ]);
    expect(await backend.get(`onboarding:${session}`)).toBeUndefined();
    for (const late of [
      await consent(decision),
      await create(),
      await dave('get', `/oauth/session/${session}`),
    ]) {
      expect([late.status, late.body.code]).toEqual([409, 'onboarding_session_used']);
    }
  });

  it('blocks the application when it is denied, and the application cannot undo it', async () => {
    const { session, consent } = await ready();
    expect((await consent('deny')).status).toBe(200);
    const { organization_id } = await saved(session);
    const inAcme = (client_id: string) => clientOf(api, organization_id, { ...user, client_id });
    const [denied, other] = [await inAcme('frontend-app'), await inAcme('other-app')];
    const codeOf = ({ status, body }: Awaited<ReturnType<Client>>) => [status, body.code];
    expect(codeOf(await denied('get', '/sites'))).toEqual([403, 'consent_denied']);
    expect((await other('get', '/sites')).status).toBe(200);

    // A new sign-in through the denied application, with a token without the organization, like the first one
    const again = await signIn({ ...user, organization_id });
    expect(codeOf(await dave('get', `/oauth/session/${again}`))).toEqual([403, 'consent_denied']);
    const { csrfToken: csrf_token } = (await other('get', `/oauth/session/${again}`)).body;
    const approval = { session: again, csrf_token, decision: 'approve' };
    expect(codeOf(await dave('post', '/oauth/consent', approval))).toEqual([403, 'consent_denied']);
    expect(codeOf(await denied('post', '/oauth/consent', approval))).toEqual([403, 'consent_denied']);
    expect((await other('post', '/oauth/consent', approval)).status).toBe(200);
    expect(codeOf(await denied('get', '/sites'))).toEqual([403, 'consent_denied']);
  });

  it('cannot be denied with a token that names no application, but can be approved', async () => {
    const { consent, session } = await ready();
    const unnamed = await clientOf(api, undefined, user);
    const { csrfToken: csrf_token } = (await unnamed('get', `/oauth/session/${session}`)).body;
    const decide = (decision: string) => unnamed('post', '/oauth/consent', { session, csrf_token, decision });
    const refused = await decide('deny');
    expect([refused.status, refused.body.code]).toEqual([409, 'client_unknown']);
    expect(await saved(session)).toMatchObject({ step: 'consent', decision: null });
    expect((await decide('approve')).status).toBe(200);
    const [, given] = await auditTrailOf(api, (await saved(session)).organization_id);
    expect(given).toMatchObject({ action: 'organization.consent_given', details: { client_id: null } });
    expect((await consent('deny')).body.code).toBe('onboarding_session_used');
  });

  it('requires its own CSRF token, and one of two decisions', async () => {
    const { session, consent } = await ready();
    expect((await consent('approve', 'wrong')).body.code).toBe('csrf_token_invalid');
    expect(await auditTrailOf(api, (await saved(session)).organization_id)).toHaveLength(1);
    expect((await consent('maybe')).body.errors).toMatchObject([
      { pointer: '/decision', code: 'invalid_enum' },
    ]);
  });
});

it('returns 404 where onboarding is not configured', async () => {
  const plain = await createTestApi({ beside: api });
  try {
    for (const path of ['/api/oauth/sign-in', '/api/v1/oauth/session/x', '/api/oauth/create-org']) {
      const answer = await request(plain.app).get(path);
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    }
  } finally {
    await plain.close();
  }
});

it('handles other methods and paths like the rest of the API', async () => {
  const wrong = await dave('get', '/oauth/create-org');
  expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST']);
  expect((await dave('get', '/oauth/nothing')).status).toBe(404);
});
