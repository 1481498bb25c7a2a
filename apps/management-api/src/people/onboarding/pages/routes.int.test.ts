import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import request from 'supertest';
import { z } from 'zod';
import { auditTrailOf, clientOf } from '../../../testing/client.ts';
import { Browser, createOnboardingScene, type OnboardingScene } from '../../../testing/onboarding-scene.ts';
import { ISSUER } from '../../../testing/test-api.ts';
import { createSealedCookie } from '../sealed-cookie.ts';

const APP = 'https://app.example/welcome?from=legate';
const OTHER_APP = 'https://other.example/';
/** An application whose client at the identity provider is not configured */
const UNKNOWN_APP = 'https://unknown.example/';
const HOME = 'https://api.example/onboarding';

let scene: OnboardingScene;
/** A scene over http, without an application, and with rate limits */
let local: OnboardingScene;
let browser: Browser;
let user: { sub: string; email: string; name: string };
beforeAll(async () => {
  scene = await createOnboardingScene({
    returnTo: [APP, OTHER_APP, UNKNOWN_APP],
    clients: { [APP]: 'frontend-app', [OTHER_APP]: 'other-app' },
  });
  local = await createOnboardingScene({
    publicUrl: 'http://localhost:4000',
    limited: true,
    beside: scene.api,
  });
});
afterAll(() => Promise.all([scene.api.close(), local.api.close()]));
beforeEach(() => {
  scene.newIdp();
  browser = new Browser(scene.api.app);
  user = { sub: `user_${randomUUID()}`, email: 'dave@newco.example', name: 'Dave' };
});

const signIn = (claims: object = user) => browser.signIn(scene.idp, claims);
const codeOf = ({ text }: { text: string }) => /Error code: <code>(\w+)<\/code>/.exec(text)?.[1];
const sessionOf = ({ text }: { text: string }) => /name="session" value="([^"]+)"/.exec(text)?.[1] ?? '';
const titleOf = ({ text }: { text: string }) => /<title>(.*) · Legate<\/title>/.exec(text)?.[1];

const saved = (session: string) =>
  scene.api.database.asOwner(async (owner) => {
    const { rows } = await owner.query('SELECT * FROM onboarding_sessions WHERE id = $1', [session]);
    return rows[0];
  });

