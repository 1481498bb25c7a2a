import { beforeEach, describe, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import { clientDocumentUrl } from '@legate/oauth';
import { createStrangerBudget } from '@legate/rate-limit';
import { createMemoryBackend, createSecureStore, generateEncryptionKeys } from '@legate/secure-store';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { createAssertionVerifiers } from './client-assertions.ts';
import { createClientDocuments } from './client-documents.ts';
import { ClientUnavailable } from './oauth-client.ts';

const ID = 'https://vscode.example/oauth/client.json';
const DOCUMENT = {
  client_id: ID,
  client_name: 'An editor',
  redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.example/redirect', 'vscode://nobody/knows'],
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  token_endpoint_auth_method: 'none',
};

const SIGN_IN = { kind: 'authorization', address: '192.0.2.1' } as const;
const SESSION = { kind: 'session' } as const;
const TOKEN = { kind: 'token' } as const;

let clock: TestClock;
let requests: string[];
let unusable: string[];
let answer: () => Response | Promise<Response>;
let documents: ReturnType<typeof createClientDocuments>;

function open(hosts?: readonly string[]) {
  const store = createSecureStore({
    backend: createMemoryBackend({ clock }),
    keys: generateEncryptionKeys(),
  });
  return createClientDocuments({
    fetch: async (url) => {
      requests.push(String(url));
      return answer();
    },
    store,
    nativePrefixes: ['cursor://anysphere.cursor-mcp/oauth/'],
    hosts,
    verifyAssertionBy: createAssertionVerifiers({ issuer: 'https://hub.example', clock }),
    onUnusable: (_clientId, reason) => unusable.push(reason),
    budget: createStrangerBudget({ perMinute: 40, clock }),
    clock,
  });
}
const respond = (body: unknown, init: ResponseInit = {}) => {
  answer = () => new Response(typeof body === 'string' ? body : JSON.stringify(body), init);
};

beforeEach(() => {
  clock = createTestClock();
  requests = [];
  unusable = [];
  respond(DOCUMENT);
  documents = open();
});

it('describes a client, without redirect URIs that this server cannot use', async () => {
  expect(await documents.find(ID, SIGN_IN)).toMatchObject({
    clientId: ID,
    name: 'An editor',
    redirectUris: ['http://127.0.0.1:33418/', 'https://vscode.example/redirect'],
    vouchedBy: { kind: 'document' },
    isPublic: true,
  });
});

it('shortens a name that is too long, and removes control characters', async () => {
  respond({ ...DOCUMENT, client_name: `A\u202e\u0000${'x'.repeat(100)}` });
  expect((await documents.find(ID, SIGN_IN))?.name).toBe(`A ${'x'.repeat(62)}`);
});

it.each<[string, unknown, number?]>([
  ['of another client', { ...DOCUMENT, client_id: `${ID}x` }],
  ['without an id', { ...DOCUMENT, client_id: undefined }],
  ['without a name', { ...DOCUMENT, client_name: undefined }],
  ['without redirect URIs', { ...DOCUMENT, redirect_uris: undefined }],
  ['with useless redirect URIs only', { ...DOCUMENT, redirect_uris: ['http://evil.example/'] }],
  ['with a secret', { ...DOCUMENT, client_secret: 'x' }],
  ['that wants a secret', { ...DOCUMENT, token_endpoint_auth_method: 'client_secret_basic' }],
  ['that wants private_key_jwt without keys', { ...DOCUMENT, token_endpoint_auth_method: 'private_key_jwt' }],
  [
    'with a private key',
    { ...DOCUMENT, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'EC', d: 'x' }] } },
  ],
  ['that is a list', [DOCUMENT]],
  ['that is no JSON', '<html>'],
  ['that is not found', DOCUMENT, 404],
  ['that is not there yet', DOCUMENT, 201],
])('accepts no client from an invalid document: %s', async (...[_case, body, status = 200]) => {
  respond(body, { status });
  expect(await documents.find(ID, SIGN_IN)).toBeUndefined();
  respond(DOCUMENT); // the failure is not cached
  expect(await documents.find(ID, SIGN_IN)).toBeDefined();
});

const withKeys = (...keys: object[]) => ({
  ...DOCUMENT,
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys },
});
const LONG = Buffer.alloc(384, 0xff).toString('base64url');

