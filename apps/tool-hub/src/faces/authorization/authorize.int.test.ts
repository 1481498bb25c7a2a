import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import {
  type AuthorizationScene,
  createAuthorizationScene,
  HUB,
  MCP,
  newBrowser,
  REDIRECT_URI,
  type TestBrowser,
} from '../../testing/authorization-scene.ts';

let scene: AuthorizationScene;
beforeEach(async () => {
  scene = await createAuthorizationScene();
});
afterEach(() => scene.stop());

const digestOf = (text: string) => hash('sha256', text, 'base64url');
const titleOf = ({ text }: { text: string }) => /<h1>(.*)<\/h1>/.exec(text)?.[1];

describe('a client that sends a user', () => {
  it('gets a code, its state and our issuer, and tokens for the code', async () => {
    const answer = await scene.authorize(newBrowser());
    expect(answer.href.split('?')[0]).toBe(REDIRECT_URI);
    expect([...answer.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect([answer.searchParams.get('state'), answer.searchParams.get('iss')]).toEqual(['the-state', HUB]);

    const redeemed = await scene.redeem(answer.searchParams.get('code') ?? '');
    expect([redeemed.status, redeemed.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(redeemed.body).toEqual({
      access_token: expect.stringMatching(/^lat_[A-Za-z0-9_-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^lrt_[A-Za-z0-9_-]{43}$/),
      scope: 'mcp',
    });
    expect((await scene.listTools(redeemed.body.access_token)).status).toBe(200);
  });

  it('stores tokens and codes under digests only, encrypted', async () => {
    const { access_token, refresh_token } = await scene.tokens();
    for (const [name, { value }] of scene.entries) {
      const stored = `${name} ${value.toString('latin1')}`;
      for (const token of [access_token, refresh_token]) expect(stored).not.toContain(token.slice(4));
      expect(stored).not.toContain('user_alice');
    }
  });

  it.each([
    ['none requested', undefined, MCP],
    ['that of /mcp with a trailing slash', `${MCP}/`, MCP],
    ['that of one connector', `${MCP}/con_tools`, `${MCP}/con_tools`],
  ])('gets a token for a resource: %s', async (_case, resource, expected) => {
    const { access_token } = await scene.tokens(newBrowser(), { resource });
    const statuses = [];
    for (const path of ['/mcp', '/mcp/con_tools', '/mcp/con_other'])
      statuses.push((await scene.listTools(access_token, path)).status);
    // With a token for /mcp, an unknown connector is 404. With a token for one connector, any other address is 401.
    expect(statuses).toEqual(expected === MCP ? [200, 200, 404] : [401, 200, 401]);
  });

  it('gets a code as usual if it also sends parameters that the hub does not support', async () => {
    const changes = {
      scope: 'openid offline_access profile',
      nonce: 'n',
      max_age: '0',
      acr_values: 'x',
      claims: '{}',
      id_token_hint: 'x',
      response_mode: 'form_post',
      request: 'x',
      prompt: 'consent',
    };
    const answer = await scene.authorize(newBrowser(), changes);
    expect(answer.searchParams.get('code')).toBeTruthy();
  });
});

it('requests a token to exchange at sign-in, although the identity provider does not list its scope', async () => {
  await scene.stop();
  scene = await createAuthorizationScene({}, { subjectScope: 'api://tool-hub/access_as_user' });
  scene.idp.misbehaviour.metadata = { scopes_supported: ['openid', 'offline_access'] };
  const browser = newBrowser();
  let answer = await scene.visit(browser, scene.authorizationUrl());
  while (answer.headers.location?.startsWith(scene.idp.issuer) === false)
    answer = await scene.visit(browser, answer.headers.location);
  const { searchParams } = new URL(answer.headers.location ?? '');
  expect(searchParams.get('scope')).toBe('openid offline_access api://tool-hub/access_as_user');
});

describe('the client gets an error for an authorization request', () => {
  it.each<[string, Record<string, string | undefined>, string]>([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with no method of PKCE', { code_challenge_method: undefined }, 'invalid_request'],
    ['for a token without a code', { response_type: 'token' }, 'unsupported_response_type'],
    ['for an ID token', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['for another resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['for a path beside ours', { resource: `${HUB}/mcpx` }, 'invalid_target'],
    ['for a resource above ours', { resource: `${HUB}/mcp/../admin` }, 'invalid_target'],
    ['that must not ask the user', { prompt: 'none' }, 'login_required'],
  ])('%s', async (_case, changes, error) => {
    const answer = await scene.visit(newBrowser(), scene.authorizationUrl(changes));
    const there = new URL(answer.headers.location ?? '');
    expect(`${there.origin}${there.pathname}`).toBe(REDIRECT_URI);
    // For `response_type=token` the response is in the fragment (RFC 6749 §4.2.2.1).
    const answered = there.search === '' ? new URLSearchParams(there.hash.slice(1)) : there.searchParams;
    expect(Object.fromEntries(answered)).toMatchObject({ error, state: 'the-state', iss: HUB });
  });

  it('for several resources', async () => {
    const url = `${scene.authorizationUrl({ resource: MCP })}&resource=${encodeURIComponent(`${MCP}/con_tools`)}`;
    const there = new URL((await scene.visit(newBrowser(), url)).headers.location ?? '');
    expect(there.searchParams.get('error')).toBe('invalid_target');
  });

  it('when the user denies it, and no session is opened', async () => {
    const browser = newBrowser('user_erin');
    const denied = await scene.decide(browser, await scene.begin(browser), 'deny');
    const there = new URL(denied.headers.location ?? '');
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the-state',
      iss: HUB,
    });
    expect(scene.idp.revoked.length).toBeGreaterThan(0);
  });

  /** Cancels at the identity provider. @returns the last response to the browser */
  async function cancelled(browser: TestBrowser, url: string) {
    const begun = await scene.visit(browser, url);
    const atProvider = await scene.visit(browser, begun.headers.location ?? '');
    const state = new URL(atProvider.headers.location ?? '').searchParams.get('state');
    const back = await scene.visit(browser, `/oauth/callback?error=access_denied&state=${state}`);
    return scene.follow(browser, back);
  }
  const errorAt = (place = '') => new URL(place).searchParams.get('error');

  it('when the user cancels at the identity provider', async () => {
    const { headers } = await cancelled(newBrowser(), scene.authorizationUrl());
    expect(errorAt(headers.location)).toBe('access_denied');
  });

  it('that is not registered here only when the user chooses to go back to it', async () => {
    const browser = newBrowser();
    const page = await cancelled(browser, scene.authorizationUrl({ client_id: 'stranger' }));
    expect([page.headers.location, titleOf(page)]).toEqual([undefined, 'You are not signed in']);
    const { headers } = await scene.decide(browser, page, 'deny');
    expect(errorAt(headers.location)).toBe('access_denied');
  });
});

describe('an authorization belongs to the browser that began it', () => {
  /** Sets the cookies that a page on a sibling host could set in another browser: all that are not `__Host-` */
  function plant(from: TestBrowser, into: TestBrowser): void {
    for (const [name, value] of from.cookies)
      if (!name.includes('legate-connect')) into.cookies.set(name, value);
  }

  it('and no other browser can see its pages', async () => {
    const [attacker, victim] = [newBrowser('user_mallory'), newBrowser('user_alice')];
    const begun = await scene.visit(attacker, scene.authorizationUrl());
    plant(attacker, victim);
    const page = await scene.visit(victim, begun.headers.location ?? '');
    expect([page.status, page.headers.location]).toEqual([400, undefined]);
    expect(titleOf(page)).toBe('This sign-in is no longer valid');
    expect((await scene.follow(attacker, begun)).status).toBe(200);
  });

  it('even if the user of another browser has allowed the client before', async () => {
    const [attacker, victim] = [newBrowser('user_mallory'), newBrowser('user_alice')];
    await scene.authorize(victim);
    const begun = await scene.visit(attacker, scene.authorizationUrl());
    plant(attacker, victim);
    const page = await scene.follow(victim, await scene.visit(victim, begun.headers.location ?? ''));
    expect([page.status, page.headers.location]).toEqual([400, undefined]);
  });

  it('and cannot be resumed in another one', async () => {
    const [victim, attacker] = [newBrowser('user_alice'), newBrowser('user_mallory')];
    const page = await scene.begin(victim);
    const decided = await scene.decideOnce(victim, page);
    plant(victim, attacker);
    const stolen = await scene.visit(attacker, decided.headers.location ?? '');
    expect([stolen.status, stolen.headers.location]).toEqual([400, undefined]);
    const own = await scene.visit(victim, decided.headers.location ?? '');
    expect(own.headers.location).toContain(`${REDIRECT_URI}?code=`);
  });

  it('whatever URL another browser is sent to', async () => {
    const [victim, attacker] = [newBrowser('user_alice'), newBrowser('user_mallory')];
    const decided = await scene.decideOnce(attacker, await scene.begin(attacker));
    const own = await scene.visit(victim, scene.authorizationUrl());
    plant(attacker, victim);
    const places = ['/oauth/authorize/anything', own.headers.location?.replace('interaction', 'authorize')];
    for (const place of places) {
      const planted = await scene.visit(victim, place ?? '');
      expect([planted.status, planted.headers.location]).toEqual([400, undefined]);
    }
    expect((await scene.visit(attacker, decided.headers.location ?? '')).status).toBe(303);
  });

  it('whatever browser the client names in its request', async () => {
    const [attacker, victim] = [newBrowser('user_mallory'), newBrowser('user_alice')];
    await scene.begin(victim);
    const [, value = ''] = [...victim.cookies].find(([name]) => name.includes('legate-connect')) ?? [];
    const begun = await scene.visit(attacker, scene.authorizationUrl({ legate_browser: digestOf(value) }));
    plant(attacker, victim);
    expect((await scene.visit(victim, begun.headers.location ?? '')).status).toBe(400);
  });
});

it('keeps a state of 2048 characters', async () => {
  const state = 'x'.repeat(2048);
  expect((await scene.authorize(newBrowser(), { state })).searchParams.get('state')).toBe(state);
});

describe('the browser is not redirected', () => {
  it.each<[string, Record<string, string | undefined>, string]>([
    ['for an unknown client', { client_id: 'nobody' }, 'Unknown application'],
    ['with a state of more than 2048 characters', { state: 'x'.repeat(2049) }, 'Invalid request'],
    ['without a client', { client_id: undefined }, 'Unknown application'],
    [
      'to a redirect URI that the client has not registered',
      { redirect_uri: 'https://evil.example/callback' },
      'This application sends you to a wrong address',
    ],
    [
      'to a longer redirect URI',
      { redirect_uri: `${REDIRECT_URI}/x` },
      'This application sends you to a wrong address',
    ],
    ['to no redirect URI, of several', { redirect_uri: undefined, client_id: 'two' }, 'Invalid request'],
  ])('%s', async (_case, changes, title) => {
    const answer = await scene.visit(newBrowser(), scene.authorizationUrl(changes));
    expect([answer.status, titleOf(answer)]).toEqual([400, title]);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['without PKCE', { code_challenge: undefined }],
    ['with an invalid challenge', { code_challenge: 'short' }],
    ['with plain PKCE', { code_challenge_method: 'plain' }],
    ['for a token without a code', { response_type: 'token' }],
    ['for another resource', { resource: 'https://evil.example/mcp' }],
  ])('to a client that is not registered here: %s', async (_case, changes) => {
    const url = scene.authorizationUrl({ ...changes, client_id: 'stranger' });
    const answer = await scene.visit(newBrowser(), url);
    expect([answer.status, titleOf(answer)]).toEqual([400, 'Invalid request']);
    expect(answer.headers.location).toBeUndefined();
  });

  it('to such a client if it sends prompt=none: the user is asked anyway', async () => {
    const url = scene.authorizationUrl({ prompt: 'none', client_id: 'stranger' });
    const browser = newBrowser();
    const page = await scene.follow(browser, await scene.visit(browser, url));
    expect([page.status, page.headers.location]).toEqual([200, undefined]);
  });

  it.each([
    'client_id=agent',
    'redirect_uri=https://evil.example',
    'state=x',
    'code_challenge=x',
    'unknown=1&unknown=2',
  ])('for a repeated parameter: %s', async (more) => {
    const answer = await scene.visit(newBrowser(), `${scene.authorizationUrl()}&${more}`);
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  });

  it('with another method than GET', async () => {
    const answer = await request(scene.app)
      .post('/oauth/authorize')
      .type('form')
      .send({ client_id: 'agent' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('a program on the computer of the user', () => {
  it('may use any port', async () => {
    const answer = await scene.authorize(newBrowser(), {
      client_id: 'native',
      redirect_uri: 'http://127.0.0.1:49152/callback',
    });
    expect(answer.origin).toBe('http://127.0.0.1:49152');
    const redeemed = await scene.redeem(answer.searchParams.get('code') ?? '', {
      client_id: 'native',
      redirect_uri: 'http://127.0.0.1:49152/callback',
    });
    expect(redeemed.status).toBe(200);
  });

  it('makes the hub ask its user each time, with a warning', async () => {
    const browser = newBrowser();
    for (let round = 0; round < 2; round += 1) {
      const page = await scene.begin(browser, {
        client_id: 'native',
        redirect_uri: 'http://127.0.0.1:1/callback',
      });
      expect(titleOf(page)).toBe('Let An agent use your tools?');
      expect(page.text).toContain('Any program on this computer could claim to be this application.');
      await scene.decide(browser, page);
    }
  });
});

describe('the page that asks the user', () => {
  it('shows which client asks, who vouches for it, where the browser will be sent, and who is signed in', async () => {
    const page = await scene.begin(newBrowser('user_bob'));
    expect(page.status).toBe(200);
    for (const text of ['An agent', 'agent.example', 'user_bob@acme.example', 'org_acme'])
      expect(page.text).toContain(text);
    const policy = page.headers['content-security-policy'];
    expect(policy).toContain("form-action 'self' https://agent.example");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect(page.headers['referrer-policy']).toBe('no-referrer');
  });

  it('escapes text of clients', async () => {
    scene.clients.set('evil', {
      clientId: 'evil',
      name: '<script>alert(1)</script>" onload="x',
      redirectUris: [REDIRECT_URI],
      vouchedBy: { kind: 'nobody' },
      secretHashes: [],
      isPublic: true,
    });
    const page = await scene.begin(newBrowser(), { client_id: 'evil' });
    expect(page.text).not.toContain('<script>');
    expect(page.text).toContain('&lt;script&gt;');
    expect(page.text).toContain('Nobody vouches for this name');
  });

  it('is not shown again for a client that somebody vouches for, until it changes', async () => {
    const browser = newBrowser('user_carol');
    expect((await scene.authorize(browser)).searchParams.has('code')).toBe(true);
    const again = await scene.begin(newBrowser('user_carol'));
    expect(new URL(again.headers.location ?? '').searchParams.has('code')).toBe(true);
    // Another resource, and then a changed client with the same id
    expect(
      titleOf(await scene.begin(newBrowser('user_carol'), { resource: `${MCP}/con_tools` })),
    ).toBeDefined();
    const former = scene.clients.get('agent');
    if (!former) throw new Error('no client');
    scene.clients.set('agent', {
      ...former,
      redirectUris: [...former.redirectUris, 'https://agent.example/other'],
    });
    expect(titleOf(await scene.begin(newBrowser('user_carol')))).toBe('Let An agent use your tools?');
    scene.clients.set('agent', former);
  });

  it.each([
    ['the name and the address', { name: 'Bob Baker' }, 'Bob Baker (user_bob@acme.example)'],
    ['the name', { name: 'Bob Baker', email: undefined }, 'Bob Baker'],
    ['the user name', { email: undefined, preferred_username: 'bob@acme' }, 'bob@acme'],
    ['the id, if the ID token has nothing else', { email: undefined, name: '' }, 'user_bob'],
    ['markup as text', { name: '<b>Bob</b>', email: undefined }, '&lt;b&gt;Bob&lt;/b&gt;'],
  ])('names the user by %s', async (_case, claims, shown) => {
    const browser = Object.assign(newBrowser('user_bob'), { claims });
    const page = await scene.begin(browser);
    expect(/<dt>You<\/dt>\s*<dd>(.*?)<\/dd>/.exec(page.text)?.[1]).toBe(shown);
  });

  it('lets the user choose another account', async () => {
    const browser = newBrowser('user_erin');
    const page = await scene.begin(browser);
    browser.signedInAs = 'user_frank';
    const link = /<a href="([^"]+)">Use another account/.exec(page.text)?.[1] ?? '';
    expect((await scene.visit(newBrowser('user_mallory'), link)).status).toBe(400);
    const next = await scene.follow(browser, await scene.visit(browser, link));
    expect(next.text).toContain('user_frank@acme.example');
    const answer = await scene.decide(browser, next);
    expect(new URL(answer.headers.location ?? '').searchParams.has('code')).toBe(true);
  });

  it.each([
    ['without an organization', { organization_id: undefined }, 'Your sign-in does not name an organization'],
  ])('is not shown to a user %s, who goes back with access_denied', async (_case, claims, title) => {
    const browser = newBrowser('user_dave');
    browser.claims = claims;
    const page = await scene.begin(browser);
    expect([page.status, titleOf(page)]).toEqual([403, title]);
    const forged = await scene.decide({ ...browser, cookies: new Map(browser.cookies) }, page, 'allow');
    expect(forged.status).toBe(400);
    const back = await scene.decide(browser, page, 'deny');
    expect(new URL(back.headers.location ?? '').searchParams.get('error')).toBe('access_denied');
  });
});

it.each<[string, Record<string, unknown>]>([
  ['organization_id', { organization_id: 'org acme' }],
  ['azp', { azp: 7 }],
])(
  'names the claim %s of a sign-in that cannot be used, and does not blame the user',
  async (name, claims) => {
    const browser = newBrowser();
    browser.claims = claims;
    const page = await scene.begin(browser);
    expect(page.text).toContain(`&quot;${name}&quot;`);
    expect(page.text).not.toContain('Your organization does not allow');
  },
);

describe('requests that are not navigations of a browser', () => {
  it.each([
    '/oauth/authorize',
    '/oauth/authorize/x',
    '/oauth/interaction/x',
    '/oauth/callback',
    '/connect/con_x/x',
  ])('are refused at %s', async (path) => {
    for (const destination of ['image', 'iframe', 'empty', 'script'])
      expect((await request(scene.app).get(path).set('Sec-Fetch-Dest', destination)).status).toBe(403);
  });

  it('and malformed ones do not use up the limit of authorizations', async () => {
    const path = new URL(scene.authorizationUrl());
    const ask = (search: string) => request(scene.app).get(`${path.pathname}${search}`);
    for (let i = 0; i < 100; i += 1) {
      expect((await ask(path.search).set('Sec-Fetch-Dest', 'image')).status).toBe(403);
      expect((await ask(path.search).set('Sec-Purpose', 'prefetch')).status).toBe(403);
      expect((await ask(`?client_id=agent&state=${'x'.repeat(3000)}`)).status).toBe(400);
    }
    expect((await ask(path.search).set('Sec-Fetch-Dest', 'document')).status).toBe(303);
  });

  it('or that one browser repeats too often are refused for that browser and client alone', async () => {
    const browser = newBrowser();
    const statuses = [];
    for (let i = 0; i < 130; i += 1)
      statuses.push((await scene.visit(browser, scene.authorizationUrl())).status);
    expect([statuses.indexOf(429), new Set(statuses)]).toEqual([115, new Set([303, 429])]);
    expect((await scene.visit(newBrowser(), scene.authorizationUrl())).status).toBe(303);
    expect((await scene.visit(browser, scene.authorizationUrl({ client_id: 'two' }))).status).toBe(303);
  });
});
