import { afterEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as openid from 'openid-client';
import { encode, exchangeForm, type Form, mintIdToken } from '../testing/exchange.ts';
import { listen } from '../testing/listen.ts';
import { ADMIN_KEY, createTestWorld, MANAGEMENT_API } from '../testing/scene.ts';
import { discover, signIn } from '../testing/sign-in.ts';
import { PERSONALITIES, type PersonalityName } from './personalities.ts';
import { isAnswer, issuerPathOf } from './personality.ts';

type World = Awaited<ReturnType<typeof listen>>;
let world: World;
afterEach(() => world.close());

const arrange = async (name: PersonalityName) => {
  world = await listen({ personality: PERSONALITIES[name] });
  return { ...world, origin: new URL(world.issuer).origin };
};

/** URLs in the form that the provider documents */
const ADDRESSES = {
  okta: ['', '/oauth2/v1/token', '/oauth2/v1/keys'],
  auth0: ['/', '/oauth/token', '/.well-known/jwks.json'],
  keycloak: [
    '/realms/acme',
    '/realms/acme/protocol/openid-connect/token',
    '/realms/acme/protocol/openid-connect/certs',
  ],
  entra: [
    '/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0',
    '/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/oauth2/v2.0/token',
    '/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/discovery/v2.0/keys',
  ],
  workos: ['', '/oauth2/token', '/oauth2/jwks'],
  google: ['', '/token', '/oauth2/v3/certs'],
  pingfederate: ['', '/as/token.oauth2', '/pf/JWKS'],
  strict: ['', '/oauth/token', '/.well-known/jwks.json'],
} as const satisfies Record<PersonalityName, readonly string[]>;

/** The tenant in the issuer of `entra` */
const TENANT = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';

/** Claim of the organization in an ID token, `typ`, and members of a user's access token, for each provider */
const TOKENS = {
  okta: [
    undefined,
    undefined,
    { scp: ['sites:read'], cid: 'app', uid: 'user_alice', sub: 'alice@acme.example' },
  ],
  auth0: ['org_id', 'JWT', { scope: 'sites:read', azp: 'app', org_id: 'org_acme' }],
  keycloak: [
    'organization_id',
    'JWT',
    { scope: 'sites:read', typ: 'Bearer', azp: 'app', realm_access: { roles: ['admin'] } },
  ],
  entra: ['tid', 'JWT', { scp: 'sites:read', azp: 'app', oid: 'user_alice', tid: TENANT }],
  workos: [undefined, 'at+jwt', { scope: 'sites:read', org_id: 'org_acme' }],
  pingfederate: ['organization_id', 'at+jwt', { scope: 'sites:read', organization_id: 'org_acme' }],
  strict: ['organization_id', 'at+jwt', { scope: 'sites:read', organization_id: 'org_acme' }],
} as const;
type Named = keyof typeof TOKENS;

const NAMES = Object.keys(ADDRESSES) as PersonalityName[];
const WITH_API = Object.keys(TOKENS) as Named[];

/** Returns the JSON of a response; the tests check its members */
const readJson = async (answer: Response) => Object(await answer.json());

const post = async (url: string | undefined, form: Form) => {
  const answer = await fetch(String(url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: encode(form),
  });
  return { status: answer.status, body: await readJson(answer), cache: answer.headers.get('cache-control') };
};

async function mint(origin: string, kind: string, body: object) {
  const answer = await fetch(`${origin}/admin/${kind}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ user: 'user_alice', client_id: 'app', ...body }),
  });
  return { status: answer.status, body: await readJson(answer) };
}

describe.each(NAMES)('%s', (name) => {
  it('has the documented issuer and endpoints, and announces ID-JAGs only if the draft says so', async () => {
    const { origin, issuer } = await arrange(name);
    const metadata = (await discover(issuer)).serverMetadata();
    const [path, token, jwks] = ADDRESSES[name];
    expect([metadata.issuer, metadata.token_endpoint, metadata.jwks_uri]).toEqual([
      `${origin}${path}`,
      `${origin}${token}`,
      `${origin}${jwks}`,
    ]);
    expect('identity_chaining_requested_token_types_supported' in metadata).toBe(name === 'strict');
    expect((await readJson(await fetch(String(metadata.jwks_uri)))).keys).toHaveLength(1);
  });

  it('signs a user in, and issues the same claims without a sign-in', async () => {
    const { origin, issuer } = await arrange(name);
    const { tokens } = await signIn(issuer);
    const { body } = await mint(origin, 'id-tokens', {});
    const claims = tokens.claims();
    const { at_hash: _hash, sid: _sid, nonce: _nonce, ...fromPage } = Object(claims);
    const minted = decodeJwt(body.id_token);
    const ofToken = { iat: 0, exp: 0, jti: '' };
    expect({ ...fromPage, ...ofToken }).toEqual({ ...minted, ...ofToken });
    expect(minted).toMatchObject({ iss: issuer, name: 'Alice' });
  });

  it("renews a sign-in or has no refresh tokens, and refuses an unknown token with the provider's error", async () => {
    const { issuer } = await arrange(name);
    const personality = PERSONALITIES[name];
    const { client, tokens } = await signIn(issuer, { scope: 'openid offline_access' });
    expect(tokens.refresh_token !== undefined).toBe(personality.hasOfflineAccess);
    if (tokens.refresh_token !== undefined) {
      const renewed = await openid.refreshTokenGrant(client, tokens.refresh_token);
      expect(renewed.claims()?.sub).toBe(tokens.claims()?.sub);
    }
    const { status, body, cache } = await post(client.serverMetadata().token_endpoint, {
      grant_type: 'refresh_token',
      refresh_token: 'unknown',
      client_id: 'app',
    });
    const documented = 'invalid_grant' in personality.errors ? personality.errors.invalid_grant : undefined;
    expect([status, body.error, cache]).toEqual([documented?.status ?? 400, 'invalid_grant', 'no-store']);
    if (documented) expect(body).toEqual(documented.body);
  });

  it("refuses a wrong secret with the provider's error", async () => {
    const { issuer } = await arrange(name);
    const { errors } = PERSONALITIES[name];
    const documented = 'invalid_client' in errors ? errors.invalid_client : undefined;
    const { token_endpoint: endpoint } = (await discover(issuer)).serverMetadata();
    const { status, body } = await post(endpoint, {
      grant_type: 'client_credentials',
      client_id: 'hub',
      client_secret: 'wrong',
    });
    expect([status, body.error]).toEqual([401, documented?.body.error ?? 'invalid_client']);
  });

  it('issues an ID-JAG, or refuses with the documented error', async () => {
    const { origin, issuer } = await arrange(name);
    const rules = PERSONALITIES[name].idJags(issuerPathOf(issuer));
    const { token_endpoint: endpoint } = (await discover(issuer)).serverMetadata();
    const { body: minted } = await mint(origin, 'id-tokens', {});
    const { status, body } = await post(endpoint, exchangeForm(minted.id_token));
    if (isAnswer(rules)) return expect({ status, body }).toEqual(rules);
    if (!rules.subjects.includes('id_token'))
      return expect([status, body.error]).toEqual([400, 'invalid_request']);
    const claims = decodeJwt(body.access_token);
    expect([status, claims.iss, claims.organization_id]).toEqual([
      200,
      issuer,
      rules.organizationClaims.includes('organization_id') ? 'org_acme' : undefined,
    ]);
  });

  it('names the imitated provider and links its metadata on the front page', async () => {
    const { origin, issuer } = await arrange(name);
    const { summary, documents } = await readJson(await fetch(origin));
    expect(summary).toContain(PERSONALITIES[name].kind.title);
    const [metadata] = documents;
    expect((await readJson(await fetch(metadata.href))).issuer).toBe(issuer);
  });
});

describe.each(WITH_API)('access tokens of %s', (name) => {
  it("have the provider's form, with and without a sign-in", async () => {
    const { origin, issuer } = await arrange(name);
    const [organizationClaim, typ, members] = TOKENS[name];
    const { tokens } = await signIn(issuer, { scope: 'openid sites:read', resource: MANAGEMENT_API });
    const { body } = await mint(origin, 'access-tokens', {
      resource: MANAGEMENT_API,
      scopes: ['sites:read'],
    });
    for (const token of [tokens.access_token, body.access_token]) {
      const [header, claims] = [decodeProtectedHeader(token), decodeJwt(token)];
      expect(header.typ).toBe(typ);
      expect(claims).toMatchObject({ iss: issuer, aud: MANAGEMENT_API, ...members });
    }
    const organization = name === 'entra' ? TENANT : 'org_acme';
    if (organizationClaim) expect(tokens.claims()).toMatchObject({ [organizationClaim]: organization });
    else expect(JSON.stringify(tokens.claims())).not.toContain('org_acme');
  });

  it('leave the tokens of our own services unchanged', async () => {
    const { issuer } = await arrange(name);
    const { token_endpoint: endpoint } = (await discover(issuer)).serverMetadata();
    const { status, body } = await post(endpoint, {
      grant_type: 'client_credentials',
      client_id: 'hub',
      client_secret: 'the-secret-of-the-hub',
      resource: MANAGEMENT_API,
      scope: 'internal:connectors',
    });
    expect([status, decodeProtectedHeader(body.access_token ?? '').typ]).toEqual([200, 'at+jwt']);
  });
});

it('has subjects at Entra ID that differ by client and stay the same at each sign-in', async () => {
  const { origin, issuer } = await arrange('entra');
  const subject = async (client: string) =>
    decodeJwt((await mint(origin, 'id-tokens', { client_id: client })).body.id_token).sub;
  const [app, hub] = [await subject('app'), await subject('hub')];
  expect(app).not.toBe(hub);
  const { client, tokens } = await signIn(issuer);
  expect(tokens.claims()?.sub).toBe(app);
  const about = await openid.fetchUserInfo(client, tokens.access_token, String(app));
  expect(about).toMatchObject({ sub: app, oid: 'user_alice' });
});

it('names the tenant of the issuer for everybody at Entra ID, and the roles of those who have one', async () => {
  const issuer = 'http://idp.example/another-tenant/v2.0';
  const entra = await createTestWorld({ personality: PERSONALITIES.entra, issuer });
  const claimsOf = async (user: string) => {
    const { tid, roles } = decodeJwt(await mintIdToken(entra, { user }));
    return { tid, roles };
  };
  expect(await claimsOf('user_alice')).toEqual({ tid: 'another-tenant', roles: ['admin'] });
  expect(await claimsOf('user_dave')).toEqual({ tid: 'another-tenant' });
});

it('puts no roles into ID tokens of Keycloak, since that takes a mapper', async () => {
  const { origin } = await arrange('keycloak');
  const claims = decodeJwt((await mint(origin, 'id-tokens', {})).body.id_token);
  expect(claims).not.toHaveProperty('roles');
  expect(claims).not.toHaveProperty('realm_access');
});

it('issues no access tokens for third-party APIs as Google', async () => {
  const { origin, issuer } = await arrange('google');
  const { status, body } = await mint(origin, 'access-tokens', { resource: MANAGEMENT_API });
  expect([status, body.code]).toEqual([409, 'access_tokens_own']);
  await expect(signIn(issuer, { resource: MANAGEMENT_API })).rejects.toThrow();
});

it('accepts another realm of Keycloak, and has no endpoints at the root', async () => {
  const { origin } = await arrange('keycloak');
  expect((await fetch(`${origin}/.well-known/openid-configuration`)).status).toBe(404);
  expect((await fetch(`${origin}/oauth/token`, { method: 'POST' })).status).toBe(404);
  const inserted = await fetch(`${origin}/.well-known/oauth-authorization-server/realms/acme`);
  expect((await readJson(inserted)).issuer).toBe(`${origin}/realms/acme`);
});