describe('every page', () => {
  it('runs no scripts, cannot be framed or cached, and loads only its style sheet', async () => {
    for (const page of [
      await browser.get('/onboarding'),
      await signIn(),
      await browser.get('/onboarding/x'),
    ]) {
      expect(page.type).toBe('text/html');
      expect(page.headers).toMatchObject({
        'content-security-policy':
          "default-src 'none';style-src 'self';img-src 'self' data:;form-action 'self';frame-ancestors 'none';base-uri 'none'",
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });

  it('has a style sheet that can be cached forever, under a versioned name', async () => {
    const { text } = await browser.get('/onboarding');
    const path = /<link rel="stylesheet" href="([^"]+)"/.exec(text)?.[1] ?? '';
    const sheet = await browser.get(path);
    expect([sheet.status, sheet.type, sheet.headers['cache-control']]).toEqual([
      200,
      'text/css',
      'public, max-age=31536000, immutable',
    ]);
  });
});

describe('the pages of onboarding', () => {
  it('lead from the sign-in to an organization, a consent, and the application', async () => {
    const start = await browser.get(`/onboarding?return_to=${encodeURIComponent(APP)}`);
    expect(start.text).toContain('<bdi>app.example</bdi>');
    const link = /class="button" href="([^"]+)"/.exec(start.text)?.[1] ?? '';
    expect(link).toBe(`${HOME}/sign-in?return_to=${encodeURIComponent(APP)}`);

    const form = await browser.signIn(scene.idp, user, link);
    expect([form.status, titleOf(form)]).toEqual([200, 'Create your organization']);
    expect(form.text).toMatch(/<input id="name" name="name" value="Newco" /);
    expect(form.text).toContain('Signed in as <bdi>Dave</bdi> (<bdi>dave@newco.example</bdi>)');
    const session = sessionOf(form);
    expect((await saved(session)).browser_hash).toHaveLength(32);

    const consent = await browser.submit(form, { name: 'Newco Ltd' });
    expect([consent.status, titleOf(consent)]).toEqual([200, 'Allow access']);
    for (const text of ['app.example', 'frontend-app', 'Newco Ltd', APP]) {
      expect(consent.text).toContain(`<bdi>${text}</bdi>`);
    }
    expect(consent.text).toContain('<dd>None yet</dd>');

    const done = await browser.submit(consent, { decision: 'approve' });
    expect([done.status, titleOf(done)]).toEqual([200, 'Access allowed']);
    expect(done.text).toContain('must sign you in again');
    expect(done.text).toContain(`<a class="button" href="${APP}">Continue to <bdi>app.example</bdi></a>`);
    const { step, decision, organization_id: id } = await saved(session);
    expect([step, decision]).toEqual(['done', 'approve']);
    expect([...scene.idp.organizations]).toEqual([
      [session, { id, name: 'Newco Ltd', external_id: session }],
    ]);
    const [created] = await auditTrailOf(scene.api, id);
    expect(created).toMatchObject({
      action: 'organization.created',
      actor: { type: 'user', id: user.sub, email: user.email },
    });
  });

  it('are fewer for a user who has an organization', async () => {
    const consent = await signIn({ ...user, organization_id: 'org_of_before' });
    expect(titleOf(consent)).toBe('Allow access');
    expect(consent.text).toContain('<bdi>org_of_before</bdi>');
  });

  it('report a refusal to the application, and let the user decide again', async () => {
    const consent = await browser.submit(await signIn(), { name: 'Newco' });
    const done = await browser.submit(consent, { decision: 'deny' });
    expect(titleOf(done)).toBe('Access not allowed');
    expect(done.text).toContain('href="https://app.example/welcome?from=legate&amp;code=consent_denied"');
    expect(done.text).toContain(`href="${HOME}/sign-in?return_to=${encodeURIComponent(APP)}"`);

    const { organization_id } = await saved(sessionOf(consent));
    const through = async (client_id: string) => {
      const client = await clientOf(scene.api, organization_id, { ...user, client_id });
      return (await client('get', '/sites')).status;
    };
    expect([await through('frontend-app'), await through('other-app')]).toEqual([403, 200]);
    const again = await signIn({ ...user, organization_id });
    expect(again.text).toMatch(/Legate refuses every request that <bdi>app.example<\/bdi> sends for you/);
    expect(titleOf(await browser.submit(again, { decision: 'approve' }))).toBe('Access allowed');
    expect(await through('frontend-app')).toBe(200);
    const decisions = (await auditTrailOf(scene.api, organization_id)).slice(1);
    expect(decisions.map(({ action, details }) => [action, details])).toEqual([
      ['organization.consent_denied', { client_id: 'frontend-app' }],
      ['organization.consent_given', { client_id: 'frontend-app' }],
    ]);
  });

  it('ask nothing about an unknown application, and end without a consent', async () => {
    const start = `/onboarding/sign-in?return_to=${encodeURIComponent(UNKNOWN_APP)}`;
    const form = await browser.signIn(scene.idp, user, start);
    expect(form.text).toContain('Step 2 of 2');
    const session = sessionOf(form);
    const ready = await browser.submit(form, { name: 'Newco' });
    expect([ready.status, titleOf(ready)]).toEqual([200, 'Your organization is ready']);
    expect(ready.text).toContain(`href="${UNKNOWN_APP}">Continue to <bdi>unknown.example</bdi></a>`);
    expect(ready.text).not.toContain('<form');
    const { step, decision, organization_id } = await saved(session);
    expect([step, decision]).toEqual(['done', 'approve']);
    expect(titleOf(await browser.get('/onboarding'))).toBe('Your organization is ready');
    expect((await auditTrailOf(scene.api, organization_id)).map(({ action }) => action)).toEqual([
      'organization.created',
    ]);
  });

  it('refuse a denial of an unknown application, which only a forged form contains', async () => {
    const start = `/onboarding/sign-in?return_to=${encodeURIComponent(UNKNOWN_APP)}`;
    const begun = await browser.get(start);
    const claims = { email_verified: true, ...user, organization_id: 'org_unknown_app' };
    await browser.get(`/api/oauth/callback${scene.idp.authorize(String(begun.headers.location), claims)}`);
    const [{ id: session }] = await scene.api.database.asOwner(
      async (owner) =>
        (await owner.query('SELECT id FROM onboarding_sessions WHERE user_id = $1', [user.sub])).rows,
    );
    const client = await clientOf(scene.api, undefined, { ...user, client_id: 'any' });
    const { csrfToken: csrf_token } = (await client('get', `/oauth/session/${session}`)).body;
    const denied = await browser.post('/onboarding/consent', { session, csrf_token, decision: 'deny' });
    expect([denied.status, codeOf(denied)]).toEqual([409, 'client_unknown']);
    expect((await saved(session)).step).toBe('consent');
  });

  it('work without an application', async () => {
    const own = new Browser(local.api.app);
    const form = await own.signIn(local.idp, user, '/api/oauth/sign-in');
    expect(titleOf(form)).toBe('Create your organization');
    const ready = await own.submit(form, { name: 'Newco' });
    expect(ready.text).toContain('sign in at your application');
    expect(ready.text).not.toContain('Continue to');
  });

  it('start again for another user on request', async () => {
    const start = `/onboarding/sign-in?return_to=${encodeURIComponent(OTHER_APP)}`;
    const form = await browser.signIn(scene.idp, user, start);
    const link = /href="([^"]+)">Not you\?/.exec(form.text)?.[1] ?? '';
    const url = new URL(link.replaceAll('&amp;', '&'));
    expect(url.searchParams.get('return_to')).toBe(OTHER_APP);
    const begun = await browser.get(url.href);
    expect(new URL(String(begun.headers.location)).searchParams.get('prompt')).toBe('login');
  });
});