it.each<[string, object, string]>([
  ['a costly exponent', withKeys({ kty: 'RSA', n: LONG, e: LONG }), 'exponent of an RSA key'],
  ['a short key', withKeys({ kty: 'RSA', n: 'AQAB', e: 'AQAB' }), '2048 to 4096 bits'],
  ['an unknown curve', withKeys({ kty: 'EC', crv: 'secp256k1' }), 'P-256, P-384'],
  ['eleven keys', withKeys(...Array(11).fill({ kty: 'EC', crv: 'P-256' })), 'jwks.keys'],
])('accepts no client from a document that has only %s, and reports why', async (_case, document, why) => {
  respond(document);
  expect(await documents.find(ID, SIGN_IN)).toBeUndefined();
  expect(unusable).toEqual([expect.stringContaining(why)]);
});

it('ignores a key that is costly to verify with, and verifies with the other key', async () => {
  const keys = await createSigningKeys({ alg: 'ES256', clock });
  respond(withKeys({ kty: 'RSA', n: LONG, e: LONG, kid: 'costly' }, ...keys.publicJwks().keys));
  const client = await documents.find(ID, SIGN_IN);
  const now = Math.floor(clock().getTime() / 1000);
  const claims = { iss: ID, sub: ID, aud: 'https://hub.example', jti: 'j', iat: now, exp: now + 60 };
  const assertion = await keys.sign(claims, { typ: 'JWT' });
  expect((await client?.verifyAssertion?.(assertion))?.claims.sub).toBe(ID);
});

it('verifies assertions with the keys in the document', async () => {
  const keys = await createSigningKeys({ alg: 'ES256', clock });
  respond({ ...DOCUMENT, token_endpoint_auth_method: 'private_key_jwt', jwks: keys.publicJwks() });
  const client = await documents.find(ID, TOKEN);
  const now = Math.floor(clock().getTime() / 1000);
  const claims = { iss: ID, sub: ID, aud: 'https://hub.example', jti: 'j', iat: now, exp: now + 60 };
  const assertion = await keys.sign(claims, { typ: 'JWT' });
  expect([client?.isPublic, (await client?.verifyAssertion?.(assertion))?.claims.sub]).toEqual([false, ID]);
  const elsewhere = await keys.sign({ ...claims, aud: 'https://other.example' }, { typ: 'JWT' });
  await expect(client?.verifyAssertion?.(elsewhere)).rejects.toThrow();
});

it.each([
  ['http://vscode.example/client.json'],
  ['https://vscode.example'],
  ['https://vscode.example/'],
  ['https://vscode.example/a/../b'],
  ['https://vscode.example/./b'],
  ['https://VSCODE.example/b'],
  ['https://user:secret@vscode.example/b'],
  ['https://vscode.example/b#c'],
  ['https://vscode.example/b#'],
  [`https://vscode.example/${'x'.repeat(500)}`],
  ['agent'],
])('a document is not requested from %s', async (id) => {
  expect([clientDocumentUrl(id), await documents.find(id, SIGN_IN), requests]).toEqual([
    undefined,
    undefined,
    [],
  ]);
});

it('a document is not requested from hosts that the operator has not allowed', async () => {
  documents = open(['claude.example']);
  expect([await documents.find(ID, SIGN_IN), requests]).toEqual([undefined, []]);
  documents = open(['vscode.example']);
  expect(await documents.find(ID, SIGN_IN)).toBeDefined();
});

