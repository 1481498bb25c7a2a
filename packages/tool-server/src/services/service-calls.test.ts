import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UserId } from '@legate/jwt';
import type { ToolServerAuthInfo } from '../bearer/auth-info.ts';
import { createServiceCalls } from './service-calls.ts';

const HUB = 'https://hub.example/oauth/token';
const API = 'https://api.example';
const authInfo: ToolServerAuthInfo = {
  token: 'the-access-token',
  clientId: 'tool-hub',
  scopes: [],
  expiresAt: 1,
  resource: new URL('https://tools.example'),
  resourceMetadataUrl: 'https://tools.example/.well-known/oauth-protected-resource',
  extra: { sub: UserId.parse('user_alice') },
};
const GRANTED = {
  access_token: 'the-txn-token',
  issued_token_type: 'urn:ietf:params:oauth:token-type:txn_token',
  token_type: 'N_A',
  expires_in: 60,
  scope: 'sites:list',
};

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly form: URLSearchParams;
}
let sent: Sent[];
let calls: { url: string; headers: Record<string, string> }[];
beforeEach(() => {
  sent = [];
  calls = [];
});

/** @param hub what the Transaction Token Service answers; a thrown error is a connection that fails */
function service(
  hub: () => Response | Promise<Response>,
  api: () => Response | Promise<Response> = () => json({ data: [] }),
) {
  return createServiceCalls({
    service: { tokenEndpoint: HUB, clientId: 'tools', clientSecret: 'secret' },
    url: API,
    fetch: async (url, init) => {
      sent.push({
        url: String(url),
        headers: new Headers(init?.headers),
        form: new URLSearchParams(String(init?.body)),
      });
      return hub();
    },
    fetchAsWorkload: async (url, { headers }) => {
      calls.push({ url, headers });
      return api();
    },
  });
}
const json = (body: unknown, status = 200) => Response.json(body, { status });
const CALL = { authInfo, operation: 'sites:list', details: { limit: 20 }, path: '/api/v1/sites?limit=20' };

it.each([
  [2 ** 21, 'answered'],
  [2 ** 21 + 1, 'misconfigured'],
])('judges a response of %d bytes to be: %s', async (length, kind) => {
  const fetch = jest.spyOn(globalThis, 'fetch');
  fetch.mockImplementation(async () => new Response(JSON.stringify(GRANTED).padEnd(length)));
  const call = createServiceCalls({
    service: { tokenEndpoint: HUB, clientId: 'tools', clientSecret: 'secret' },
    url: API,
    fetchAsWorkload: async () => json({ data: [] }),
  });
  expect((await call(CALL)).kind).toBe(kind);
});

it('exchanges the access token, and sends the transaction token and nothing else about the user', async () => {
  const call = service(() => json(GRANTED));
  expect(await call(CALL)).toEqual({
    kind: 'answered',
    status: 200,
    body: { data: [] },
  });
  expect(sent.map(({ url }) => url)).toEqual([HUB]);
  expect(Object.fromEntries(sent[0]?.form ?? [])).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:txn_token',
    audience: API,
    scope: 'sites:list',
    subject_token: 'the-access-token',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    request_details: '{"limit":20}',
    client_id: 'tools',
    client_secret: 'secret',
  });
  expect(calls).toEqual([
    {
      url: `${API}/api/v1/sites?limit=20`,
      headers: { 'Txn-Token': 'the-txn-token', Accept: 'application/json' },
    },
  ]);
});

it('requests a new token for each call', async () => {
  const call = service(() => json(GRANTED));
  await Promise.all([call(CALL), call(CALL)]);
  await call(CALL);
  expect(sent).toHaveLength(3);
});

it('exchanges no token that has not passed the gate', async () => {
  const call = service(() => json(GRANTED));
  await expect(call({ ...CALL, authInfo: undefined })).rejects.toThrow('no access token was required');
  await expect(call({ ...CALL, authInfo: { ...authInfo, extra: {} } })).rejects.toThrow();
  expect(sent).toEqual([]);
});

describe('the responses of the Transaction Token Service', () => {
  it.each([
    ['invalid_client', 'invalid_client'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), 'unknown error'],
    ['<b>error</b>', 'unknown error'],
  ])('reports the error %j as %s', async (error, reason) => {
    const outcome = await service(() => json({ error }, 400))(CALL);
    expect(outcome).toMatchObject({ kind: 'misconfigured', reason });
  });

  it.each([
    ['access_denied', 400, 'denied'],
    ['invalid_scope', 400, 'insufficient_scope'],
    ['invalid_request', 400, 'access_token_refused'],
    ['invalid_client', 401, 'misconfigured'],
    ['unauthorized_client', 400, 'misconfigured'],
    ['invalid_target', 400, 'misconfigured'],
    ['Something <else>', 400, 'misconfigured'],
    ['temporarily_unavailable', 503, 'unavailable'],
    ['temporarily_unavailable', 429, 'unavailable'],
  ])('%s (%d) is %s, and ends the call', async (error, status, kind) => {
    const outcome = await service(() => json({ error, error_description: 'words of a peer' }, status))(CALL);
    expect(outcome.kind).toBe(kind);
    expect(JSON.stringify(outcome)).not.toMatch(/words|<else>|the-access-token/);
    expect(calls).toEqual([]);
  });

  it.each<[string, object]>([
    ['a bearer token', { token_type: 'Bearer' }],
    ['another kind of token', { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' }],
    ['a token for more', { scope: 'sites:list sites:delete' }],
    ['no token', { access_token: undefined }],
    ['an endless token', { access_token: 'x'.repeat(16_385) }],
  ])('%s is not used', async (_case, change) => {
    const outcome = await service(() => json({ ...GRANTED, ...change }))(CALL);
    expect([outcome.kind, calls]).toEqual(['misconfigured', []]);
  });

  it.each<[string, () => Response, string]>([
    ['a page of a proxy', () => new Response('<html>', { status: 502 }), 'unavailable'],
    ['a page with 200', () => new Response('<html>'), 'misconfigured'],
    [
      'nothing',
      () => {
        throw new TypeError('fetch failed');
      },
      'unavailable',
    ],
    [
      'nothing in time',
      () => {
        throw new DOMException('', 'TimeoutError');
      },
      'unavailable',
    ],
    [
      'a redirect',
      () => {
        throw Object.assign(new Error('redirect'), { code: 'ERR_UNUSABLE_ANSWER' });
      },
      'misconfigured',
    ],
  ])('%s is no refusal', async (_case, hub, kind) => {
    expect((await service(hub)(CALL)).kind).toBe(kind);
    expect(calls).toEqual([]);
  });
});

it("passes on the service's response, even a refusal, even without a body", async () => {
  const refused = () => Response.json({ code: 'rate_limit_exceeded' }, { status: 429 });
  expect(await service(() => json(GRANTED), refused)(CALL)).toEqual({
    kind: 'answered',
    status: 429,
    body: { code: 'rate_limit_exceeded' },
  });
  const empty = await service(
    () => json(GRANTED),
    () => new Response(null, { status: 204 }),
  )(CALL);
  expect(empty).toMatchObject({ kind: 'answered', status: 204, body: undefined });
});

it('reports a service that cannot be reached as down', async () => {
  const away = () => Promise.reject(new TypeError('fetch failed: https://secret.internal'));
  expect(await service(() => json(GRANTED), away)(CALL)).toEqual({
    kind: 'unavailable',
    reason: 'TypeError',
  });
});
