import { beforeAll, describe, expect, it } from '@jest/globals';
import { accessToken, createTokenVerifier } from '@legate/jwt';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader } from 'jose';
import request from 'supertest';
import {
  createScene,
  HUB,
  ISSUER,
  oauthError,
  RESOURCE,
  type Scene,
  SECOND_ISSUER,
  TOKEN_ENDPOINT,
} from '../testing/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});

describe('a valid ID-JAG', () => {
  it('is redeemed for an access token, with the members of RFC 6749 only', async () => {
    const res = await scene.redeem(await scene.idJag());
    expect(res.status).toBe(200);
    expect(res.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    expect(res.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'mcp:tools:read mcp:tools:call',
      resource: RESOURCE,
    });
  });

  it('becomes an access token with exactly the claims of the specification', async () => {
    const token = await scene.grant({ email: 'alice@acme.example', groups: ['staff'], roles: ['admin'] });
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(decodeJwt(token)).toEqual({
      iss: TOKEN_ENDPOINT,
      sub: 'user_alice',
      aud: RESOURCE,
      client_id: 'tool-hub',
      scope: 'mcp:tools:read mcp:tools:call',
      jti: expect.any(String),
      iat: scene.time.now,
      exp: scene.time.now + 3600,
      idp: ISSUER,
      organization_id: 'org_acme',
      email: 'alice@acme.example',
      groups: ['staff'],
      roles: ['admin'],
    });
  });

  it('whose only claim about the user is sub yields a token with only sub', async () => {
    const token = await scene.grant({ organization_id: undefined, scope: 'mcp:tools:read' });
    expect(Object.keys(decodeJwt(token)).sort()).toEqual([
      'aud',
      'client_id',
      'exp',
      'iat',
      'idp',
      'iss',
      'jti',
      'scope',
      'sub',
    ]);
  });

  it('yields a token that anyone can verify with the published keys', async () => {
    const token = await scene.grant();
    const { body } = await request(scene.app).get('/.well-known/jwks.json');
    const verify = createTokenVerifier(accessToken, {
      issuers: [{ issuer: TOKEN_ENDPOINT, keys: createLocalJWKSet(body) }],
      audience: RESOURCE,
      clock: scene.clock,
    });
    expect((await verify(token)).claims.sub).toBe('user_alice');
  });

  it('never yields the same jti twice', async () => {
    expect(decodeJwt(await scene.grant()).jti).not.toBe(decodeJwt(await scene.grant()).jti);
  });

  it("of a second trusted issuer is redeemed, and the token names the user's issuer", async () => {
    expect(decodeJwt(await scene.grant({ iss: SECOND_ISSUER }))).toMatchObject({ idp: SECOND_ISSUER });
  });

  it('of a multi-tenant issuer yields a token that names the tenant', async () => {
    expect(decodeJwt(await scene.grant({ tenant: 'acme' }))).toMatchObject({
      sub: 'user_alice',
      tenant: 'acme',
    });
  });

  it('yields a token with the issuer as iss if so configured (RFC 9068), and that server accepts such tokens', async () => {
    const other = await createScene({ accessTokenIssuer: 'issuer' });
    const token = await other.grant();
    expect(decodeJwt(token).iss).toBe(RESOURCE);
    expect((await other.present(token)).status).toBe(200);
    expect((await other.present(await other.forgeAccessToken({ iss: TOKEN_ENDPOINT }))).status).toBe(401);
  });
});

describe('the scope of the token', () => {
  it.each([
    ['the assertion has', {}, undefined, 'mcp:tools:read mcp:tools:call'],
    [
      'the assertion has, in its order',
      { scope: 'mcp:tools:call mcp:tools:read' },
      undefined,
      'mcp:tools:call mcp:tools:read',
    ],
    [
      'the assertion has, each once',
      { scope: 'mcp:tools:read  mcp:tools:read' },
      undefined,
      'mcp:tools:read',
    ],
    ['of it the request wants', {}, 'mcp:tools:read', 'mcp:tools:read'],
    ['of it the request wants, whatever else it wants', {}, 'admin mcp:tools:call', 'mcp:tools:call'],
    ['the assertion has, when the request names none', {}, '', 'mcp:tools:read mcp:tools:call'],
    ['nothing at all, when the assertion has none', { scope: undefined }, undefined, ''],
  ])('is what %s', async (_case, claims, scope, granted) => {
    const res = await scene.redeem(await scene.idJag(claims), { scope });
    expect([res.status, res.body.scope]).toEqual([200, granted]);
    expect(decodeJwt(res.body.access_token).scope ?? '').toBe(granted);
  });

  it.each([
    ['only what the assertion does not have', { scope: 'mcp:tools:read' }, 'mcp:tools:call', 'invalid_scope'],
    ['something, of an assertion without scope', { scope: undefined }, 'mcp:tools:read', 'invalid_scope'],
    ['what is no scope', {}, 'mcp"tools', 'invalid_scope'],
    [
      'a part of an assertion that has a scope we do not know',
      { scope: 'mcp:tools:read admin' },
      'mcp:tools:read',
      'invalid_grant',
    ],
  ])('is never granted if the request asks for %s', async (_case, claims, scope, error) => {
    const res = await scene.redeem(await scene.idJag(claims), { scope });
    expect([res.status, res.body]).toEqual([400, oauthError(error)]);
  });
});

describe('the resource', () => {
  it.each([
    ['absent in assertion and request', { resource: undefined }, undefined],
    ['an array of ours', { resource: [RESOURCE] }, undefined],
    ['ours with the slash that URL libraries add', { resource: `${RESOURCE}/` }, undefined],
    ['ours in the request', {}, RESOURCE],
    ['ours in the request, with a slash', {}, `${RESOURCE}/`],
    ['ours in the request, repeated', {}, [RESOURCE, RESOURCE]],
  ])('%s is granted, in our spelling', async (_case, claims, resource) => {
    const res = await scene.redeem(await scene.idJag(claims), { resource });
    expect([res.status, res.body.resource]).toEqual([200, RESOURCE]);
    expect(decodeJwt(res.body.access_token).aud).toBe(RESOURCE);
  });

  it.each([
    ['another', 'https://other.example'],
    ['ours and another', [RESOURCE, 'https://other.example']],
    ['below ours', `${RESOURCE}/mcp`],
    ['ours with two slashes', `${RESOURCE}//`],
    ['ours in capitals', RESOURCE.toUpperCase()],
    ['no URL', 'tools'],
    ['an empty array', []],
    ['a number', 4003],
  ])('of an assertion that is %s makes it invalid_grant', async (_case, resource) => {
    const res = await scene.redeem(await scene.idJag({ resource }));
    expect([res.status, res.body]).toEqual([400, oauthError('invalid_grant')]);
  });

  it.each([
    ['another', 'https://other.example'],
    ['ours and another', [RESOURCE, 'https://other.example']],
    ['below ours', `${RESOURCE}/mcp`],
  ])('of a request that is %s is invalid_target', async (_case, resource) => {
    const res = await scene.redeem(await scene.idJag(), { resource });
    expect([res.status, res.body]).toEqual([400, oauthError('invalid_target')]);
  });

  it('is checked before the assertion is used up: the same assertion works for a correct request', async () => {
    const assertion = await scene.idJag();
    await scene.redeem(assertion, { resource: 'https://other.example' });
    await scene.redeem(assertion, { scope: 'admin' });
    await scene.redeem(assertion, { client_secret: 'wrong' });
    expect((await scene.redeem(assertion, HUB)).status).toBe(200);
  });
});