describe('a cached document', () => {
  it.each([
    [undefined, 300],
    ['no-store', 300],
    ['max-age=10', 300],
    ['max-age=3600', 3600],
    ['public, max-age=99999999', 86_400],
  ])('with Cache-Control %s is cached for %s seconds', async (control, seconds) => {
    respond(DOCUMENT, control === undefined ? {} : { headers: { 'Cache-Control': control } });
    await documents.find(ID, SIGN_IN);
    clock.advanceSeconds(seconds - 1);
    await documents.find(ID, SIGN_IN);
    expect(requests).toHaveLength(1);
    clock.advanceSeconds(1);
    await documents.find(ID, SIGN_IN);
    expect(requests).toHaveLength(2);
  });

  it('that was in an HTTP cache is cached for its remaining lifetime', async () => {
    respond(DOCUMENT, { headers: { 'Cache-Control': 'max-age=3600', Age: '3000' } });
    await documents.find(ID, SIGN_IN);
    clock.advanceSeconds(600);
    await documents.find(ID, SIGN_IN);
    expect(requests).toHaveLength(2);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ['does not answer', () => Promise.reject(new TypeError('fetch failed'))],
    ['has a fault', () => new Response('', { status: 503 })],
    ['has too many requests', () => new Response('', { status: 429 })],
    ['waits for a request in vain', () => new Response('', { status: 408 })],
  ])('serves refreshes, but no new sign-in, while its host %s', async (_case, away) => {
    await documents.find(ID, SIGN_IN);
    await documents.find(ID, SESSION);
    clock.advanceSeconds(29 * 86_400);
    answer = away;
    expect((await documents.find(ID, TOKEN))?.name).toBe('An editor');
    await expect(documents.find(ID, SIGN_IN)).rejects.toBeInstanceOf(ClientUnavailable);
  });

  it('is deleted after a day if no user has allowed the client', async () => {
    respond(DOCUMENT, { headers: { 'Cache-Control': 'max-age=99999999' } });
    await documents.find(ID, SIGN_IN);
    clock.advanceSeconds(86_401);
    answer = () => Promise.reject(new TypeError('fetch failed'));
    await expect(documents.find(ID, TOKEN)).rejects.toBeInstanceOf(ClientUnavailable);
  });

  it('that was removed from its host describes no client any more', async () => {
    await documents.find(ID, SIGN_IN);
    clock.advanceSeconds(86_401);
    respond('', { status: 404 });
    expect(await documents.find(ID, TOKEN)).toBeUndefined();
  });

  it('has another digest when its content changes', async () => {
    const digests = [];
    for (const change of [
      {},
      { client_name: 'Other' },
      { redirect_uris: ['https://vscode.example/2'] },
      { scope: 'x' },
    ]) {
      respond({ ...DOCUMENT, ...change });
      const client = await open().find(ID, SIGN_IN);
      digests.push(client?.vouchedBy.kind === 'document' && client.vouchedBy.digest);
    }
    expect([new Set(digests.slice(0, 3)).size, digests[3] === digests[0]]).toEqual([3, true]);
  });
});

it('reads a document once for concurrent requests', async () => {
  await Promise.all([1, 2, 3].map(() => documents.find(ID, SIGN_IN)));
  expect(requests).toHaveLength(1);
});

describe('the hub limits reads per minute, and', () => {
  const read = (path: string, address: string) =>
    documents.find(`${ID}?${path}`, { kind: 'authorization', address });
  beforeEach(() => {
    answer = () => new Response('', { status: 404 });
  });

  it('reads new documents for a network address up to its share, and continues for others', async () => {
    for (let i = 0; i < 14; i += 1) await read(`${i}`, '192.0.2.1');
    await expect(read('14', '192.0.2.1')).rejects.toBeInstanceOf(ClientUnavailable);
    expect(await read('14', '192.0.2.2')).toBeUndefined();
    clock.advanceSeconds(60);
    expect(await read('14', '192.0.2.1')).toBeUndefined();
  });

  it('reads a new document for a newcomer while two addresses use all that they can', async () => {
    for (let i = 0; i < 100; i += 1) await read(`${i}`, `192.0.2.${i % 2}`).catch(() => undefined);
    respond(DOCUMENT);
    expect(await documents.find(ID, { kind: 'authorization', address: '198.51.100.1' })).toBeDefined();
  });

  it('reads cached documents again, however many new ones are requested', async () => {
    respond(DOCUMENT);
    await documents.find(ID, SIGN_IN);
    clock.advanceSeconds(301);
    answer = () => new Response('', { status: 404 });
    for (let i = 0; i < 100; i += 1) await read(`${i}`, `192.0.2.${i}`).catch(() => undefined);
    respond(DOCUMENT);
    expect(await documents.find(ID, SIGN_IN)).toBeDefined();
  });

  it('reads one document at most ten times', async () => {
    for (let i = 0; i < 10; i += 1) await read('same', `192.0.2.${i}`);
    await expect(read('same', '198.51.100.1')).rejects.toBeInstanceOf(ClientUnavailable);
    expect(requests).toHaveLength(10);
  });
});

describe('at the token endpoint', () => {
  const token = (hasGrant: boolean) =>
    ({ kind: 'token', asker: { address: '192.0.2.1', hasGrant: async () => hasGrant } }) as const;

  it('no unknown document is read for a stranger', async () => {
    expect([await documents.find(ID, token(false)), requests]).toEqual([undefined, []]);
  });

  it('a cached document is used, and read again when it has expired', async () => {
    await documents.find(ID, SIGN_IN);
    expect(await documents.find(ID, token(false))).toBeDefined();
    clock.advanceSeconds(301);
    expect(await documents.find(ID, token(false))).toBeDefined();
    expect(requests).toHaveLength(2);
  });

  it('a document that is no longer cached is read for a client that has a code or token', async () => {
    expect(await documents.find(ID, token(true))).toBeDefined();
  });
});
