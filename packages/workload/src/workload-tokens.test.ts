import { beforeEach, describe, expect, it } from '@jest/globals';
import { createWorkloadFetch } from './workload-fetch.ts';
import { createWorkloadTokens, type WorkloadIdentity, WorkloadTokenUnavailable } from './workload-tokens.ts';

const ISSUER = 'https://idp.example';
const IDENTITY: WorkloadIdentity = {
  issuer: ISSUER,
  clientId: 'tool-hub',
  credentials: { method: 'client_secret', clientSecret: 'a-secret-of-the-test' },
};

let seconds: number;
let forms: URLSearchParams[];
let headers: Headers[];
let answerToken: (form: URLSearchParams) => Response | Promise<Response>;
let metadata: Record<string, unknown>;

const clock = () => new Date(seconds * 1000);
const fetch: typeof globalThis.fetch = async (input, init) => {
  const url = String(input);
  if (url === `${ISSUER}/.well-known/openid-configuration`) {
    return Response.json({ issuer: ISSUER, token_endpoint: `${ISSUER}/token`, ...metadata });
  }
  if (url !== `${ISSUER}/token`) return new Response(null, { status: 404 });
  const form = new URLSearchParams(String(init?.body));
  forms.push(form);
  headers.push(new Headers(init?.headers));
  return answerToken(form);
};
const tokensOf = (identity: Partial<WorkloadIdentity> = {}) =>
  createWorkloadTokens({
    identity: { ...IDENTITY, ...identity },
    resource: 'https://api.example',
    scope: 'internal:connectors',
    fetch,
    clock,
  });

beforeEach(() => {
  seconds = 1_790_000_000;
  forms = [];
  headers = [];
  metadata = {};
  answerToken = () =>
    Response.json({ access_token: `token-${forms.length}`, token_type: 'Bearer', expires_in: 600 });
});