describe('reloading, going back and clicking twice', () => {
  it('shows the current step, whatever page was shown before', async () => {
    const form = await signIn();
    expect((await browser.get('/onboarding')).text).toBe(form.text);
    const consent = await browser.submit(form, { name: 'Newco' });
    expect((await browser.get('/onboarding')).text).toBe(consent.text);
    const done = await browser.submit(consent, { decision: 'approve' });
    expect((await browser.get('/onboarding')).text).toBe(done.text);
  });

  it('creates one organization for two clicks, and shows both the same page', async () => {
    const form = await signIn();
    const pages = await Promise.all([1, 2].map(() => browser.send(form, { name: 'Newco' })));
    expect(pages.map(({ status, headers }) => [status, headers.location])).toEqual([
      [303, '/onboarding'],
      [303, '/onboarding'],
    ]);
    expect(titleOf(await browser.get('/onboarding'))).toBe('Allow access');
    expect(scene.idp.organizations.size).toBe(1);
  });

  it('shows a waiting page while the identity provider is slow', async () => {
    const form = await signIn();
    const held = scene.idp.hold('create');
    const first = browser.send(form, { name: 'Newco' });
    await Promise.race([held.arrived, first]);
    const waiting = await browser.submit(form, { name: 'Newco' });
    expect(titleOf(waiting)).toBe('Your organization is being created');
    expect(waiting.text).toContain('<meta http-equiv="refresh" content="2">');
    held.release();
    await first;
    expect(titleOf(await browser.get('/onboarding'))).toBe('Allow access');
  });

  it('accepts an old form again, and refuses another name', async () => {
    const form = await signIn();
    await browser.submit(form, { name: 'Newco' });
    expect(titleOf(await browser.submit(form, { name: 'Newco' }))).toBe('Allow access');
    const other = await browser.submit(form, { name: 'Other' });
    expect([other.status, codeOf(other)]).toEqual([409, 'onboarding_session_conflict']);
    expect(scene.idp.organizations.size).toBe(1);
  });

  it('accepts the same decision twice, but not another one', async () => {
    const consent = await browser.submit(await signIn(), { name: 'Newco' });
    const twice = await Promise.all([1, 2].map(() => browser.send(consent, { decision: 'deny' })));
    expect(twice.map(({ status }) => status)).toEqual([303, 303]);
    const other = await browser.submit(consent, { decision: 'approve' });
    expect([other.status, codeOf(other)]).toEqual([409, 'onboarding_session_used']);
    expect((await saved(sessionOf(consent))).decision).toBe('deny');
  });

  it('refuses a form of a completed step', async () => {
    const form = await signIn();
    const consent = await browser.submit(form, { name: 'Newco' });
    await browser.submit(consent, { decision: 'approve' });
    const late = await browser.submit(form, { name: 'Newco' });
    expect([late.status, codeOf(late)]).toEqual([409, 'onboarding_session_used']);
  });
});

