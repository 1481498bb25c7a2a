import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { createBrowser, member, scene, text } from '@legate/dev';
import { eventually, needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { apiAs } from './people.ts';

/**
 * Attacks the backend of the console as another site, a stranger or another user would: requests to its process that no
 * page of the console sends.
 */

const { describe, it } = needs('time');
const { alice, bob, carol } = scene.USERS;

let stack: StackUnderTest;
let url: string;
beforeAll(async () => {
  // Each stranger has an address of their own, as behind a proxy.
  stack = await startStackUnderTest({ env: { console: { TRUSTED_PROXIES: 'loopback' } } });
  url = stack.urls.console;
});
afterAll(() => stack?.stop());

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Headers = Readonly<Record<string, string>>;

/** Sends a path unchanged: other clients normalize it. */
async function send(
  method: string,
  path: string,
  headers: Headers = {},
  body?: string | Buffer,
): Promise<Answer> {
  const { host, port } = new URL(url);
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers: { Host: host, ...headers } });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: Buffer.concat(parts).toString(),
  };
}

/** Headers of a page of the console */
const fromPage = (cookie: string): Headers => ({
  'Legate-Console': '1',
  Origin: url,
  'Sec-Fetch-Site': 'same-origin',
  Cookie: cookie,
});
const codeOf = ({ body }: Answer): unknown => member(JSON.parse(body), 'code');
const cookiesOf = ({ headers }: Answer): string =>
  (headers['set-cookie'] ?? [])
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');

async function begin(returnTo = '/', cookie = '') {
  const answer = await send('GET', `/bff/sign-in?return_to=${encodeURIComponent(returnTo)}`, {
    Cookie: cookie,
  });
  return { location: answer.headers.location ?? '', pending: cookiesOf(answer) };
}

/** Signs a person in at the identity provider. @returns path and query of the callback */
async function callbackOf(location: string, email: string): Promise<string> {
  const { pathname, search } = await createBrowser().signIn(
    location,
    `${url}/bff/callback`,
    email,
    scene.PASSWORD,
  );
  return pathname + search;
}

async function signIn(email: string): Promise<string> {
  const { location, pending } = await begin();
  return cookiesOf(await send('GET', await callbackOf(location, email), { Cookie: pending }));
}

const EXPIRED = () => `${url}/signed-out?code=sign_in_expired`;

describe('a callback', () => {
  it('is refused when it is replayed, and when another browser sends it', async () => {
    const { location, pending } = await begin();
    const callback = await callbackOf(location, alice.email);
    const other = await begin();
    for (const cookie of ['', other.pending]) {
      const refused = await send('GET', callback, { Cookie: cookie });
      expect([refused.headers.location, cookiesOf(refused)]).toEqual([EXPIRED(), '']);
    }
    expect(cookiesOf(await send('GET', callback, { Cookie: pending }))).toMatch(/^console=/);
    const replayed = await send('GET', callback, { Cookie: pending });
    expect([replayed.headers.location, cookiesOf(replayed)]).toEqual([EXPIRED(), '']);
  });

  it('with the code of another sign-in opens no session', async () => {
    const victim = await begin();
    const attacker = await begin();
    const query = new URLSearchParams((await callbackOf(attacker.location, carol.email)).split('?')[1]);
    query.set('state', new URL(victim.location).searchParams.get('state') ?? '');
    const answer = await send('GET', `/bff/callback?${query}`, { Cookie: victim.pending });
    expect([answer.headers.location, cookiesOf(answer)]).toEqual([
      `${url}/signed-out?code=sign_in_refused`,
      '',
    ]);
  });

  it('with an error shows none of its texts', async () => {
    const { location, pending } = await begin();
    const { searchParams } = new URL(location);
    const query = new URLSearchParams({
      error: '<script>',
      error_description: 'Call this number',
      state: searchParams.get('state') ?? '',
      iss: stack.urls['mock-idp'],
    });
    const answer = await send('GET', `/bff/callback?${query}`, { Cookie: pending });
    expect(answer.headers.location).toMatch(new RegExp(`^${url}/signed-out\\?code=[a-z_]+$`));
    expect(answer.body).not.toMatch(/script|number/);
  });

  it('gives a new id to a browser that sends a chosen one', async () => {
    const chosen = `console=${'A'.repeat(43)}`;
    const { location, pending } = await begin('/', chosen);
    const answer = await send('GET', await callbackOf(location, alice.email), {
      Cookie: `${pending}; ${chosen}`,
    });
    expect(cookiesOf(answer)).toMatch(/^console=(?!A{43})[\w-]{43}$/);
    expect((await send('GET', '/bff/session', fromPage(chosen))).status).toBe(204);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/\r\nSet-Cookie: console=x',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/.//evil.example',
    '/bff/callback',
    '/BFF/sign-in',
    '／／evil.example',
  ])('leads to the start page where return_to is %j', async (returnTo) => {
    const { location, pending } = await begin(returnTo);
    const answer = await send('GET', await callbackOf(location, alice.email), { Cookie: pending });
    expect(answer.headers.location).toBe(`${url}/`);
  });
});