describe('a workload token', () => {
  it('is requested with client credentials, for one API and one scope', async () => {
    await tokensOf().get();
    expect(Object.fromEntries(forms[0] ?? [])).toEqual({
      grant_type: 'client_credentials',
      client_id: 'tool-hub',
      client_secret: 'a-secret-of-the-test',
      resource: 'https://api.example',
      scope: 'internal:connectors',
    });
  });

  it('can be requested with the client secret in the header', async () => {
    await tokensOf({
      credentials: { method: 'client_secret_basic', clientSecret: 'a-secret-of-the-test' },
    }).get();
    expect(headers[0]?.get('Authorization')).toMatch(/^Basic /);
    expect(forms[0]?.has('client_secret')).toBe(false);
  });

  it('is used until a minute before it expires', async () => {
    const tokens = tokensOf();
    expect(await tokens.get()).toBe('token-1');
    seconds += 539;
    expect(await tokens.get()).toBe('token-1');
    seconds += 1;
    expect(await tokens.get()).toBe('token-2');
  });

  it('that lives for less than two minutes is used for half of its life', async () => {
    answerToken = () =>
      Response.json({ access_token: `token-${forms.length}`, token_type: 'bearer', expires_in: 60 });
    const tokens = tokensOf();
    await tokens.get();
    seconds += 29;
    expect(await tokens.get()).toBe('token-1');
    seconds += 1;
    expect(await tokens.get()).toBe('token-2');
  });

  it('without a lifetime is used for a minute', async () => {
    answerToken = () => Response.json({ access_token: `token-${forms.length}`, token_type: 'Bearer' });
    const tokens = tokensOf();
    await tokens.get();
    seconds += 59;
    expect(await tokens.get()).toBe('token-1');
    seconds += 1;
    expect(await tokens.get()).toBe('token-2');
  });

  it('is requested once for all callers that wait for it', async () => {
    const tokens = tokensOf();
    expect(new Set(await Promise.all([tokens.get(), tokens.get(), tokens.get()]))).toEqual(
      new Set(['token-1']),
    );
    expect(forms.length).toBe(1);
  });

  it.each<[string, () => Response, string]>([
    [
      'the client is refused',
      () => Response.json({ error: 'invalid_client' }, { status: 401 }),
      'invalid_client',
    ],
    ['the provider fails', () => new Response('a-secret-of-the-test', { status: 500 }), ''],
    ['it is for another scheme', () => Response.json({ access_token: 'x', token_type: 'dpop' }), ''],
    [
      'the scope is not granted',
      () => Response.json({ access_token: 'x', token_type: 'bearer', scope: 'other' }),
      '',
    ],
    ['the answer is not JSON', () => new Response('<html>'), ''],
  ])(
    'is unavailable when %s, in our own words, and asked for again by the next',
    async (_case, answer, word) => {
      const good = answerToken;
      answerToken = answer;
      const tokens = tokensOf();
      const failure = await tokens.get().catch((err: unknown) => err);
      expect(failure).toBeInstanceOf(WorkloadTokenUnavailable);
      expect(String(failure)).toContain(word);
      expect(String(failure)).not.toContain('a-secret-of-the-test');
      answerToken = good;
      expect(await tokens.get()).toBe('token-2');
    },
  );

  it.each(['https://evil.example', `${ISSUER}/`])(
    'is not taken from a provider that calls itself %s',
    async (issuer) => {
      metadata = { issuer };
      await expect(tokensOf().get()).rejects.toBeInstanceOf(WorkloadTokenUnavailable);
      expect(forms).toEqual([]);
    },
  );

  it('is also requested over plain http if the guarded client permits it', async () => {
    const issuer = 'http://127.0.0.1:4000';
    const tokens = createWorkloadTokens({
      identity: { ...IDENTITY, issuer },
      ...{ resource: 'https://api.example', scope: 'internal:connectors', clock },
      fetch: async (url) =>
        String(url).startsWith(`${issuer}/.well-known/`)
          ? Response.json({ issuer, token_endpoint: `${issuer}/token` })
          : Response.json({ access_token: 'a-token', token_type: 'Bearer' }),
    });
    expect(await tokens.get()).toBe('a-token');
  });

  it.each<[string, () => Response | Promise<Response>, string]>([
    [
      'an error of the peer',
      () => Response.json({ error: 'invalid_target' }, { status: 400 }),
      'invalid_target',
    ],
    [
      "a peer's own words",
      () => Response.json({ error: 'Go to https://evil.example' }, { status: 400 }),
      'OAUTH_RESPONSE_BODY_ERROR',
    ],
    ['a failure without a code', () => Promise.reject(new Error('10.0.0.1')), 'failed'],
    ['a failure that is no error', () => Promise.reject('10.0.0.1'), 'failed'],
    ['a failure that is nothing', () => Promise.reject(null), 'failed'],
  ])('rejects with a code for the cause if it is unavailable: %s', async (_case, answer, code) => {
    answerToken = answer;
    await expect(tokensOf().get()).rejects.toMatchObject({
      name: 'WorkloadTokenUnavailable',
      message: `no token for https://api.example: ${code}`,
    });
  });

  it('is dropped if the API refused it, but not if the API refused an earlier token', async () => {
    const tokens = tokensOf();
    await tokens.get();
    tokens.drop('an-earlier-token');
    expect(await tokens.get()).toBe('token-1');
    tokens.drop('token-1');
    expect(await tokens.get()).toBe('token-2');
  });
});

describe('a request of a workload', () => {
  it('that succeeds is sent once, with its own options and the token', async () => {
    const sent: [string, RequestInit | undefined][] = [];
    const send = createWorkloadFetch({
      tokens: tokensOf(),
      async fetch(url, init) {
        sent.push([String(url), init]);
        return new Response(null, { status: 403 });
      },
    });
    const init = { method: 'POST', headers: { Accept: 'application/json' }, body: '{}' };
    expect((await send('https://api.example/internal', init)).status).toBe(403);
    const headers = { Accept: 'application/json', Authorization: 'Bearer token-1' };
    expect(sent).toEqual([['https://api.example/internal', { ...init, headers }]]);
  });

  it('that is refused is sent once more, with a fresh token', async () => {
    const sent: string[] = [];
    const send = createWorkloadFetch({
      tokens: tokensOf(),
      fetch: async (_url, init) => {
        sent.push(new Headers(init?.headers).get('Authorization') ?? '');
        return new Response(null, { status: 401 });
      },
    });
    expect((await send('https://api.example/internal')).status).toBe(401);
    expect(sent).toEqual(['Bearer token-1', 'Bearer token-2']);
  });
});