describe('a form', () => {
  it.each([
    ['empty', '', 'Must not be empty.'],
    ['blank', '  ', 'Must not be empty.'],
    ['of 101 characters', 'x'.repeat(101), 'Must be at most 100 characters long.'],
    [
      'with a control character',
      'New\u0007co',
      'Must not contain control, invisible, private or unassigned characters.',
    ],
  ])('with a name that is %s is shown again, with the error at the field', async (_case, name, fault) => {
    const again = await browser.submit(await signIn(), { name });
    expect([again.status, titleOf(again)]).toEqual([400, 'Error: Create your organization']);
    expect(again.text).toContain(`<p class="fault" id="name-fault">Error: ${fault}</p>`);
    expect(again.text).toContain(`name="name" value="${name}"`);
    expect(titleOf(await browser.submit(again, { name: 'Newco' }))).toBe('Allow access');
  });

  it('with a wrong CSRF token changes nothing', async () => {
    const form = await signIn();
    const refused = await browser.submit(form, { name: 'Newco', csrf_token: 'wrong' });
    expect([refused.status, codeOf(refused)]).toEqual([403, 'csrf_token_invalid']);
    const consent = await browser.submit(form, { name: 'Newco' });
    // The token of the previous step
    const { csrf_token } = /name="csrf_token" value="(?<csrf_token>[^"]+)"/.exec(form.text)?.groups ?? {};
    const stale = await browser.submit(consent, { decision: 'approve', csrf_token: csrf_token ?? '' });
    expect([stale.status, codeOf(stale)]).toEqual([403, 'csrf_token_invalid']);
    expect((await saved(sessionOf(consent))).step).toBe('consent');
  });

  it.each(['cross-site', 'same-site'])('from a %s page is refused', async (site) => {
    const refused = await browser.send(await signIn(), { name: 'Newco' }, { 'Sec-Fetch-Site': site });
    expect([refused.status, codeOf(refused)]).toEqual([403, 'cross_site_request']);
    expect(scene.idp.organizations.size).toBe(0);
  });

  it('requires the cookie of the browser that signed in: session and token are no proof', async () => {
    const form = await signIn();
    const thief = new Browser(scene.api.app);
    const refused = await thief.send(form, { name: 'Newco' });
    expect([refused.status, codeOf(refused)]).toEqual([404, 'onboarding_session_not_found']);
    await thief.signIn(scene.idp, { ...user, sub: 'user_mallory' });
    const crossed = await thief.send(form, { name: 'Newco' });
    expect([crossed.status, codeOf(crossed)]).toEqual([409, 'onboarding_signed_in_again']);
    expect(scene.idp.organizations.size).toBe(0);
  });

  it('of an older sign-in in the same browser is refused, and the page links to the newer session', async () => {
    const old = await signIn();
    const newer = await signIn();
    const refused = await browser.submit(old, { name: 'Newco' });
    expect([refused.status, codeOf(refused)]).toEqual([409, 'onboarding_signed_in_again']);
    expect(refused.text).toContain('href="/onboarding"');
    expect((await browser.get('/onboarding')).text).toBe(newer.text);
  });

  it.each<[string, string, object | string, Record<string, string>, number, string]>([
    ['a decision that is none', '/onboarding/consent', { decision: 'maybe' }, {}, 400, 'validation_failed'],
    [
      'a field that is not known',
      '/onboarding/create-org',
      { name: 'N', plan: 'pro' },
      {},
      400,
      'validation_failed',
    ],
    ['a repeated field', '/onboarding/create-org', 'name=a&name=b', {}, 400, 'validation_failed'],
    [
      'JSON',
      '/onboarding/create-org',
      '{}',
      { 'Content-Type': 'application/json' },
      415,
      'unsupported_media_type',
    ],
    ['too much', '/onboarding/create-org', `name=${'x'.repeat(40_000)}`, {}, 413, 'validation_failed'],
    [
      'a charset that is none',
      '/onboarding/create-org',
      'name=x',
      { 'Content-Type': 'application/x-www-form-urlencoded; charset=x' },
      415,
      'validation_failed',
    ],
  ])('with %s gets a page that explains it', async (_case, path, fields, headers, status, code) => {
    const session = sessionOf(await signIn());
    const form = { session, csrf_token: 'x' };
    const body = typeof fields === 'string' ? fields : { ...form, ...fields };
    const refused = await browser.post(path, body, headers);
    expect([refused.status, refused.type, codeOf(refused)]).toEqual([status, 'text/html', code]);
  });

  it('shows any name unchanged, and never returns a server error', async () => {
    const form = await signIn();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 120 }),
          fc.string({
            unit: fc.constantFrom('<', '>', '"', "'", '&', '%', '+', '\u0000', '\u202e', '😀'),
            maxLength: 120,
          }),
        ),
        async (name) => {
          // A token that is never valid, so that each name is shown in the same form
          const answer = await browser.send(form, { name, csrf_token: 'wrong' });
          expect([400, 403]).toContain(answer.status);
          if (answer.status === 400) {
            const value = /name="name" value="([^"]*)"/.exec(answer.text)?.[1];
            expect(value).not.toMatch(/[<>"']/);
          }
        },
      ),
      runs(30),
    );
  });

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['an attribute', '" autofocus onfocus="alert(1)'],
    ['a template', '<%= it.context.csrfToken %>'],
  ])('and pages after it escape a name with %s', async (_case, name) => {
    const claims = { ...user, name, email: `${name.replace(/\s/g, '')}@newco.example` };
    const consent = await browser.submit(await signIn(claims), { name });
    expect(titleOf(consent)).toBe('Allow access');
    const done = await browser.submit(consent, { decision: 'approve' });
    for (const { text } of [consent, done]) {
      expect(text).not.toMatch(/<script|onfocus="|<%=/);
      expect(text).toMatch(/<bdi>[^<]*<\/bdi>/);
    }
  });

  it('isolates a bidirectional name of a user, and refuses such a name for an organization', async () => {
    const form = await signIn({ ...user, name: 'evaD\u202e' });
    expect(form.text).toContain('<bdi>evaD\u202e</bdi>');
    const refused = await browser.submit(form, { name: 'ocweN\u202e' });
    expect([refused.status, titleOf(refused)]).toEqual([400, 'Error: Create your organization']);
  });
});

