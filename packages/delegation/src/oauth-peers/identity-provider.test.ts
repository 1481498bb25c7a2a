import { beforeEach, describe, expect, it } from '@jest/globals';
import { GRANT_TYPE } from '@legate/oauth';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { createIdentityProvider, type IdentityProvider } from './identity-provider.ts';
import { requestToken } from './token-request.ts';

const ISSUER = 'https://idp.example';

let clock: TestClock;
let isAway: boolean;
let reads: number;
let identityProvider: () => Promise<IdentityProvider>;

beforeEach(() => {
  clock = createTestClock();
  isAway = false;
  reads = 0;
  identityProvider = createIdentityProvider({
    issuer: ISSUER,
    clientId: 'tool-hub',
    clientAuth: { method: 'client_secret_post', clientSecret: 'secret' },
    fetch: async () => {
      reads += 1;
      if (isAway) throw new TypeError('fetch failed');
      return Response.json({ issuer: ISSUER, token_endpoint: `${ISSUER}/token` });
    },
    clock,
  });
});

const kind = async () => (await identityProvider()).kind;

it('is read once for concurrent callers, and again after an hour', async () => {
  expect(await Promise.all([kind(), kind()])).toEqual(['found', 'found']);
  expect([await kind(), reads]).toEqual(['found', 1]);
  clock.advanceSeconds(3600);
  expect([await kind(), reads]).toEqual(['found', 2]);
});

it('stays in use while it cannot be read again, without delaying every delegation', async () => {
  await kind();
  isAway = true;
  clock.advanceSeconds(3600);
  expect([await kind(), await kind(), await kind(), reads]).toEqual(['found', 'found', 'found', 2]);
  clock.advanceSeconds(60);
  isAway = false;
  expect([await kind(), await kind(), reads]).toEqual(['found', 'found', 3]);
  clock.advanceSeconds(3599);
  expect([await kind(), reads]).toEqual(['found', 3]);
});

it('is requested again at once if it has never been read', async () => {
  isAway = true;
  expect(await kind()).toBe('unavailable');
  isAway = false;
  expect(await kind()).toBe('found');
});

it('is read again if the clock was set back to before it was read', async () => {
  await kind();
  clock.advanceSeconds(-3600);
  expect([await kind(), reads]).toEqual(['found', 2]);
});

it('may have null in members of a token response that it could omit', async () => {
  const token = { access_token: 'an-id-jag', token_type: 'N_A' };
  const provider = await createIdentityProvider({
    issuer: ISSUER,
    clientId: 'tool-hub',
    clientAuth: { method: 'client_secret_post', clientSecret: 'secret' },
    fetch: async (url) =>
      String(url).endsWith('/token')
        ? Response.json({ ...token, scope: null, resource: null, expires_in: null, refresh_token: null })
        : Response.json({ issuer: ISSUER, token_endpoint: `${ISSUER}/token` }),
    clock,
  })();
  expect(
    provider.kind === 'found' && (await requestToken(provider.client, GRANT_TYPE.tokenExchange, {})),
  ).toEqual({
    kind: 'answered',
    body: { access_token: 'an-id-jag', token_type: 'n_a' },
  });
});

describe('its metadata', () => {
  /** @param documents by path; all other paths return 404 */
  const find = (documents: Record<string, object | number>, issuer = ISSUER) =>
    createIdentityProvider({
      issuer,
      clientId: 'tool-hub',
      clientAuth: { method: 'client_secret_post', clientSecret: 'secret' },
      async fetch(url) {
        const document = documents[new URL(String(url)).pathname] ?? 404;
        return typeof document === 'number'
          ? new Response(null, { status: document })
          : Response.json(document);
      },
      clock,
    })();
  const DOCUMENT = { issuer: ISSUER, token_endpoint: `${ISSUER}/token` };
  const OIDC = '/.well-known/openid-configuration';
  const OAUTH = '/.well-known/oauth-authorization-server';

  it.each([
    ['OpenID Connect', OIDC],
    ['OAuth', OAUTH],
  ])('may be the metadata of %s', async (_name, path) => {
    const found = await find({ [path]: DOCUMENT });
    expect(found.kind === 'found' && found.client.serverMetadata().token_endpoint).toBe(`${ISSUER}/token`);
  });

  it('may be fetched over plain http, if the guarded client permits it', async () => {
    const issuer = 'http://127.0.0.1:4000';
    expect(await find({ [OIDC]: { issuer, token_endpoint: `${issuer}/token` } }, issuer)).toMatchObject({
      kind: 'found',
    });
  });

  it.each<[string, Record<string, object | number>, object]>([
    [
      'names the issuer with a slash',
      { [OIDC]: { ...DOCUMENT, issuer: `${ISSUER}/` } },
      { kind: 'unusable', reason: expect.stringContaining(`another issuer, ${ISSUER}/`) },
    ],
    [
      'names another issuer',
      { [OIDC]: { ...DOCUMENT, issuer: 'https://evil.example' } },
      { kind: 'unusable' },
    ],
    [
      'has no token endpoint',
      { [OIDC]: { issuer: ISSUER } },
      { kind: 'unusable', reason: 'its metadata has no token endpoint' },
    ],
    ['is not there', {}, { kind: 'unusable', reason: expect.stringContaining('status 404') }],
    [
      'is refused to us, and the other is not there',
      { [OIDC]: 401 },
      { kind: 'unusable', reason: expect.stringContaining('refuses to show') },
    ],
    ['is not there for a moment', { [OIDC]: 503, [OAUTH]: DOCUMENT }, { kind: 'unavailable' }],
  ])('is not used if it %s', async (_case, documents, failure) => {
    expect(await find(documents)).toMatchObject(failure);
  });
});
