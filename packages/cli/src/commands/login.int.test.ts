import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@legate/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Io } from '../terminal/io.ts';
import { API, HUB, ISSUER, problem, type Routes, runTyped, type Sent } from '../testing/run-typed.ts';

let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let jwk: object;
beforeAll(async () => {
  keys = await generateKeyPair('RS256');
  jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
});

let config: string;
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), 'legate-cli-'));
});
afterEach(() => rmSync(config, { recursive: true }));

const metadataOf = (issuer: string, base = issuer) => ({
  issuer,
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${base}/token`,
  jwks_uri: `${base}/jwks`,
  authorization_response_iss_parameter_supported: true,
});

interface Faults {
  /** Changes to the authorization response */
  readonly response?: Record<string, string | undefined>;
  readonly token?: () => Response;
  readonly claims?: object;
  readonly metadata?: object;
  readonly hasRefreshToken?: boolean;
  /** The identity provider, instead of {@link ISSUER} */
  readonly issuer?: string;
  /** The user pastes this for the address at which the browser ends. */
  readonly paste?: (address: URL) => string;
}

/** Signs in: the test plays the browser, which sends the response to the loopback address. */
async function login(args: readonly string[], faults: Faults = {}, env: NodeJS.ProcessEnv = {}) {
  let authorization = new URLSearchParams();
  const pages: { status: number; text: string }[] = [];
  const asked: unknown[] = [];
  const { issuer = ISSUER } = faults;
  const base = issuer.replace(/\/$/, '');
  const tokens = async (sent: Sent) => {
    if (faults.token) return faults.token();
    const form = new URLSearchParams(sent.body);
    const idToken = await new SignJWT({
      nonce: authorization.get('nonce'),
      email: 'alice@acme.example',
      ...faults.claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .setIssuer(issuer)
      .setSubject('user_alice')
      .setAudience('frontend-app')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(keys.privateKey);
    return {
      access_token: `at-for-${form.get('resource')}`,
      token_type: 'Bearer',
      id_token: idToken,
      ...(faults.hasRefreshToken !== false && { refresh_token: 'the-refresh-token' }),
    };
  };
  const routes: Routes = {
    [`GET ${base}/.well-known/openid-configuration`]: { ...metadataOf(issuer, base), ...faults.metadata },
    [`GET ${base}/jwks`]: { keys: [jwk] },
    [`POST ${base}/token`]: tokens,
  };
  /** Returns the address to which the provider sends the browser. */
  const signInAt = (url: string): URL => {
    authorization = new URL(url).searchParams;
    const redirect = new URL(authorization.get('redirect_uri') ?? '');
    const response = { code: 'c1', state: authorization.get('state') ?? '', iss: issuer, ...faults.response };
    for (const [name, value] of Object.entries(response))
      if (value !== undefined) redirect.searchParams.set(name, value);
    return redirect;
  };
  const openBrowser = async (url: string) => {
    const redirect = signInAt(url);
    const read = async (target: URL | string) => {
      const page = await fetch(target);
      pages.push({ status: page.status, text: await page.text() });
    };
    void read(new URL('/favicon.ico', redirect)).then(() => read(redirect));
    return true;
  };
  let shown = '';
  const stderr = { write: (text: string) => (shown += text) };
  const ask: Io['ask'] = async (question, options) => {
    asked.push([question, options?.isHidden]);
    return faults.paste?.(signInAt(/^http.+$/m.exec(shown)?.[0] ?? '')) ?? '';
  };
  const isPasted = faults.paste !== undefined;
  const run = await runTyped(['login', ...args, ...(isPasted ? ['--paste'] : [])], {
    routes,
    env: { XDG_CONFIG_HOME: config, ...env },
    io: { openBrowser, clock: () => new Date(), ...(isPasted && { ask, stderr }) },
  });
  if (isPasted) return { ...run, stderr: shown, pages, authorization, asked };
  await eventually('both pages', () => pages.length === 2);
  return { ...run, pages, authorization, asked };
}

const profile = (name = 'default') => join(config, 'legate', `${name}.json`);

it('stores the tokens of a sign-in in a file that only the user can read, and prints no token', async () => {
  const { code, stdout, stderr, pages, authorization, sent } = await login([ISSUER]);
  expect([code, stdout]).toEqual([
    0,
    [
      'Signed in as alice@acme.example (profile default).',
      `hub             ${HUB}`,
      `management API  ${API}`,
      'The sign-in is renewed automatically.\n',
    ].join('\n'),
  ]);
  expect(pages.map(({ status }) => status)).toEqual([404, 200]);
  expect(pages[1]?.text).toContain('You are signed in.');
  const kept = JSON.parse(readFileSync(profile(), 'utf8'));
  expect(kept).toEqual({
    issuer: ISSUER,
    clientId: 'frontend-app',
    hub: HUB,
    api: API,
    accessToken: `at-for-${API}`,
    refreshToken: 'the-refresh-token',
    idToken: expect.stringMatching(/^ey/),
  });
  for (const secret of [kept.idToken, kept.accessToken, kept.refreshToken])
    expect(stdout + stderr).not.toContain(secret);
  expect(statSync(profile()).mode & 0o777).toBe(0o600);
  expect(statSync(join(config, 'legate')).mode & 0o777).toBe(0o700);

  expect(Object.fromEntries(authorization)).toMatchObject({
    client_id: 'frontend-app',
    response_type: 'code',
    code_challenge_method: 'S256',
    resource: API,
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
  });
  const form = new URLSearchParams(sent.find(({ method }) => method === 'POST')?.body);
  expect(form.get('code_verifier')).toMatch(/^.{43,}$/);
});

it('stores several profiles for different services', async () => {
  const { code, stdout } = await login([
    ISSUER,
    '--profile',
    'work',
    '--hub',
    'https://hub.example/',
    '--json',
  ]);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      profile: 'work',
      issuer: ISSUER,
      client_id: 'frontend-app',
      hub: 'https://hub.example/',
      api: API,
      user: 'alice@acme.example',
      expires_at: expect.stringMatching(/Z$/),
      is_renewed: true,
    },
  ]);
  expect(JSON.parse(readFileSync(profile('work'), 'utf8')).hub).toBe('https://hub.example/');
});

it('keeps the slash at the end of an issuer and of the resource of the management API', async () => {
  const issuer = 'https://idp.example/realms/acme/';
  const { code, authorization } = await login(
    [issuer, '--client-id', 'frontend-app', '--api', 'https://api.example/v1/'],
    { issuer },
  );
  expect([code, authorization.get('resource')]).toEqual([0, 'https://api.example/v1/']);
  expect(JSON.parse(readFileSync(profile(), 'utf8'))).toMatchObject({
    issuer,
    api: 'https://api.example/v1/',
  });
});

it('reports that a sign-in will not be renewed', async () => {
  const { stdout } = await login([ISSUER], { hasRefreshToken: false });
  expect(stdout).toContain('the identity provider issued no refresh token');
});

it.each<[string, string[], NodeJS.ProcessEnv, string, string]>([
  ['neither address was given', [], {}, `${API} (the default)`, '--hub <url> --api <url>'],
  [
    'only --hub was given',
    ['--hub', 'https://hub.example'],
    {},
    `${API} (the default)`,
    '--api <url> --hub https://hub.example',
  ],
  [
    'ports are set',
    [],
    { MANAGEMENT_API_PORT: '7400', TOOL_HUB_PORT: '7401' },
    'http://localhost:7400 (from MANAGEMENT_API_PORT)',
    '--hub <url> --api <url>',
  ],
  [
    'variables are set',
    [],
    { LEGATE_HUB: HUB, LEGATE_API: 'https://api.example' },
    'https://api.example (from LEGATE_API)',
    '--api <url>',
  ],
  [
    '--api was given',
    ['--api', 'https://api.example', '--hub', HUB],
    {},
    'https://api.example (from --api)',
    `--api <url> --hub ${HUB}`,
  ],
])(
  'names the API that the identity provider does not know, and the missing options, if %s',
  async (_case, args, env, api, options) => {
    const token = () => problem(400, { error: 'invalid_target' }, { 'Content-Type': 'application/json' });
    const { code, stderr } = await login([ISSUER, ...args], { token }, env);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(
        `invalid_target. It asked for an access token for the management API at ${api}.\nNext: legate login ${ISSUER} ${options}\n`,
      ),
    ]);
  },
);

it.each<[string, Faults]>([
  ['invalid_client at the token endpoint', { token: () => refusedWith(401, 'invalid_client', {}) }],
  [
    'a challenge at the token endpoint',
    { token: () => refusedWith(401, 'invalid_client', { 'WWW-Authenticate': 'Basic realm="idp"' }) },
  ],
  ['unauthorized_client at the token endpoint', { token: () => refusedWith(400, 'unauthorized_client', {}) }],
  ['unauthorized_client at the authorization endpoint', { response: { error: 'unauthorized_client' } }],
])(
  'says what client is needed, and does not suggest the same sign-in again, after %s',
  async (_case, faults) => {
    const { code, stderr } = await login([ISSUER, '--hub', 'https://hub.example'], faults);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        /does not accept the client frontend-app: register one .*public \(native\) client/,
      ),
    ]);
    expect(/\nNext: (.*)\n$/.exec(stderr)?.[1]).toBe(
      `legate login ${ISSUER} --client-id <id> --hub https://hub.example`,
    );
  },
);