describe('a cookie', () => {
  const cookie = () => browser.cookies.get('__Host-onboarding') ?? '';

  it('is limited to our service, this host, https and 30 minutes', async () => {
    const begun = await browser.get('/onboarding/sign-in');
    const back = await browser.get(
      `/api/oauth/callback${scene.idp.authorize(String(begun.headers.location), user)}`,
    );
    expect([back.status, back.headers.location]).toEqual([303, HOME]);
    expect(back.headers['set-cookie']).toContainEqual(
      expect.stringMatching(
        /^__Host-onboarding=[\w-]+; Max-Age=1800; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
      ),
    );
    expect(Buffer.from(cookie(), 'base64url').toString('latin1')).not.toContain(user.sub);
  });

  it('has no prefix in development over http, where browsers would refuse it', async () => {
    const own = new Browser(local.api.app);
    expect(titleOf(await own.signIn(local.idp, user))).toBe('Create your organization');
    expect([...own.cookies.keys()]).toEqual(['onboarding']);
  });

  it('has no effect after it was altered', async () => {
    await signIn();
    browser.cookies.set('__Host-onboarding', `${cookie().slice(0, -4)}AAAA`);
    expect(titleOf(await browser.get('/onboarding'))).toBe('Set up your organization');
  });

  it.each([
    ['with another secret', { secret: 'x' }],
    ['of a session that never was', { sessionId: '00000000-0000-4000-8000-000000000000' }],
    ['of another user', { userId: 'user_mallory' }],
  ])('%s opens no session, and is deleted', async (_case, change) => {
    const sealed = createSealedCookie({
      name: 'onboarding',
      schema: z.record(z.string(), z.string()),
      maxAgeSeconds: 60,
      keys: scene.keys,
      secure: true,
    });
    const good = { sessionId: sessionOf(await signIn()), userId: user.sub, secret: 'y', returnTo: APP };
    const response = {
      cookie: (_name: string, value: string) => browser.cookies.set('__Host-onboarding', value),
    };
    sealed.set(response as never, { ...good, ...change });
    const refused = await browser.get('/onboarding');
    expect([refused.status, codeOf(refused)]).toEqual([404, 'onboarding_session_not_found']);
    expect(browser.cookies.size).toBe(0);
  });

  it('is not set for a session in an application, which our pages cannot open', async () => {
    await browser.signIn(scene.idp, user, `/api/oauth/sign-in?return_to=${encodeURIComponent(OTHER_APP)}`);
    expect(browser.cookies.size).toBe(0);
    const hash = await scene.api.database.asOwner(async (owner) => {
      const { rows } = await owner.query('SELECT browser_hash FROM onboarding_sessions WHERE user_id = $1', [
        user.sub,
      ]);
      return rows;
    });
    expect(hash).toEqual([{ browser_hash: null }]);
  });
});