describe('another site', () => {
  const REFUSED: readonly (readonly [string, (own: Headers) => Headers])[] = [
    ['no header', ({ 'Legate-Console': _, ...rest }) => rest],
    ['two headers', (own) => ({ ...own, 'Legate-Console': '1, 1' })],
    ['no Origin', ({ Origin: _, ...rest }) => rest],
    ['an opaque Origin', (own) => ({ ...own, Origin: 'null' })],
    ['another port of localhost', (own) => ({ ...own, Origin: 'http://localhost:1' })],
    ['the address of this machine', (own) => ({ ...own, Origin: url.replace('localhost', '127.0.0.1') })],
    ['Sec-Fetch-Site: same-site', (own) => ({ ...own, 'Sec-Fetch-Site': 'same-site' })],
    ['Sec-Fetch-Site: cross-site', (own) => ({ ...own, 'Sec-Fetch-Site': 'cross-site' })],
  ];

  it.each(REFUSED)('changes nothing with the cookie and %s', async (_case, change) => {
    const cookie = await signIn(alice.email);
    const headers = { ...change(fromPage(cookie)), 'Content-Type': 'application/json' };
    const answer = await send('POST', '/bff/api/sites', headers, '{"name":"Forged"}');
    expect([answer.status, codeOf(answer)]).toEqual([403, 'request_not_from_console']);
    const sites = await send('GET', '/bff/api/sites?search=Forged', fromPage(cookie));
    expect(member(JSON.parse(sites.body), 'data')).toEqual([]);
  });

  it('gets no CORS header, neither for a preflight nor for a response', async () => {
    const asked = { Origin: 'http://localhost:1', 'Access-Control-Request-Headers': 'legate-console' };
    for (const answer of [
      await send('OPTIONS', '/bff/api/sites', { ...asked, 'Access-Control-Request-Method': 'POST' }),
      await send('GET', '/bff/session', { ...fromPage(''), Origin: url }),
      await send('GET', '/config.json', { Origin: 'http://localhost:1' }),
    ])
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each(['/', '/connectors', '/config.json', '/bff/session', '/bff/unknown', '/errors/signed_out'])(
    'cannot frame %s, nor make a browser take it for another type',
    async (path) => {
      const { headers } = await send('GET', path);
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    },
  );
});

describe('the proxy', () => {
  let cookie: string;
  beforeAll(async () => {
    cookie = await signIn(alice.email);
  });

  it.each([
    '/bff/api/../../internal/v1/connectors',
    '/bff/api/connectors/../organization',
    '/bff/api/connectors/%2e%2e',
    '/bff/api/connectors/a%2fb',
    '/bff/api/connectors/a%5cb',
    '/bff/api/connectors/..;/tools',
    '/bff/api/connectors;x=1',
    '/bff/api/connectors%3Fx',
    '/bff/api/connectors/',
    '/bff/api//connectors',
    '/bff//api/connectors',
    '/bff/api/organization#/../x',
    '/bff/hub/tokens',
    '/bff/unknown',
    '/bff',
    'http://evil.example/bff/api/organization',
    'http://evil.example/bff/api/../../internal/v1/connectors',
  ])('returns its own 404 for %s', async (path) => {
    const answer = await send('GET', path, fromPage(cookie));
    expect([answer.status, member(JSON.parse(answer.body), 'type')]).toEqual([
      404,
      `${url}/errors/not_found`,
    ]);
  });

  it('lets no header or parameter replace the method', async () => {
    const connector = `/bff/api/connectors/${scene.CONNECTOR}`;
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])
      expect((await send('GET', `${connector}?`, { ...fromPage(cookie), [name]: 'DELETE' })).status).toBe(
        200,
      );
    expect((await send('POST', `${connector}?_method=DELETE`, fromPage(cookie))).status).toBe(404);
    expect((await send('GET', connector, fromPage(cookie))).status).toBe(200);
  });

  it('sends the session’s token, whatever Authorization or Connection a caller sends', async () => {
    const answer = await send('GET', '/bff/api/organization', {
      ...fromPage(cookie),
      Authorization: 'Bearer made-up',
      Connection: 'keep-alive, authorization, x-forwarded-for',
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example',
    });
    expect([answer.status, member(JSON.parse(answer.body), 'id')]).toEqual([200, alice.organization]);
    expect(answer.body).not.toContain('evil.example');
  });
});