const refusedWith = (status: number, error: string, headers: Record<string, string>) =>
  problem(status, { error }, { 'Content-Type': 'application/json', ...headers });

it.each<[string, NodeJS.ProcessEnv, object]>([
  ['the addresses of the development stack', {}, { hub: HUB, api: API }],
  [
    'its configured ports',
    { TOOL_HUB_PORT: '7401', MANAGEMENT_API_PORT: '7400' },
    { hub: 'http://localhost:7401', api: 'http://localhost:7400' },
  ],
  [
    'the variables rather than the ports',
    { LEGATE_HUB: 'https://hub.example', LEGATE_API: '', TOOL_HUB_PORT: '7401' },
    { hub: 'https://hub.example', api: API },
  ],
])('stores %s by default for an issuer on this computer', async (_case, env, stored) => {
  const { stdout } = await login([ISSUER, '--json'], {}, env);
  expect(JSON.parse(stdout)).toMatchObject(stored);
});

it.each([
  ['neither address', [], '--hub <url> --api <url>'],
  ['no hub', ['--api', 'https://api.example'], '--api https://api.example --hub <url>'],
  ['no management API', ['--hub', 'https://hub.example'], '--hub https://hub.example --api <url>'],
  ['nothing to add', ['--hub', 'https://hub.example', '--api', 'https://api.example'], undefined],
])('suggests at an issuer elsewhere how to add what is missing: %s', async (_case, args, options) => {
  const { code, stdout } = await login(['https://idp.example', '--client-id', 'frontend-app', ...args], {
    issuer: 'https://idp.example',
  });
  expect(code).toBe(0);
  expect(stdout.includes('none: ')).toBe(options !== undefined);
  expect(/\nNext: (.*)\n$/.exec(stdout)?.[1]).toBe(
    options && `legate login https://idp.example --client-id frontend-app ${options}`,
  );
});

