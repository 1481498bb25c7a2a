import { beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import request from 'supertest';
import { b64, createScene, ISSUER, NOW, RESOURCE, type Scene, TOKEN_ENDPOINT } from '../testing/scene.ts';

const METADATA = `resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource"`;

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});

async function expectRefused(token: string): Promise<void> {
  const res = await scene.present(token);
  expect([res.status, res.body]).toEqual([
    401,
    { error: 'invalid_token', error_description: expect.any(String) },
  ]);
  expect(res.headers['www-authenticate']).toMatch(
    /^Bearer error="invalid_token", error_description="[^"]+", /,
  );
  expect(res.headers['www-authenticate']).toContain(METADATA);
  expect(res.headers['cache-control']).toBe('no-store');
  expect(res.text).not.toContain(token);
}

const expectAccepted = async (token: string) => expect((await scene.present(token)).status).toBe(200);

it('accepts the token that the token endpoint issued', async () => {
  await expectAccepted(await scene.grant());
});

describe('credentials', () => {
  it('without credentials: 401 with a challenge that has no error', async () => {
    const res = await scene.present(undefined);
    expect([res.status, res.text]).toEqual([401, '']);
    expect(res.headers['www-authenticate']).toBe(`Bearer scope="mcp:tools:read mcp:tools:call", ${METADATA}`);
  });

  it('of another scheme count as missing', async () => {
    const res = await request(scene.app).post('/mcp').set('Authorization', 'Basic dG9vbA==');
    expect([res.status, res.headers['www-authenticate']]).toEqual([
      401,
      expect.not.stringContaining('error'),
    ]);
  });

  it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer "x"', 'Bearer ä', 'bearer ,'])(
    'malformed: 400 invalid_request (%j)',
    async (authorization) => {
      const res = await request(scene.app).post('/mcp').set('Authorization', authorization);
      expect([res.status, res.body.error]).toEqual([400, 'invalid_request']);
      expect(res.headers['www-authenticate']).toMatch(/^Bearer error="invalid_request"/);
      expect(res.headers['www-authenticate']).toContain(METADATA);
    },
  );

  it('are found whatever the case of the scheme', async () => {
    const token = await scene.grant();
    const res = await request(scene.app).post('/mcp').set('Authorization', `bEARER  ${token}`);
    expect(res.status).toBe(200);
  });

  it('in the query or the body are never read', async () => {
    const token = await scene.grant();
    const inQuery = await request(scene.app).post(`/mcp?access_token=${token}`).send({});
    const inForm = await request(scene.app).post('/mcp').type('form').send({ access_token: token });
    expect([inQuery.status, inForm.status]).toEqual([401, 401]);
    expect(scene.lines.join()).not.toContain(token.split('.')[2]);
  });
});

describe("iss: must equal the token endpoint's URL exactly", () => {
  it.each([
    RESOURCE,
    `${TOKEN_ENDPOINT}/`,
    `${TOKEN_ENDPOINT}x`,
    ISSUER,
    'https://evil.example',
    [TOKEN_ENDPOINT],
    7,
    null,
    undefined,
  ])('refuses %j', async (iss) => {
    await expectRefused(await scene.forgeAccessToken({ iss }));
  });
});

describe('aud: must equal the resource identifier', () => {
  it('accepts an array with only that identifier', async () => {
    await expectAccepted(await scene.forgeAccessToken({ aud: [RESOURCE] }));
  });

  it.each([
    `${RESOURCE}/`,
    `${RESOURCE}/mcp`,
    TOKEN_ENDPOINT,
    'https://other.example',
    [RESOURCE, 'https://other.example'],
    [],
    7,
    null,
    undefined,
  ])('refuses %j', async (aud) => {
    await expectRefused(await scene.forgeAccessToken({ aud }));
  });
});

describe('sub: must be there', () => {
  it.each(['', 7, null, ['user_alice'], {}, undefined])('refuses %j', async (sub) => {
    await expectRefused(await scene.forgeAccessToken({ sub }));
  });
});

