import { beforeEach, expect, it } from '@jest/globals';
import { createWorkloadFetch } from './workload.ts';

const TOKENS = 'https://idp.example/token';
const API = 'https://api.example';

let seconds: number;
let forms: Record<string, string>[];
let bearers: (string | null)[];
let apiStatus: number[];
let grant: Record<string, unknown>;
beforeEach(() => {
  seconds = 1_790_000_000;
  forms = [];
  bearers = [];
  apiStatus = [];
  grant = { token_type: 'Bearer', expires_in: 600 };
});

const fetch: typeof globalThis.fetch = async (input, init) => {
  if (String(input) === TOKENS) {
    forms.push(Object.fromEntries(new URLSearchParams(String(init?.body))));
    return Response.json({ access_token: `token-${forms.length}`, ...grant });
  }
  bearers.push(new Headers(init?.headers).get('authorization'));
  return new Response(null, { status: apiStatus.shift() ?? 200 });
};
const open = (scope?: string) =>
  createWorkloadFetch({
    workload: { tokenEndpoint: TOKENS, clientId: 'tools', clientSecret: 'secret', scope },
    resource: API,
    fetch,
    clock: () => new Date(seconds * 1000),
  });
const call = (send: ReturnType<typeof open>) => send(`${API}/sites`, { headers: { 'Txn-Token': 't' } });

it('requests a token for the service with our credentials', async () => {
  await call(open('internal:transactions'));
  expect(forms).toEqual([
    {
      ...{ grant_type: 'client_credentials', client_id: 'tools', client_secret: 'secret' },
      ...{ resource: API, scope: 'internal:transactions' },
    },
  ]);
  expect(bearers).toEqual(['Bearer token-1']);
});

it('requests no scope if none is named', async () => {
  await call(open());
  expect(forms[0]).not.toHaveProperty('scope');
});

it('keeps the token until a minute before it expires', async () => {
  const send = open();
  await call(send);
  seconds += 539;
  await call(send);
  seconds += 1;
  await call(send);
  expect(bearers).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
});

it.each([
  [60, 30],
  [undefined, 60],
])('keeps a token that lives for %s s for %d s', async (expires_in, kept) => {
  grant = { ...grant, expires_in };
  const send = open();
  await call(send);
  seconds += kept - 1;
  await call(send);
  seconds += 1;
  await call(send);
  expect(bearers).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
});

it('requests one token for concurrent calls, and a new one after a failure', async () => {
  const send = open();
  await Promise.all([call(send), call(send)]);
  expect(forms).toHaveLength(1);
  grant = { token_type: 'DPoP' };
  seconds += 600;
  await expect(call(send)).rejects.toThrow();
  grant = { token_type: 'Bearer' };
  expect((await call(send)).status).toBe(200);
});

it('repeats a request once with a fresh token after a 401', async () => {
  apiStatus = [401, 401];
  expect((await call(open())).status).toBe(401);
  expect(bearers).toEqual(['Bearer token-1', 'Bearer token-2']);
});