describe('refuses', () => {
  it.each<[string, Faults, RegExp]>([
    ['another state', { response: { state: 'forged' } }, /unexpected "state"/],
    ['no state', { response: { state: undefined } }, /"state"/],
    ['the response of another issuer', { response: { iss: 'https://evil.example' } }, /unexpected "iss"/],
    ['a response without iss where it is promised', { response: { iss: undefined } }, /"iss"/],
    [
      'a sign-in that the user has ended',
      { response: { error: 'access_denied', error_description: 'no' } },
      /access_denied \(no\)/,
    ],
    ['an ID token of another sign-in', { claims: { nonce: 'other' } }, /"nonce"/],
    [
      'a refused code',
      { token: () => problem(400, { error: 'invalid_grant' }, { 'Content-Type': 'application/json' }) },
      /invalid_grant/,
    ],
  ])('%s, and writes no profile', async (_case, faults, reason) => {
    const { code, stdout, stderr, pages } = await login([ISSUER], faults);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(reason);
    expect(stderr).toMatch(/\nNext: legate login http:\/\/localhost:4002\n$/);
    expect(pages[1]).toMatchObject({ status: 400, text: expect.stringContaining('The sign-in failed.') });
    expect(() => statSync(profile())).toThrow('ENOENT');
  });
});