describe('shows a person an error page', () => {
  it('once, when the session has expired, with a link back to the same application', async () => {
    const form = await browser.signIn(
      scene.idp,
      user,
      `/onboarding/sign-in?return_to=${encodeURIComponent(OTHER_APP)}`,
    );
    scene.api.advanceSeconds(601);
    const late = await browser.submit(form, { name: 'Newco' });
    expect([late.status, codeOf(late)]).toEqual([410, 'onboarding_session_expired']);
    expect(late.text).toContain(`/sign-in?return_to=${encodeURIComponent(OTHER_APP)}`);
    expect(titleOf(await browser.get('/onboarding'))).toBe('Set up your organization');
  });

  it('if the user has an organization already, with which the next sign-in continues', async () => {
    const form = await signIn();
    const other = new Browser(scene.api.app);
    await other.submit(await other.signIn(scene.idp, user), { name: 'Newco' });
    const second = await browser.submit(form, { name: 'Second' });
    expect([second.status, codeOf(second)]).toEqual([409, 'organization_exists']);
    const [organization, ...others] = scene.idp.organizations.values();
    expect(others).toEqual([]);
    const consent = await signIn({ ...user, organization_id: organization?.id });
    expect(titleOf(consent)).toBe('Allow access');
    expect(consent.text).toContain('<bdi>Newco</bdi>');
  });

  it('while another tab is creating an organization', async () => {
    const form = await signIn();
    const held = scene.idp.hold('create');
    const first = browser.send(form, { name: 'Newco' });
    await Promise.race([held.arrived, first]);
    const other = new Browser(scene.api.app);
    const second = await other.submit(await other.signIn(scene.idp, user), { name: 'Newco' });
    expect([second.status, titleOf(second)]).toEqual([409, 'Error: Create your organization']);
    expect(second.text).toContain('You asked for it in another tab');
    held.release();
    await first;
  });

  it.each([
    ['create', 'before', 503],
    ['create', 401, 502],
    ['add-member', 'after', 503],
  ] as const)(
    'when the identity provider fails at %s (%s), with the name kept for another try',
    async (call, how, status) => {
      const form = await signIn();
      scene.idp.failNext(call, how);
      const failed = await browser.submit(form, { name: 'Newco & Sons' });
      expect([failed.status, titleOf(failed)]).toEqual([status, 'Error: Create your organization']);
      expect(failed.text).toMatch(
        /<p class="alert" role="alert" tabindex="-1" autofocus>The identity provider/,
      );
      expect(failed.text).toContain('value="Newco &amp; Sons"');
      expect(titleOf(await browser.submit(failed, { name: 'Newco & Sons' }))).toBe('Allow access');
    },
  );

  it('when the identity provider refuses the user', async () => {
    const begun = await browser.get(`/onboarding/sign-in?return_to=${encodeURIComponent(OTHER_APP)}`);
    const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? '';
    const back = await browser.get(
      `/api/oauth/callback?${new URLSearchParams({ error: 'access_denied', state, iss: ISSUER })}`,
    );
    const page = await browser.get(String(back.headers.location));
    expect([page.status, codeOf(page)]).toEqual([403, 'idp_access_denied']);
    expect(page.text).toContain(`/sign-in?return_to=${encodeURIComponent(OTHER_APP)}`);
  });

  it('when a sign-in began in another browser; a program gets a problem', async () => {
    const page = await browser.get('/api/oauth/callback?code=x&state=y');
    expect([page.status, page.type, codeOf(page)]).toEqual([400, 'text/html', 'oauth_state_invalid']);
    expect(page.headers['content-security-policy']).toContain("style-src 'self'");
    const program = await request(scene.api.app).get('/api/oauth/callback?code=x&state=y');
    expect([program.status, program.body.code]).toEqual([400, 'oauth_state_invalid']);
    for (const { headers } of [page, program]) expect(headers.vary).toContain('Accept');
  });

  it.each(['/onboarding', '/onboarding/sign-in', '/api/oauth/sign-in'])(
    'if %s is called with an unknown page to return to',
    async (path) => {
      const refused = await browser.get(`${path}?return_to=https://evil.example/`);
      expect([refused.status, codeOf(refused), refused.headers.location]).toEqual([
        400,
        'validation_failed',
        undefined,
      ]);
      expect(refused.text).not.toContain('evil.example');
    },
  );

  it('for an unknown page or method', async () => {
    const missing = await browser.get('/onboarding/nothing');
    expect([missing.status, codeOf(missing)]).toEqual([404, 'not_found']);
    const method = await request(scene.api.app).delete('/onboarding');
    expect([method.status, method.headers.allow, codeOf(method)]).toEqual([
      405,
      'GET, HEAD',
      'method_not_allowed',
    ]);
  });

  it('after too many attempts', async () => {
    const own = new Browser(local.api.app);
    const form = await own.signIn(local.idp, user);
    for (let i = 0; i < 10; i++) expect((await own.submit(form, { name: ' ' })).status).toBe(400);
    const refused = await own.submit(form, { name: 'Newco' });
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500);
  });

  it('when the organization is suspended, or the user is no longer a member', async () => {
    const claims = { ...user, organization_id: 'org_of_the_past' };
    const setStatus = (table: string) =>
      scene.api.database.asOwner((owner) => owner.query(table, ['org_of_the_past']));
    await signIn(claims);
    await setStatus("UPDATE organizations SET status = 'suspended' WHERE id = $1");
    scene.api.advanceSeconds(31);
    const suspended = await browser.get('/onboarding');
    expect([suspended.status, codeOf(suspended)]).toEqual([403, 'organization_suspended']);
    await setStatus("UPDATE organizations SET status = 'active' WHERE id = $1");
    await scene.api.database.asOwner((owner) =>
      owner.query(
        `INSERT INTO members (organization_id, user_id, id, role, removed_at)
         VALUES ('org_of_the_past', $1, 'mem_past', 'owner', now())
         ON CONFLICT (organization_id, user_id) DO UPDATE SET removed_at = now()`,
        [user.sub],
      ),
    );
    scene.api.advanceSeconds(31);
    const removed = await browser.get('/onboarding');
    expect([removed.status, codeOf(removed)]).toEqual([403, 'membership_revoked']);
  });
});
