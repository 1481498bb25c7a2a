import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CLIENT_ASSERTION_TYPE } from '@legate/oauth';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createScene, ISSUER, NOW, oauthError, RESOURCE, type Scene } from '../testing/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
});

async function expectUnavailable(assertion: string): Promise<void> {
  const res = await scene.redeem(assertion);
  expect([res.status, res.body]).toEqual([503, oauthError('temporarily_unavailable')]);
  expect(res.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
  expect(res.text).not.toMatch(/ECONNREFUSED|Connection|idp|redis/i);
}

describe('while the identity provider is down', () => {
  it('an assertion is neither redeemed nor refused, and works afterwards', async () => {
    scene.idp.down = true;
    const assertion = await scene.idJag();
    await expectUnavailable(assertion);
    scene.idp.down = false;
    scene.time.now += 11; // the cooldown after a failed read
    expect((await scene.redeem(assertion)).status).toBe(200);
  });

  it('known keys stay in use, for an hour', async () => {
    await scene.grant();
    scene.idp.down = true;
    scene.time.now = NOW + 300 + 3599;
    expect((await scene.redeem(await scene.idJag())).status).toBe(200);
    scene.time.now = NOW + 300 + 3600;
    await expectUnavailable(await scene.idJag());
  });

  it('an unknown kid yields an outage', async () => {
    await scene.grant();
    scene.idp.down = true;
    scene.time.now += 11;
    await expectUnavailable(await scene.idJag({}, { kid: 'new' }));
  });

  it('an untrusted issuer is still refused, without a request', async () => {
    scene.idp.down = true;
    const res = await scene.redeem(await scene.idJag({ iss: 'https://evil.example' }));
    expect([res.status, res.body.error]).toEqual([400, 'invalid_grant']);
    expect(scene.idp.asked).toEqual([]);
  });

  it('access tokens stay valid, since their keys are ours', async () => {
    const token = await scene.grant();
    scene.idp.down = true;
    expect((await scene.present(token)).status).toBe(200);
  });

  it.each([
    ['names another issuer', { issuer: 'https://evil.example', jwks_uri: 'https://evil.example/jwks' }],
    ['is no metadata', 'hello'],
  ])('also if its discovery document %s', async (_case, document) => {
    scene = await createScene({ fetch: async () => Response.json(document) });
    await expectUnavailable(await scene.idJag());
  });
});

describe('the console', () => {
  const printed = jest.spyOn(console, 'error');
  const info = jest.spyOn(console, 'info');
  beforeEach(() => {
    printed.mockReset().mockImplementation(() => undefined);
    info.mockImplementation(() => undefined);
  });
  afterEach(() => void info.mockReset());

  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const unreachable = new TypeError('fetch failed', { cause: refused });
  const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  const oidc = `${ISSUER}/.well-known/openid-configuration`;
  const oauth = `${ISSUER}/.well-known/oauth-authorization-server`;

  it.each<[string, Record<string, () => Response>, string]>([
    [
      'the keys cannot be reached',
      {
        [oidc]: () => Response.json({ issuer: ISSUER, jwks_uri: `${ISSUER}/jwks` }),
        [`${ISSUER}/jwks`]: () => fail(unreachable),
      },
      `${ISSUER}/jwks: ECONNREFUSED`,
    ],
    [
      'the provider cannot be reached',
      { [oidc]: () => fail(unreachable), [oauth]: () => fail(unreachable) },
      `${oidc}: ECONNREFUSED; ${oauth}: ECONNREFUSED`,
    ],
    [
      'the provider does not answer in time, which is asked once',
      { [oidc]: () => fail(timeout) },
      `${oidc}: The operation was aborted due to timeout`,
    ],
    [
      'the provider answers otherwise',
      { [oidc]: () => new Response('', { status: 502 }), [oauth]: () => new Response('<html>') },
      `${oidc}: status 502; ${oauth}: not JSON`,
    ],
  ])('gets one line with address and cause when %s', async (_case, answers, causes) => {
    const fetch = async (url: unknown) => answers[String(url)]?.() ?? fail(new Error('not asked'));
    scene = await createScene({ log: undefined, fetch });
    await expectUnavailable(await scene.idJag());
    const keys = `signing keys of ${ISSUER} are unavailable`;
    expect(printed.mock.calls).toEqual([
      [`oauth request without a response: temporarily_unavailable: ${keys}: ${causes}`],
    ]);
  });

  it('gets one line with the cause when the replay store is down', async () => {
    scene = await createScene({ log: undefined });
    scene.store.down = true;
    await expectUnavailable(await scene.idJag());
    expect(printed.mock.calls).toEqual([[expect.stringMatching(/replay store .+: Connection is closed\.$/)]]);
  });

  it('gets the stack of a fault of the program', async () => {
    const err = new Error('a fault');
    scene = await createScene({ log: undefined, resolveUser: () => fail(err) });
    expect((await scene.redeem(await scene.idJag())).status).toBe(500);
    expect(printed.mock.calls).toEqual([['oauth request failed', { err }]]);
  });

  function fail(err: unknown): never {
    throw err;
  }
});

it('logs an internal error unchanged', async () => {
  scene = await createScene({ trustedIssuers: [], fetch: () => Promise.reject(new Error('not asked')) });
  const broken = await createScene({
    clock: () => {
      throw new Error('the clock is broken');
    },
    signingKeys: scene.signingKeys,
  });
  const res = await broken.redeem(await scene.idJag());
  expect([res.status, res.body]).toEqual([500, { error: 'server_error' }]);
  expect(broken.lines.join()).toContain('the clock is broken');
});

describe('keys', () => {
  it('rotated in at the identity provider are found at their first use', async () => {
    await scene.grant();
    const next = await generateKeyPair('RS256', { extractable: true });
    scene.idp.jwks.keys.push({ ...(await exportJWK(next.publicKey)), kid: 'idp-2', alg: 'RS256' });
    scene.time.now += 11;
    const assertion = await new SignJWT(scene.idJagClaims())
      .setProtectedHeader({ alg: 'RS256', kid: 'idp-2', typ: 'oauth-id-jag+jwt' })
      .sign(next.privateKey);
    expect((await scene.redeem(assertion)).status).toBe(200);
  });

  it('that do not exist cause at most three requests per cooldown, from all callers together', async () => {
    await scene.grant();
    scene.time.now += 11;
    const asked = scene.idp.asked.length;
    for (let i = 0; i < 5; i += 1) await scene.redeem(await scene.idJag({}, { kid: `k${i}` }));
    expect(scene.idp.asked.length - asked).toBe(3 * 2); // discovery and keys
  });

  it('of this server are rotated without refusing tokens of the old or the new key', async () => {
    const old = await scene.grant();
    expect((await scene.present(old)).status).toBe(200);
    await scene.signingKeys.rotate();
    expect((await scene.present(await scene.grant())).status).toBe(200);
    scene.time.now += 120; // longer than verified tokens are cached
    expect((await scene.present(old)).status).toBe(200);
  });
});

describe('while the replay store is down', () => {
  it('no assertion is redeemed or refused as invalid, and it works afterwards', async () => {
    const assertion = await scene.idJag();
    scene.store.down = true;
    await expectUnavailable(assertion);
    scene.store.down = false;
    expect((await scene.redeem(assertion)).status).toBe(200);
  });

  it('an invalid assertion is still refused', async () => {
    scene.store.down = true;
    expect((await scene.redeem(await scene.idJag({ aud: 'x' }))).body.error).toBe('invalid_grant');
  });

  it('a client assertion yields an outage as well', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    scene = await createScene({
      clients: [{ clientId: 'keyed', jwks: { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] } }],
    });
    scene.store.down = true;
    const client_assertion = await new SignJWT({ jti: randomUUID(), iat: NOW, exp: NOW + 60 })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer('keyed')
      .setSubject('keyed')
      .setAudience(RESOURCE)
      .sign(privateKey);
    const res = await scene.redeem(await scene.idJag({ client_id: 'keyed' }), {
      ...{ client_id: undefined, client_secret: undefined },
      ...{ client_assertion, client_assertion_type: CLIENT_ASSERTION_TYPE },
    });
    expect([res.status, res.body]).toEqual([503, oauthError('temporarily_unavailable')]);
  });
});
