import { expect, it } from '@jest/globals';
import { createTokenClient } from './token-client.ts';
import { requestToken } from './token-request.ts';

const GOOD = { access_token: 'a-token', token_type: 'Bearer', expires_in: 60, scope: 'read' };

async function ask(answer: () => Response | Promise<Response>, tokenEndpoint = 'https://as.example/token') {
  const client = await createTokenClient({
    issuer: 'https://as.example',
    tokenEndpoint,
    clientId: 'hub',
    clientAuth: { method: 'client_secret_basic', clientSecret: 'a-secret' },
    fetch: async () => answer(),
  });
  return requestToken(client, 'client_credentials', {});
}

it('reads only the necessary members of a response, and no refresh token', async () => {
  const answered = await ask(() =>
    Response.json({ ...GOOD, resource: 'https://tools.example', refresh_token: 'r', more: 1 }),
  );
  expect(answered).toEqual({
    kind: 'answered',
    body: { ...GOOD, token_type: 'bearer', resource: 'https://tools.example' },
  });
});

it('uses plain http too, if the guarded client permits it', async () => {
  expect((await ask(() => Response.json(GOOD), 'http://127.0.0.1:4003/token')).kind).toBe('answered');
});

it('accepts a token of 65,536 characters, but not a longer one', async () => {
  const answer = (length: number) => ask(() => Response.json({ ...GOOD, access_token: 'x'.repeat(length) }));
  expect((await answer(65_536)).kind).toBe('answered');
  expect((await answer(65_537)).kind).toBe('unusable');
});

it.each<[string, object]>([
  ['no token', { access_token: undefined }],
  ['an empty token', { access_token: '' }],
  ['a resource that is a number', { resource: 7 }],
  ['a type that is a number', { issued_token_type: 7 }],
])('rejects a response with %s', async (_case, change) => {
  expect((await ask(() => Response.json({ ...GOOD, ...change }))).kind).toBe('unusable');
});

const failed = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
const page = (status: number) =>
  new Response('<p>Blocked</p>', { status, headers: { 'content-type': 'text/html', server: 'cloudflare' } });

it.each<[string, () => Response, readonly string[]]>([
  ['a page of a firewall', () => page(403), ['status 403', 'HTML page from "cloudflare"']],
  ['a page that asks for a password', () => page(401), ['status 401', 'HTML page']],
  ['a page in the place of a token', () => page(200), ['HTML page']],
  ['no JSON', () => new Response('no', { headers: { 'content-type': 'application/json' } }), ['JSON']],
  ['a scope that is a list', () => Response.json({ ...GOOD, scope: ['read'] }), ['"scope"']],
  ['no type', () => Response.json({ ...GOOD, token_type: null }), ['"token_type"']],
  ['no token', () => Response.json({ token_type: 'Bearer' }), ['"access_token"']],
  ['a resource that is a number', () => Response.json({ ...GOOD, resource: 7 }), ['"resource" is a number']],
])(
  'says what came from the token endpoint, and which member is at fault: %s',
  async (_case, answer, facts) => {
    const answered = await ask(answer, 'https://as.example/token?key=7');
    const reason = answered.kind === 'unusable' ? answered.reason : answered.kind;
    for (const fact of [...facts, 'https://as.example/token']) expect(reason).toContain(fact);
    expect(reason).not.toContain('key=7');
  },
);

it.each<[string, () => Response | Promise<Response>, object]>([
  [
    'a refusal',
    () => Response.json({ error: 'access_denied' }, { status: 400 }),
    { kind: 'refused', error: 'access_denied' },
  ],
  [
    'a fault of the server',
    () => new Response(null, { status: 502 }),
    { kind: 'unavailable', retryable: true },
  ],
  ['no connection', () => Promise.reject(new TypeError('fetch failed')), { kind: 'unavailable' }],
  [
    'our certificate having expired',
    () => Promise.reject(failed('ERR_CLIENT_CERTIFICATE_EXPIRED')),
    { kind: 'unusable', reason: expect.stringContaining('our client certificate has expired') },
  ],
  [
    'a certificate that the server refuses',
    () => Promise.reject(failed('ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE')),
    { kind: 'unusable', reason: expect.stringContaining('ALERT_BAD_CERTIFICATE') },
  ],
])('never throws for %s', async (_case, answer, outcome) => {
  expect(await ask(answer)).toMatchObject(outcome);
});

it('keeps what a server adds to its error, within limits, for a comparison', async () => {
  const detailsOf = async (members: object) => {
    const answered = await ask(() => Response.json({ error: 'invalid_client', ...members }, { status: 401 }));
    return answered.kind === 'refused' ? answered.details : answered;
  };
  const added = { error_description: 'x'.repeat(5000), error_codes: [7000215], suberror: 'bad_token' };
  expect(await detailsOf(added)).toEqual({
    ...{ description: 'x'.repeat(1000), codes: [7000215], suberror: 'bad_token' },
    status: 401,
  });
  expect(await detailsOf({ error_description: null, error_codes: ['7000215'] })).toEqual({ status: 401 });
});
