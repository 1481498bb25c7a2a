import { afterEach, describe, expect, it } from '@jest/globals';
import { readRecording } from '@legate/identity-providers/recorded';
import { createSigningKeys } from '@legate/jwt';
import { decodeJwt, importJWK, SignJWT } from 'jose';
import request from 'supertest';
import { encode, exchangeForm, type Form, ID_TOKEN, mintIdToken } from '../testing/exchange.ts';
import { listen } from '../testing/listen.ts';
import { ADMIN_KEY, createTestWorld, SCENE, TOOL_SERVER } from '../testing/scene.ts';
import { discover, signIn } from '../testing/sign-in.ts';
import { PERSONALITIES, type PersonalityName } from './personalities.ts';

/** What must fail at each imitated provider, because it fails at the provider by its documents. */

const KEYS = {
  RS256: await createSigningKeys({ alg: 'RS256', clock: () => new Date() }),
  PS256: await createSigningKeys({ alg: 'PS256', clock: () => new Date() }),
};
const CERTIFICATE = { 'x5t#S256': 'dGh1bWJwcmludA' };
const REFRESH_TOKEN = 'urn:ietf:params:oauth:token-type:refresh_token';
const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let close: () => Promise<void> = async () => {};
afterEach(() => close());

async function arrange(name: PersonalityName, client: object = {}) {
  const keyed = {
    ...SCENE.clients.find(({ client_id: id }) => id === 'hub'),
    client_id: 'keyed',
    client_secrets: [],
    jwks: {
      keys: Object.values(KEYS).flatMap((keys) =>
        keys.publicJwks().keys.map((key) => ({ ...key, ...CERTIFICATE })),
      ),
    },
  };
  const clients = SCENE.clients.map((each) => (each.client_id === 'app' ? { ...each, ...client } : each));
  const servers = SCENE.resource_servers.map((server) =>
    server.resource === TOOL_SERVER
      ? { ...server, clients: { ...server.clients, keyed: { client_id: 'hub-at-tools' } } }
      : server,
  );
  const world = await listen({
    personality: PERSONALITIES[name],
    scene: { ...SCENE, clients: [...clients, keyed], resource_servers: servers },
  });
  close = world.close;
  const { issuer } = world;
  const endpoint = String((await discover(issuer)).serverMetadata().token_endpoint);
  return { issuer, endpoint, origin: new URL(issuer).origin };
}

async function post(endpoint: string, form: Form) {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: encode(form),
  });
  const body: Record<string, unknown> = Object(await answer.json());
  return { status: answer.status, body };
}

async function idTokenOf(origin: string, client = 'app', user = 'user_alice'): Promise<string> {
  const answer = await fetch(`${origin}/admin/id-tokens`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ user, client_id: client }),
  });
  return Object(await answer.json()).id_token;
}

/**
 * Authenticates a client by an assertion.
 * @param by the client, by default `keyed`, and the keys that sign, by default one that is registered
 */
async function byAssertion(
  aud: string,
  header: object = {},
  alg: keyof typeof KEYS = 'RS256',
  { client = 'keyed', keys = KEYS[alg] } = {},
): Promise<Form> {
  const [jwk] = keys.privateJwks().keys;
  const assertion = await new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg, ...(jwk?.kid && { kid: jwk.kid }), ...header })
    .setIssuer(client)
    .setSubject(client)
    .setAudience(aud)
    .setIssuedAt()
    .setExpirationTime('60s')
    .sign(await importJWK({ ...jwk }, alg));
  return {
    client_id: undefined,
    client_secret: undefined,
    client_assertion_type: JWT_BEARER,
    client_assertion: assertion,
  };
}

/** A grant that every provider knows, with which the authentication of the client is tried */
const renewal = (authentication: Form): Form => ({
  grant_type: 'refresh_token',
  refresh_token: 'unknown',
  ...authentication,
});

it.each([
  ['okta', 'issuer', {}, 'RS256', 'invalid_client'],
  ['okta', 'endpoint', {}, 'RS256', 'invalid_grant'],
  ['okta', 'endpoint', {}, 'PS256', 'invalid_client'],
  ['keycloak', 'issuer', {}, 'RS256', 'invalid_grant'],
  ['keycloak', 'elsewhere', {}, 'RS256', 'invalid_client'],
  ['auth0', 'issuer', {}, 'RS256', 'invalid_grant'],
  ['auth0', 'without its slash', {}, 'RS256', 'access_denied'],
  ['entra', 'endpoint', CERTIFICATE, 'PS256', 'invalid_grant'],
  ['entra', 'endpoint', {}, 'PS256', 'invalid_client'],
  ['entra', 'endpoint', CERTIFICATE, 'RS256', 'invalid_client'],
  ['google', 'issuer', {}, 'RS256', 'invalid_client'],
  ['strict', 'endpoint', {}, 'RS256', 'invalid_client'],
] as const)(
  '%s answers an assertion for the %s (header %j, %s) with %s',
  async (name, target, header, alg, error) => {
    const { issuer, endpoint } = await arrange(name);
    const aud = {
      issuer,
      endpoint,
      elsewhere: 'https://elsewhere.example/token',
      'without its slash': issuer.replace(/\/$/, ''),
    }[target];
    const { body } = await post(endpoint, renewal(await byAssertion(aud, header, alg)));
    expect(body.error).toBe(error);
  },
);

