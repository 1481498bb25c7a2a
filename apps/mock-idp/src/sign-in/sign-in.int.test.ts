import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as openid from 'openid-client';
import { createBrowser, type Page } from '../testing/browser.ts';
import { admin } from '../testing/exchange.ts';
import { listen } from '../testing/listen.ts';
import { MANAGEMENT_API, PASSWORD } from '../testing/scene.ts';
import { ALICE, beginSignIn, discover, REDIRECT_URI, signIn } from '../testing/sign-in.ts';

let world: Awaited<ReturnType<typeof listen>>;
const noise = jest.fn();
beforeAll(async () => {
  for (const method of ['log', 'info', 'warn', 'error'] as const)
    jest.spyOn(console, method).mockImplementation(noise);
});
beforeEach(async () => {
  world = await listen();
});
afterEach(async () => {
  await world.close();
  expect(noise).not.toHaveBeenCalled(); // a service writes only to its log
});
afterAll(() => {
  jest.restoreAllMocks();
});

describe('signing in', () => {
  it('issues an ID token for one hour with the user and the organization, whatever the scope', async () => {
    const { tokens, callback } = await signIn(world.issuer);
    const claims = decodeJwt(tokens.id_token ?? '');
    expect(claims).toMatchObject({
      iss: world.issuer,
      aud: 'app',
      sub: 'user_alice',
      email: 'alice@acme.example',
      email_verified: true,
      name: 'Alice',
      organization_id: 'org_acme',
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3600);
    expect(decodeProtectedHeader(tokens.id_token ?? '').alg).toBe('RS256');
    expect(callback.searchParams.get('iss')).toBe(world.issuer); // RFC 9207
    expect(tokens.refresh_token).toBeUndefined();
  });

  it('issues an access token that UserInfo accepts', async () => {
    const { client, tokens } = await signIn(world.issuer, { scope: 'openid email profile' });
    const userInfo = await openid.fetchUserInfo(client, tokens.access_token, 'user_alice');
    expect(userInfo).toMatchObject({ email: 'alice@acme.example', name: 'Alice' });
  });

  it('does not ask for the password again in the same browser, except with prompt=login', async () => {
    const { client, browser } = await signIn(world.issuer);
    expect((await browser.leave((await beginSignIn(client)).url)).searchParams.get('code')).toBeTruthy();
    const page = await browser.open((await beginSignIn(client, { prompt: 'login' })).url);
    expect(page.root.querySelector('#password')).not.toBeNull();
  });

  it('asks for the password again when the signed-in user was disabled', async () => {
    const { client, browser } = await signIn(world.issuer);
    await admin(world).patch('/users/user_alice').send({ disabled: true }).expect(200);
    const page = await browser.open((await beginSignIn(client)).url);
    expect(page.root.querySelector('#password')).not.toBeNull();
    const result = await browser.submit(page, ALICE);
    expect('page' in result && result.page.status).toBe(422);
  });

  it('adds the organization to the next token after the user has joined one', async () => {
    const dave = { email: 'dave@newco.example', password: PASSWORD };
    const before = await signIn(world.issuer, {}, { user: dave });
    expect(decodeJwt(before.tokens.id_token ?? '')).not.toHaveProperty('organization_id');
    await admin(world).post('/organizations').send({ id: 'org_newco', name: 'Newco' }).expect(201);
    await admin(world).post('/memberships').send({ user: dave.email, organization: 'org_newco' }).expect(201);
    const after = await signIn(world.issuer, {}, { user: dave });
    expect(decodeJwt(after.tokens.id_token ?? '').organization_id).toBe('org_newco');
  });

  it('can be cancelled: the client gets access_denied', async () => {
    const client = await discover(world.issuer);
    const browser = createBrowser();
    const page = await browser.open((await beginSignIn(client)).url);
    const result = await browser.submit(page, {}, 'form[action$="/cancel"]');
    expect('left' in result && result.left.searchParams.get('error')).toBe('access_denied');
    expect('left' in result && result.left.searchParams.get('iss')).toBe(world.issuer);
  });

  it('leaves no password, code or token in the log', async () => {
    const { tokens, callback } = await signIn(world.issuer, { scope: 'openid offline_access' });
    const secrets = [
      PASSWORD,
      callback.searchParams.get('code'),
      tokens.id_token,
      tokens.access_token,
      tokens.refresh_token,
    ];
    for (const secret of secrets) {
      expect(secret).toBeTruthy();
      expect(world.logged.join('\n')).not.toContain(secret);
    }
  });
});

describe('the authorization request', () => {
  it.each([
    ['openid alone', { scope: 'openid' }],
    ['without email or profile, with prompt=consent', { scope: 'openid offline_access', prompt: 'consent' }],
  ])('is granted with scope %s', async (_case, parameters) => {
    expect((await signIn(world.issuer, parameters)).tokens.id_token).toBeDefined();
  });

  it('without scope and resource gets the scope openid', async () => {
    const client = await discover(world.issuer);
    const { url } = await beginSignIn(client);
    const without = new URL(url);
    without.searchParams.delete('scope');
    const browser = createBrowser();
    const answer = await browser.submit(await browser.open(without.href), ALICE);
    expect('left' in answer && Object.fromEntries(answer.left.searchParams)).toMatchObject({
      code: expect.any(String),
    });
  });

  it.each([
    ['without code_challenge', { code_challenge: '' }],
    ['with a plain challenge', { code_challenge_method: 'plain' }],
    ['for another response type', { response_type: 'id_token' }],
    ['for a tool server, which takes no access token of ours', { resource: 'http://tools.example' }],
    ['for scopes that the client may not have', { resource: MANAGEMENT_API, scope: 'openid audit:write' }],
    ['without interaction where one is needed', { prompt: 'none' }],
  ])('%s redirects to the client with an error', async (_case, parameters) => {
    const { url } = await beginSignIn(await discover(world.issuer), parameters);
    const left = await createBrowser().leave(url);
    expect(`${left.origin}${left.pathname}`).toBe(REDIRECT_URI);
    const answer = new URLSearchParams(left.search || left.hash.slice(1)); // these response types use the fragment
    expect(answer.get('error')).toBeTruthy();
    expect(answer.get('iss')).toBe(world.issuer);
  });

  it.each([
    ['with another redirect URI', { redirect_uri: 'http://127.0.0.1:59999/elsewhere' }],
    ['with a redirect URI that is not loopback', { redirect_uri: 'http://evil.example/callback' }],
    ['of an unknown client', { client_id: 'nobody' }],
    ['with a repeated parameter', { client_id: ['app', 'app'] }],
  ])('%s shows an error page without a redirect', async (_case, parameters) => {
    const url = new URL((await beginSignIn(await discover(world.issuer))).url);
    for (const [name, value] of Object.entries(parameters)) {
      url.searchParams.delete(name);
      for (const item of [value].flat()) url.searchParams.append(name, item);
    }
    const page = await createBrowser().open(url.href);
    expect(page.status).toBe(400);
    expect(page.root.querySelector('[role=alert]')).not.toBeNull();
    expect(page.headers.get('content-security-policy')).toContain("form-action 'none'");
  });
});

describe('the authorization code', () => {
  it('is redeemed once; a second use revokes the tokens issued for it', async () => {
    const { client, callback, checks, tokens } = await signIn(world.issuer, {
      scope: 'openid offline_access',
    });
    await expect(openid.authorizationCodeGrant(client, callback, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(openid.refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('is not redeemed without its verifier, nor for another client', async () => {
    const client = await discover(world.issuer);
    const browser = createBrowser();
    const { url, checks } = await beginSignIn(client);
    const result = await browser.submit(await browser.open(url), ALICE);
    if (!('left' in result)) throw new Error('not signed in');
    const other = await discover(world.issuer, 'quiet-app');
    await expect(openid.authorizationCodeGrant(other, result.left, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const wrong = { ...checks, pkceCodeVerifier: openid.randomPKCECodeVerifier() };
    await expect(openid.authorizationCodeGrant(client, result.left, wrong)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('is redeemed only once by two concurrent requests', async () => {
    const client = await discover(world.issuer);
    const browser = createBrowser();
    const { url, checks } = await beginSignIn(client);
    const result = await browser.submit(await browser.open(url), ALICE);
    if (!('left' in result)) throw new Error('not signed in');
    const attempts = await Promise.allSettled(
      [1, 2, 3, 4].map(() => openid.authorizationCodeGrant(client, result.left, checks)),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('refresh tokens', () => {
  it.each([{}, { prompt: 'consent' }])(
    'are issued for offline_access with %j, and rotate',
    async (parameters) => {
      const { client, tokens } = await signIn(world.issuer, {
        scope: 'openid offline_access',
        ...parameters,
      });
      const next = await openid.refreshTokenGrant(client, tokens.refresh_token ?? '');
      expect(decodeJwt(next.id_token ?? '')).toMatchObject({
        sub: 'user_alice',
        organization_id: 'org_acme',
      });
      expect(next.refresh_token).not.toBe(tokens.refresh_token);
      // Reuse of a rotated token revokes the whole family (RFC 9700 §4.14.2).
      await expect(openid.refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      await expect(openid.refreshTokenGrant(client, next.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    },
  );

  it('are not issued to a client without the grant', async () => {
    const client = await discover(world.issuer, 'quiet-app');
    const browser = createBrowser();
    const { url, checks } = await beginSignIn(client, { scope: 'openid offline_access' });
    const result = await browser.submit(await browser.open(url), ALICE);
    if (!('left' in result)) throw new Error('not signed in');
    const tokens = await openid.authorizationCodeGrant(client, result.left, checks);
    expect(tokens.refresh_token).toBeUndefined();
  });

  it('are invalid after a revocation and after the user was disabled', async () => {
    const first = await signIn(world.issuer, { scope: 'openid offline_access' });
    await openid.tokenRevocation(first.client, first.tokens.refresh_token ?? '');
    await expect(
      openid.refreshTokenGrant(first.client, first.tokens.refresh_token ?? ''),
    ).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const second = await signIn(world.issuer, { scope: 'openid offline_access' });
    await admin(world).patch('/users/user_alice').send({ disabled: true }).expect(200);
    await expect(
      openid.refreshTokenGrant(second.client, second.tokens.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

describe('access tokens for an API', () => {
  it('are JWTs for that API, with the requested scopes and the organization', async () => {
    const { tokens } = await signIn(world.issuer, { resource: MANAGEMENT_API, scope: 'openid sites:read' });
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ typ: 'at+jwt', alg: 'RS256' });
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      iss: world.issuer,
      aud: MANAGEMENT_API,
      sub: 'user_alice',
      client_id: 'app',
      scope: 'sites:read',
      organization_id: 'org_acme',
      email: 'alice@acme.example',
      roles: ['admin'],
      jti: expect.any(String),
    });
    expect(decodeJwt(tokens.access_token)).not.toHaveProperty('name');
    expect(decodeJwt(tokens.id_token ?? '').organization_id).toBe('org_acme');
  });

  it('contain all scopes of the client if it requests none: no token is without scopes', async () => {
    const { tokens } = await signIn(world.issuer, { resource: `${MANAGEMENT_API}/`, scope: 'openid' });
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      aud: MANAGEMENT_API,
      scope: 'sites:read sites:write',
    });
  });

  it('keep to the granted scopes when refreshed, and cannot be refreshed to no scope', async () => {
    const { client, tokens } = await signIn(world.issuer, {
      resource: MANAGEMENT_API,
      scope: 'openid offline_access sites:read sites:write',
    });
    const next = await openid.refreshTokenGrant(client, tokens.refresh_token ?? '', {
      scope: 'openid sites:read',
    });
    expect(decodeJwt(next.access_token).scope).toBe('sites:read');
    await expect(
      openid.refreshTokenGrant(client, next.refresh_token ?? '', { scope: 'openid' }),
    ).rejects.toMatchObject({ error: 'invalid_scope' });
  });

  it('are issued to machines with client credentials', async () => {
    const client = await discover(world.issuer, 'hub', 'the-secret-of-the-hub');
    for (const [parameters, scope] of [
      [{}, 'audit:write internal:connectors'],
      [{ scope: 'audit:write' }, 'audit:write'],
    ] as const) {
      const tokens = await openid.clientCredentialsGrant(client, { resource: MANAGEMENT_API, ...parameters });
      expect(decodeJwt(tokens.access_token)).toMatchObject({
        aud: MANAGEMENT_API,
        sub: 'hub',
        client_id: 'hub',
        scope,
        organization_id: 'org_acme',
      });
    }
    for (const [parameters, error] of [
      [{ resource: MANAGEMENT_API, scope: 'sites:write' }, 'invalid_scope'],
      [{ resource: 'http://unknown.example' }, 'invalid_target'],
      [{}, 'invalid_target'],
    ] as const)
      await expect(openid.clientCredentialsGrant(client, parameters)).rejects.toMatchObject({ error });
  });
});

describe('the sign-in page', () => {
  const open = async (browser = createBrowser(), parameters = {}): Promise<Page> =>
    browser.open((await beginSignIn(await discover(world.issuer), parameters)).url);

  it('has a language, a title, a heading, and a label for every field', async () => {
    const { root, status, headers } = await open();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(root.querySelector('html')?.getAttribute('lang')).toBe('en');
    expect(root.querySelector('title')?.text).toContain('Sign in');
    expect(root.querySelectorAll('h1')).toHaveLength(1);
    for (const input of root.querySelectorAll('input'))
      expect(root.querySelector(`label[for=${input.id}]`)?.text).toBeTruthy();
    expect(root.querySelector('#email')?.getAttribute('autocomplete')).toBe('username');
    expect(root.querySelector('#password')?.getAttribute('autocomplete')).toBe('current-password');
    expect(root.querySelector('meta[name=viewport]')).not.toBeNull();
    expect(root.querySelectorAll('script, style, [style], [onclick]')).toHaveLength(0);
  });

  it('loads only its style sheet, and cannot be framed or cached', async () => {
    const { headers, root } = await open();
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; form-action 'self' http://127.0.0.1:59999 https://customer.example; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const style = root.querySelector('link[rel=stylesheet]')?.getAttribute('href') ?? '';
    const answer = await fetch(new URL(style, world.issuer));
    expect(answer.headers.get('content-type')).toMatch(/^text\/css/);
    expect(await answer.text()).toContain('prefers-color-scheme: dark');
  });

  it('escapes text from the request', async () => {
    const { root } = await open(createBrowser(), { login_hint: '"><script>alert(1)</script>' });
    expect(root.querySelector('strong')?.text).toBe('The <b>App</b>');
    expect(root.querySelector('b')).toBeNull();
    expect(root.querySelector('script')).toBeNull();
    expect(root.querySelector('#email')?.getAttribute('value')).toBe('"><script>alert(1)</script>');
  });

  it.each([
    ['a wrong password', { ...ALICE, password: 'wrong-password' }],
    ['an unknown address', { ...ALICE, email: 'nobody@acme.example' }],
    ['a disabled user', { email: 'gone@acme.example', password: PASSWORD }],
    ['a user id in the place of an address', { ...ALICE, email: 'user_alice' }],
    ['nothing at all', { email: '', password: '' }],
  ])('shows the same message at the same place for %s', async (_case, fields) => {
    const browser = createBrowser();
    const result = await browser.submit(await open(browser), fields);
    if (!('page' in result)) throw new Error('signed in');
    const { status, root } = result.page;
    expect(status).toBe(422);
    expect(root.querySelector('title')?.text).toMatch(/^Error: Sign in/);
    const alert = root.querySelector('[role=alert]');
    expect(alert?.text).toBe('E-mail address or password is wrong.');
    expect(root.querySelector('#password')?.getAttribute('aria-describedby')).toBe(alert?.id);
    expect(root.querySelector('#password')?.getAttribute('aria-invalid')).toBe('true');
    expect(root.querySelector('#password')?.getAttribute('value')).toBeUndefined();
    expect(root.querySelector('#email')?.getAttribute('value')).toBe(fields.email);
  });

  it('can be used again after a wrong password', async () => {
    const browser = createBrowser();
    const wrong = await browser.submit(await open(browser), { ...ALICE, password: 'wrong-password' });
    if (!('page' in wrong)) throw new Error('signed in');
    expect('left' in (await browser.submit(wrong.page, ALICE))).toBe(true);
  });

  it('accepts five attempts for one sign-in, then not even the right password', async () => {
    const browser = createBrowser();
    const page = await open(browser);
    for (let attempt = 0; attempt < 5; attempt += 1)
      await browser.submit(page, { ...ALICE, password: `wrong-${attempt}` });
    const result = await browser.submit(page, ALICE);
    expect('page' in result && result.page.status).toBe(429);
    expect('page' in result && result.page.headers.get('retry-after')).toBe('900');
  });

  it('accepts ten attempts for one account in 15 minutes, from all browsers together', async () => {
    for (let round = 0; round < 3; round += 1) {
      const browser = createBrowser();
      const page = await open(browser);
      for (let attempt = 0; attempt < 4; attempt += 1)
        await browser.submit(page, { ...ALICE, password: `wrong-${attempt}` });
    }
    await expect(signIn(world.issuer)).rejects.toThrow('429');
    world.advance(901);
    expect((await signIn(world.issuer)).tokens.id_token).toBeDefined();
  });

  it('works only in the browser that started the sign-in', async () => {
    const page = await open();
    const stranger = createBrowser();
    const answer = await stranger.open(page.url);
    expect([answer.status, answer.root.querySelector('form')]).toEqual([400, null]);
    const result = await stranger.submit(page, ALICE);
    expect('page' in result && result.page.status).toBe(400);
  });

  it('refuses a form that another site posts', async () => {
    const browser = createBrowser();
    const page = await open(browser);
    const answer = await browser.send(page.url, {
      method: 'POST',
      body: new URLSearchParams(ALICE).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'cross-site' },
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  it.each([
    ['a body that is too large', 'application/x-www-form-urlencoded', `email=${'a'.repeat(9000)}`, 413],
    ['JSON', 'application/json', JSON.stringify(ALICE), 422],
  ])('responds to %s with a page', async (_case, type, body, status) => {
    const browser = createBrowser();
    const page = await open(browser);
    const answer = await browser.send(page.url, { method: 'POST', body, headers: { 'Content-Type': type } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
  });
});

describe('signing out', () => {
  it('asks for confirmation, then ends the session and returns to the application', async () => {
    const { client, browser, tokens } = await signIn(world.issuer);
    const url = openid.buildEndSessionUrl(client, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'http://127.0.0.1:59999/',
      state: 'back',
    });
    const page = await browser.open(url.href);
    expect(page.root.querySelector('h1')?.text).toBe('Sign out?');
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:59999 https://customer.example",
    );
    const result = await browser.submit(page, { logout: 'yes' });
    expect('left' in result && result.left.href).toBe('http://127.0.0.1:59999/?state=back');
    const next = await browser.open((await beginSignIn(client)).url);
    expect(next.root.querySelector('#password')).not.toBeNull();
  });

  it('shows our own page if no application started it', async () => {
    const { browser } = await signIn(world.issuer);
    const result = await browser.submit(await browser.open(`${world.issuer}/oauth/logout`), {
      logout: 'yes',
    });
    expect('page' in result && result.page.root.querySelector('h1')?.text).toBe('Signed out');
  });

  it('refuses a redirect URI that is not registered, and a forged form', async () => {
    const { browser } = await signIn(world.issuer);
    const page = await browser.open(
      `${world.issuer}/oauth/logout?client_id=app&post_logout_redirect_uri=https://evil.example/`,
    );
    expect(page.status).toBe(400);
    const confirmation = await browser.open(`${world.issuer}/oauth/logout`);
    const forged = await browser.submit(confirmation, { logout: 'yes', xsrf: 'forged' });
    expect('page' in forged && forged.page.status).toBe(400);
  });
});

it('allows only the script of a page that submits its own form', async () => {
  const browser = createBrowser();
  const page = await browser.open(`${world.issuer}/oauth/logout`); // without a session there is nothing to confirm
  const [script] = page.root.querySelectorAll('script');
  const { createHash } = await import('node:crypto');
  const digest = createHash('sha256')
    .update(script?.innerHTML ?? '')
    .digest('base64');
  expect(page.headers.get('content-security-policy')).toContain(
    `script-src 'report-sample' 'sha256-${digest}'`,
  );
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
});