it.each([
  ['no issuer', [], {}, 2, 'The issuer of the identity provider is missing.'],
  ['no client', ['https://idp.example'], {}, 2, 'The client id at https://idp.example is missing'],
  ['an issuer without TLS', ['http://idp.example'], {}, 2, 'must be an https URL'],
  ['a path as profile', [ISSUER, '--profile', '../x'], {}, 2, 'is not a valid profile name'],
  ['a hub without TLS', [ISSUER, '--hub', 'http://hub.example'], {}, 2, '--hub must be an https URL'],
  ['an issuer that does not answer', [ISSUER], {}, 5, 'failed.\nNext: cd <clone> && npm start\n'],
  [
    'an issuer that refuses the connection',
    ['https://idp.example', '--client-id', 'app'],
    {
      'GET https://idp.example/.well-known/openid-configuration': () =>
        Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
    },
    5,
    'No OpenID provider was found at https://idp.example: fetch failed (ECONNREFUSED).\nNext: curl https://idp.example/.well-known/openid-configuration\n',
  ],
])('exits if there is %s, and opens no browser', async (_case, args, routes, exitCode, message) => {
  let isOpened = false;
  const openBrowser = async () => {
    isOpened = true;
    return true;
  };
  const { code, stderr } = await runTyped(['login', ...args], {
    routes,
    io: { openBrowser },
    env: { XDG_CONFIG_HOME: config },
  });
  expect([code, isOpened, stderr]).toEqual([exitCode, false, expect.stringContaining(message)]);
});

describe('with --paste', () => {
  it('signs in with the address at which a browser elsewhere has ended, and does not show it', async () => {
    const run = await login([ISSUER], { paste: (address) => ` ${address.href}\n` });
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('Signed in as alice@acme.example')]);
    expect(run.asked).toEqual([[expect.stringContaining('(it is not shown)'), true]]);
    expect(run.authorization.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d{5}\/callback$/);
    expect(run.pages).toEqual([]);
    const form = new URLSearchParams(run.sent.find(({ method }) => method === 'POST')?.body);
    expect([form.get('code'), form.get('code_verifier')]).toEqual(['c1', expect.stringMatching(/^.{43,}$/)]);
    expect(run.stdout + run.stderr).not.toContain('code=c1');
  });

  it.each<[string, number, Faults, RegExp]>([
    ['the address of another page', 2, { paste: () => 'https://idp.example/sign-in' }, /begins with http:/],
    ['a text that is no address', 2, { paste: () => 'c1' }, /begins with http:/],
    ['no input', 2, { paste: () => '' }, /begins with http:/],
    [
      'the port of another sign-in',
      2,
      { paste: ({ href }) => href.replace(/:\d+/, ':1') },
      /begins with http:/,
    ],
    ['another state', 3, { paste: String, response: { state: 'forged' } }, /unexpected "state"/],
    [
      'the response of another issuer',
      3,
      { paste: String, response: { iss: 'https://evil.example' } },
      /"iss"/,
    ],
    ['no code', 3, { paste: String, response: { code: undefined } }, /no authorization code/],
  ])('refuses %s, redeems nothing, and writes no profile', async (_case, exitCode, faults, reason) => {
    const { code, stdout, stderr, sent } = await login([ISSUER], faults);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toMatch(reason);
    expect(stderr).toMatch(/\nNext: legate login http:\/\/localhost:4002 --paste\n$/);
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(() => statSync(profile())).toThrow('ENOENT');
  });
});

it('suggests --paste where no browser can be opened', async () => {
  const interruption = new AbortController();
  const openBrowser = async () => {
    queueMicrotask(() => interruption.abort(new Error('Ctrl-C')));
    return false;
  };
  const { code, stderr } = await runTyped(['login', ISSUER], {
    routes: { [`GET ${ISSUER}/.well-known/openid-configuration`]: metadataOf(ISSUER) },
    io: { openBrowser, signal: interruption.signal },
    env: { XDG_CONFIG_HOME: config },
  });
  expect([code, stderr]).toEqual([130, expect.stringContaining(`type:\n  legate login ${ISSUER} --paste\n`)]);
});