it.each([
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/package.json',
  '/../../package.json',
  '/assets/%2e%2e%2f%2e%2e%2fapp.js',
  '/..%5c..%5capp.js',
  '/.vite/manifest.json',
  '/.env',
  '/theme.js.map',
  '/assets/',
  '///evil.example/..%2fx.js',
])('serves no file at %s', async (path) => {
  const { status, headers } = await send('GET', path);
  expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
});

it('refuses a small compressed body that becomes a large one', async () => {
  const headers = { ...fromPage(await signIn(alice.email)), 'Content-Encoding': 'gzip' };
  const answer = await send('POST', '/bff/api/sites', headers, gzipSync(Buffer.alloc(50_000_000)));
  const type = member(JSON.parse(answer.body), 'type');
  expect([answer.status, type]).toEqual([413, `${url}/errors/payload_too_large`]);
});

it('begins a limited number of sign-ins for one stranger, and still serves others', async () => {
  const beginFrom = async (address: string): Promise<string> =>
    (await send('GET', '/bff/sign-in', { 'X-Forwarded-For': address })).headers.location ?? '';
  const refused = `${url}/signed-out?code=too_many_sign_ins`;
  // In batches: the budget is that of a minute, which may end between two requests.
  await eventually('a refused sign-in', async () => {
    const locations = await Promise.all(Array.from({ length: 100 }, () => beginFrom('203.0.113.9')));
    return locations.includes(refused);
  });
  expect(await beginFrom('198.51.100.9')).toMatch(stack.urls['mock-idp']);
});

it('keeps the sessions of two people of two organizations apart', async () => {
  const [one, other] = [await signIn(alice.email), await signIn(carol.email)];
  const organizationOf = async (cookie: string) =>
    member(JSON.parse((await send('GET', '/bff/api/organization', fromPage(cookie))).body), 'id');
  expect([await organizationOf(one), await organizationOf(other), await organizationOf(one)]).toEqual([
    alice.organization,
    carol.organization,
    alice.organization,
  ]);
  const { body } = await send('GET', '/bff/sessions', fromPage(other));
  const id = text(JSON.parse(body), 'data', '0', 'id');
  expect((await send('DELETE', `/bff/sessions/${id}`, fromPage(one))).status).toBe(404);
  expect((await send('GET', '/bff/session', fromPage(`console=${id}`))).status).toBe(204);
  expect((await send('GET', '/bff/session', fromPage(other))).status).toBe(200);
});

it('serves nothing to a member who was deactivated, although their session lives', async () => {
  const cookie = await signIn(bob.email);
  expect((await send('GET', '/bff/api/connectors', fromPage(cookie))).status).toBe(200);
  const api = await apiAs(stack, alice.email);
  const found = await api('GET', `/members?search=${encodeURIComponent(bob.email)}`);
  await api('POST', `/members/${text(found, 'data', '0', 'id')}/deactivate`);
  for (const path of ['/bff/session', '/bff/api/connectors', '/bff/api/organization'])
    expect([path, (await send('GET', path, fromPage(cookie))).status]).toEqual([path, 403]);
  await eventually(
    'a refusal of the hub',
    async () => (await send('GET', '/bff/hub/connectors', fromPage(cookie))).status,
    { pauseMs: 1000, until: (status) => status === 401 || status === 403 },
  );
});

it('ends the session while the hub is down, and does not claim that agents were signed out', async () => {
  const cookie = await signIn(alice.email);
  await stack.kill('tool-hub');
  try {
    const headers = { ...fromPage(cookie), 'Content-Type': 'application/json' };
    const { body } = await send('POST', '/bff/sign-out', headers, '{"everywhere":true}');
    expect(member(JSON.parse(body), 'hub')).toBe('unreachable');
    expect((await send('GET', '/bff/session', fromPage(cookie))).status).toBe(204);
  } finally {
    await stack.restart('tool-hub');
  }
});

it('writes no cookie, code or token of all these requests to its log', async () => {
  await signIn(alice.email);
  const log = await stack.readLog('console');
  expect(log).toContain('/bff/callback');
  expect(log).not.toMatch(/console=[\w-]{43}|[?&]code=|console-sign-in|eyJ[\w-]{10,}\.|Bearer [\w-]/);
});