describe('an assertion by a key that is not registered', () => {
  it.each([
    ['the thumbprint of another certificate', { 'x5t#S256': 'YW5vdGhlcg' }],
    ['no thumbprint', {}],
  ])('is refused by entra as recorded: %s', async (_case, header) => {
    const { endpoint } = await arrange('entra');
    const answer = await post(endpoint, renewal(await byAssertion(endpoint, header, 'PS256')));
    expect(answer).toEqual(readRecording('entra', 'certificate-unknown').response);
  });

  it.each([
    ['entra', 'PS256', 'certificate-unknown'],
    ['okta', 'RS256', 'key-unknown'],
  ] as const)('is refused by %s as recorded: a signature by another key', async (name, alg, recording) => {
    const { endpoint } = await arrange(name);
    const stranger = await createSigningKeys({ alg, clock: () => new Date() });
    const named = { ...CERTIFICATE, kid: KEYS[alg].privateJwks().keys[0]?.kid };
    const answer = await post(endpoint, renewal(await byAssertion(endpoint, named, alg, { keys: stranger })));
    expect(answer).toEqual(readRecording(name, recording).response);
  });

  it('is refused by keycloak in other words than a wrong secret', async () => {
    const { issuer, endpoint } = await arrange('keycloak');
    const stranger = await createSigningKeys({ alg: 'RS256', clock: () => new Date() });
    const kid = KEYS.RS256.privateJwks().keys[0]?.kid;
    const answer = await post(
      endpoint,
      renewal(await byAssertion(issuer, { kid }, 'RS256', { keys: stranger })),
    );
    expect(answer).toEqual({
      status: 400,
      body: {
        error: 'invalid_client',
        error_description: expect.stringMatching(/^Client authentication with signed JWT failed: /),
      },
    });
  });

  it('is refused by entra as recorded: the client has a secret only', async () => {
    const { endpoint } = await arrange('entra');
    const form = await byAssertion(endpoint, CERTIFICATE, 'PS256', { client: 'hub' });
    expect(await post(endpoint, renewal(form))).toEqual(
      readRecording('entra', 'certificate-unknown').response,
    );
  });
});

it('entra says that a secret is wrong only if it is', async () => {
  const { endpoint } = await arrange('entra');
  const wrong = { client_id: 'hub', client_secret: 'wrong' };
  expect(await post(endpoint, renewal(wrong))).toEqual(readRecording('entra', 'secret-wrong').response);
  for (const other of [
    { ...wrong, client_id: 'unknown' },
    { client_id: 'hub' },
    await byAssertion('https://elsewhere.example/token', CERTIFICATE, 'PS256'),
    await byAssertion(endpoint, CERTIFICATE, 'RS256'),
  ]) {
    const { status, body } = await post(endpoint, renewal(other));
    expect([status, body]).toEqual([401, expect.objectContaining({ error: 'invalid_client' })]);
    expect(body).not.toHaveProperty('error_codes');
  }
});

it('okta issues ID-JAGs without an organization, and answers with two token types in turn', async () => {
  const { endpoint, origin } = await arrange('okta');
  const form = exchangeForm(await idTokenOf(origin));
  const bodies = [await post(endpoint, form), await post(endpoint, form)].map(({ body }) => body);
  expect(bodies.map((body) => body.token_type)).toEqual(['N_A', 'Bearer']);
  for (const body of bodies) {
    expect(body).toMatchObject({
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      expires_in: 300,
    });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['resource']));
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['scope']));
    const claims = decodeJwt(String(body.access_token));
    expect([claims.organization_id, Number(claims.exp) - Number(claims.iat)]).toEqual([undefined, 300]);
  }
});