describe('exp: in the future, with 60 seconds of skew', () => {
  it.each([1, 59])('accepts a token that expired %i s ago', async (ago) => {
    await expectAccepted(await scene.forgeAccessToken({ exp: NOW - ago, iat: NOW - 3600 }));
  });
  it.each([60, 61])('refuses a token that expired %i s ago', async (ago) => {
    await expectRefused(await scene.forgeAccessToken({ exp: NOW - ago, iat: NOW - 3600 }));
  });
  it.each([`${NOW + 60}`, null, {}, undefined])('refuses %j', async (exp) => {
    await expectRefused(await scene.forgeAccessToken({ exp }));
  });
  it('refuses a token whose iat or nbf is 61 s in the future', async () => {
    await expectAccepted(await scene.forgeAccessToken({ iat: NOW + 60, nbf: NOW + 60 }));
    await expectRefused(await scene.forgeAccessToken({ iat: NOW + 61 }));
    await expectRefused(await scene.forgeAccessToken({ nbf: NOW + 61 }));
  });
  it('holds for a cached token: accepted at 3659 s, refused at 3660 s', async () => {
    const own = await createScene();
    const token = await own.grant();
    const at = async (seconds: number) => {
      own.time.now = NOW + seconds;
      return (await own.present(token)).status;
    };
    expect([await at(0), await at(3658), await at(3659), await at(3660), await at(3661)]).toEqual([
      200, 200, 200, 401, 401,
    ]);
  });
});

describe('other tokens are refused', () => {
  it('an ID-JAG, though it is for this resource', async () => {
    await expectRefused(await scene.idJag());
  });
  it('an ID token and an access token of the identity provider', async () => {
    await expectRefused(await scene.idJag({ iss: TOKEN_ENDPOINT }, { typ: 'JWT' }));
    await expectRefused(await scene.idJag({}, { typ: 'at+jwt' }));
    await expectRefused(await scene.idJag({ iss: TOKEN_ENDPOINT }, { typ: 'at+jwt' }));
  });
  it.each(['JWT', 'oauth-id-jag+jwt', 'txntoken+jwt', ''])(
    'a token of our own key with typ %j',
    async (typ) => {
      await expectRefused(await scene.forgeAccessToken({}, typ));
    },
  );
  it('a token signed with another key, without a signature, or with our public key as the secret', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const claims: JWTPayload = {
      iss: TOKEN_ENDPOINT,
      sub: 'u',
      aud: RESOURCE,
      client_id: 'c',
      jti: 'j',
      iat: NOW,
      exp: NOW + 60,
    };
    const [jwk] = scene.signingKeys.publicJwks().keys;
    const header = { alg: 'ES256', typ: 'at+jwt', kid: jwk?.kid ?? '' };
    await expectRefused(await new SignJWT(claims).setProtectedHeader(header).sign(privateKey));
    await expectRefused(
      await new SignJWT(claims).setProtectedHeader({ ...header, kid: 'unknown' }).sign(privateKey),
    );
    await expectRefused(
      await new SignJWT(claims)
        .setProtectedHeader({
          ...header,
          jwk: await exportJWK((await generateKeyPair('ES256', { extractable: true })).publicKey),
        })
        .sign(privateKey),
    );
    await expectRefused(
      await new SignJWT(claims)
        .setProtectedHeader({ ...header, alg: 'HS256' })
        .sign(new TextEncoder().encode(JSON.stringify(jwk))),
    );
    await expectRefused(`${b64({ ...header, alg: 'none' })}.${b64(claims)}.AA`);
    const unsecured = await scene.present(new UnsecuredJWT(claims).encode());
    expect(unsecured.status).toBe(401);
  });
  it.each(['client_id', 'jti', 'iat'])('a token without %s, which RFC 9068 requires', async (claim) => {
    await expectRefused(await scene.forgeAccessToken({ [claim]: undefined }));
  });
  it.each(['no-jwt', 'a.b.c', '....', 'eyJhbGciOiJub25lIn0.e30.'])('a malformed JWT: %s', async (token) => {
    await expectRefused(token);
  });
});