it('okta refuses a client that is not connected to the tool server', async () => {
  const { endpoint, origin } = await arrange('okta');
  const form = exchangeForm(await idTokenOf(origin), {
    client_id: 'stranger',
    client_secret: 'the-secret-of-stranger',
  });
  expect(await post(endpoint, form)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
});

it('okta refuses a scope that the connection does not permit, and grants all that it permits', async () => {
  const { endpoint, origin } = await arrange('okta');
  const exchange = async (scope: string | undefined) =>
    post(endpoint, exchangeForm(await idTokenOf(origin), { scope }));
  const recorded = readRecording('okta', 'scope-not-permitted').response;
  expect(await exchange('tools:read tools:admin')).toEqual(recorded);
  expect(await exchange('tools:admin')).toEqual(recorded);
  const { body } = await exchange(undefined);
  expect(decodeJwt(String(body.access_token)).scope).toBe('tools:read tools:call');
});

it('okta issues no ID-JAGs at a custom authorization server', async () => {
  const issuer = 'http://idp.example/oauth2/default';
  const world = await createTestWorld({ personality: PERSONALITIES.okta, issuer });
  const form = exchangeForm(await mintIdToken(world));
  const { status, body } = await request(world.app)
    .post('/oauth2/default/v1/token')
    .type('form')
    .send(encode(form));
  expect({ status, body }).toEqual(readRecording('okta', 'custom-server').response);
});

it('keycloak refuses an ID token as subject, and a client for which the exchange is off', async () => {
  const { endpoint, origin } = await arrange('keycloak');
  const form = exchangeForm(await idTokenOf(origin));
  const refused = await post(endpoint, form);
  expect(refused.body.error_description).toContain('supports access tokens only');
  const off = await post(endpoint, {
    ...form,
    client_id: 'no-exchange',
    client_secret: 'the-secret-of-no-exchange',
  });
  expect([off.status, off.body.error_description]).toEqual([
    400,
    'Standard token exchange is not enabled for the requested client',
  ]);
});

it('google leaves hd out for an account outside of Workspace, and does not know the exchange', async () => {
  const { endpoint, origin } = await arrange('google');
  expect(decodeJwt(await idTokenOf(origin, 'app', 'user_dave'))).not.toHaveProperty('hd');
  const { body } = await post(endpoint, exchangeForm(await idTokenOf(origin)));
  expect(body.error).toBe('unsupported_grant_type');
});

const OWN_EXCHANGE = { client_id: 'app', client_secret: undefined, scope: 'tools:read' };
/** Signs in at the public client `app`, and exchanges its refresh token. */
async function signInToRenew(name: PersonalityName) {
  const world = await arrange(name);
  const { tokens } = await signIn(world.issuer, { scope: 'openid offline_access' });
  const exchange = (token: unknown) =>
    post(world.endpoint, exchangeForm(String(token), { ...OWN_EXCHANGE, subject_token_type: REFRESH_TOKEN }));
  return { ...world, tokens, exchange };
}

it.each(['pingfederate', 'strict'] as const)(
  '%s exchanges a refresh token, replaces it, and refuses the replaced one',
  async (name) => {
    const { tokens, exchange } = await signInToRenew(name);
    const first = await exchange(tokens.refresh_token);
    expect(decodeJwt(String(first.body.access_token))).toMatchObject({ sub: 'user_alice', aud: TOOL_SERVER });
    expect(first.body.refresh_token).not.toBe(tokens.refresh_token);
    const second = await exchange(first.body.refresh_token);
    expect(second.status).toBe(200);
    const reused = await exchange(first.body.refresh_token);
    expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
    const afterwards = await exchange(second.body.refresh_token); // reuse ends the sign-in
    expect(afterwards.body.error).toBe('invalid_grant');
  },
);

it('pingfederate refuses an ID token, unless its exchange is enabled for the client', async () => {
  const form = (token: string) => exchangeForm(token, { ...OWN_EXCHANGE, subject_token_type: ID_TOKEN });
  const without = await arrange('pingfederate');
  const refused = await post(without.endpoint, form(await idTokenOf(without.origin)));
  expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request']);
  await close();
  const enabled = await arrange('pingfederate', { subject_token_types: ['id_token'] });
  expect((await post(enabled.endpoint, form(await idTokenOf(enabled.origin)))).status).toBe(200);
});

it('okta does not exchange refresh tokens', async () => {
  const { tokens, exchange } = await signInToRenew('okta');
  expect(await exchange(tokens.refresh_token)).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
});

it('strict takes only the issuer of a tool server as audience, and names the tenant', async () => {
  const { endpoint, origin } = await arrange('strict');
  const exchange = async (changes: Form) =>
    post(endpoint, exchangeForm(await idTokenOf(origin), { scope: undefined, ...changes }));
  const resource = 'https://one.example/mcp';
  expect((await exchange({ audience: resource, resource })).body.error).toBe('invalid_target');
  const { body } = await exchange({ audience: 'https://as.example', resource });
  expect(decodeJwt(String(body.access_token))).toMatchObject({
    tenant: 'org_acme',
    aud: 'https://as.example',
  });
  expect(body).toMatchObject({ scope: 'one', resource }); // the scope was not asked for
  const narrowed = await exchange({ audience: 'https://as.example', resource, scope: 'one' });
  expect(narrowed.body).not.toHaveProperty('scope');
});
