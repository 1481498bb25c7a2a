import { beforeEach, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import request from 'supertest';
import { admin, exchangeForm, mintIdToken, postToken } from '../testing/exchange.ts';
import { createTestWorld, MANAGEMENT_API, SCENE, type TestWorld, TOOL_SERVER } from '../testing/scene.ts';

let world: TestWorld;
beforeEach(async () => {
  world = await createTestWorld();
});

describe('the admin key', () => {
  it.each<[string, string | undefined, string]>([
    ['none', undefined, 'token_missing'],
    ['another scheme', 'Basic abc', 'token_missing'],
    ['a wrong one', 'Bearer wrong', 'token_invalid'],
    ['a part of it', 'Bearer admin-key-of-the-test', 'token_invalid'],
    ['nothing after the scheme', 'Bearer ', 'token_invalid'],
  ])('is required: %s', async (_case, authorization, code) => {
    const test = request(world.app).get('/admin/users');
    const answer = await (authorization === undefined ? test : test.set('Authorization', authorization));
    expect([answer.status, answer.body.code]).toEqual([401, code]);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="admin"/);
  });
});

describe('organizations', () => {
  it('are created and found by id and by external_id', async () => {
    const created = await admin(world)
      .post('/organizations')
      .send({ name: 'Newco', external_id: 'session-1' });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^org_/),
        name: 'Newco',
        external_id: 'session-1',
        created_at: expect.any(String),
      },
    ]);
    const byId = await admin(world).get(`/organizations/${created.body.id}`);
    expect(byId.body).toEqual(created.body);
    const byExternalId = await admin(world).get('/organizations?external_id=session-1');
    expect(byExternalId.body).toEqual({ data: [created.body] });
    expect((await admin(world).get('/organizations?external_id=other')).body).toEqual({ data: [] });
    expect((await admin(world).get('/organizations/unknown')).status).toBe(404);
  });

  it('are created once for one Idempotency-Key, even by ten concurrent requests', async () => {
    const send = () =>
      admin(world).post('/organizations').set('Idempotency-Key', 'key-1').send({ name: 'Newco' });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await admin(world).get('/organizations')).body.data).toHaveLength(3);
  });

  it('are created once for one external_id', async () => {
    const send = (name: string) =>
      admin(world).post('/organizations').send({ name, external_id: 'session-1' });
    const answers = await Promise.all([send('Newco'), send('Newco'), send('Newco')]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect([(await send('Other')).status, (await send('Other')).body.code]).toEqual([
      409,
      'organization_exists',
    ]);
  });

  it('are not created with an Idempotency-Key that was used for another body', async () => {
    const send = (name: string) =>
      admin(world).post('/organizations').set('Idempotency-Key', 'key-1').send({ name });
    await send('Newco').expect(201);
    const answer = await send('Other');
    expect([answer.status, answer.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('are created with their former id by concurrent requests after the store was lost', async () => {
    const send = () =>
      admin(world)
        .post('/organizations')
        .set('Idempotency-Key', 'org_newco')
        .send({ id: 'org_newco', name: 'Newco', external_id: 'org_newco' });
    const dave = { user: 'dave@newco.example', organization: 'org_newco', role: 'owner' };
    expect((await admin(world).post('/memberships').send(dave)).status).toBe(404);
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id))).toEqual(new Set(['org_newco']));
    expect((await admin(world).post('/memberships').send(dave)).status).toBe(201);
    const claims = decodeJwt(await mintIdToken(world, { user: dave.user }));
    expect([claims.organization_id, claims.roles]).toEqual(['org_newco', ['owner']]);
  });

  it('cannot be created twice without an Idempotency-Key: 409', async () => {
    const answer = await admin(world).post('/organizations').send({ id: 'org_acme', name: 'Acme' });
    expect([answer.status, answer.body.code]).toEqual([409, 'organization_exists']);
  });

  it.each([
    ['100 emoji', '🙂'.repeat(100), 201],
    ['101 emoji', '🙂'.repeat(101), 400],
  ])('counts the code points of a name, not its UTF-16 units: %s', async (_case, name, status) => {
    expect((await admin(world).post('/organizations').send({ name })).status).toBe(status);
  });

  it('are not returned for an invalid search: the search is refused', async () => {
    const answer = await admin(world).get('/organizations?external_id=a&external_id=b');
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/external_id']);
  });

  it('are validated: the problem lists every fault with its path', async () => {
    const answer = await admin(world).post('/organizations').send({ name: '', id: 'a:b', other: 1 });
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/id',
      '/name',
      '/other',
    ]);
    const malformed = await admin(world).post('/organizations').type('json').send('{');
    expect([malformed.status, malformed.body.code]).toEqual([400, 'malformed_json']);
  });
});

describe('memberships', () => {
  it('determine the organization in the next token', async () => {
    expect(decodeJwt(await mintIdToken(world, { user: 'dave@newco.example' }))).not.toHaveProperty(
      'organization_id',
    );
    const membership = { user: 'dave@newco.example', organization: 'org_globex', role: 'admin' };
    const created = await admin(world).post('/memberships').send(membership);
    expect([created.status, created.body]).toEqual([
      201,
      { user: 'user_dave', organization: 'org_globex', role: 'admin' },
    ]);
    expect((await admin(world).post('/memberships').send(membership)).status).toBe(200);
    expect(decodeJwt(await mintIdToken(world, { user: 'user_dave' }))).toMatchObject({
      organization_id: 'org_globex',
      roles: ['admin'],
    });
    await admin(world).delete('/memberships?user=user_dave&organization=org_globex').expect(204);
    await admin(world).delete('/memberships?user=user_dave&organization=org_globex').expect(404);
    expect(decodeJwt(await mintIdToken(world, { user: 'user_dave' }))).not.toHaveProperty('organization_id');
  });

  it('for unknown users and in unknown organizations return 404', async () => {
    for (const membership of [
      { user: 'nobody', organization: 'org_acme' },
      { user: 'user_alice', organization: 'org_unknown' },
    ])
      expect((await admin(world).post('/memberships').send(membership)).status).toBe(404);
  });

  it('added later do not change the organization in the tokens', async () => {
    world.advance(60);
    await admin(world)
      .post('/memberships')
      .send({ user: 'user_alice', organization: 'org_globex' })
      .expect(201);
    expect(decodeJwt(await mintIdToken(world)).organization_id).toBe('org_acme');
  });
});

describe('users', () => {
  it('are created, found by id or e-mail address, and disabled; responses contain no password', async () => {
    const created = await admin(world)
      .post('/users')
      .send({ email: 'Erin@Acme.example', name: 'Erin', password: 'a-good-password' });
    expect(created.status).toBe(201);
    expect(JSON.stringify(created.body)).not.toMatch(/password|a-good/i);
    expect((await admin(world).get('/users/ERIN@acme.example')).body).toEqual(created.body);
    const disabled = await admin(world).patch(`/users/${created.body.id}`).send({ disabled: true });
    expect(disabled.body).toMatchObject({ email: 'erin@acme.example', disabled: true });
    expect((await admin(world).post('/users').send({ email: 'erin@acme.example', name: 'Two' })).status).toBe(
      409,
    );
    expect((await admin(world).patch('/users/user_alice').send({ email: 'x@y.example' })).status).toBe(400);
  });
});

describe('clients and resource servers', () => {
  it('cannot have the id of a user, nor a user that of a client, because both become the `sub` of tokens', async () => {
    const machine = { client_secrets: ['the-secret-of-a-machine'], grant_types: ['client_credentials'] };
    const client = await admin(world)
      .post('/clients')
      .send({ ...machine, client_id: 'user_alice' });
    expect([client.status, client.body.code]).toEqual([409, 'client_exists']);
    const user = await admin(world)
      .post('/users')
      .send({ id: 'hub', email: 'hub@acme.example', name: 'Hub' });
    expect([user.status, user.body.code]).toEqual([409, 'user_exists']);
  });

  it('can be used as soon as they are registered', async () => {
    await admin(world)
      .post('/clients')
      .send({
        client_id: 'new-hub',
        client_secrets: ['the-secret-of-new-hub'],
        grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'],
        exchangeable_audiences: ['app'],
      })
      .expect(201);
    await admin(world)
      .post('/resource-servers')
      .send({
        accepts: 'id_jag',
        resource: 'https://new.example/mcp',
        issuer: 'https://as.new.example',
        scopes: ['new'],
        clients: { 'new-hub': { client_id: 'hub-there' } },
      })
      .expect(201);
    const answer = await postToken(
      world,
      exchangeForm(await mintIdToken(world), {
        client_id: 'new-hub',
        client_secret: 'the-secret-of-new-hub',
        audience: 'https://as.new.example',
        resource: 'https://new.example/mcp',
        scope: 'new',
      }),
    );
    expect(decodeJwt(answer.body.access_token)).toMatchObject({
      aud: 'https://as.new.example',
      client_id: 'hub-there',
    });
  });

  it.each<[string, string, object]>([
    [
      'a confidential client without a secret',
      '/clients',
      { client_id: 'x', grant_types: ['client_credentials'] },
    ],
    [
      'a redirect URI that no browser may be sent to',
      '/clients',
      { client_id: 'x', public: true, redirect_uris: ['javascript:alert(1)'] },
    ],
    [
      'an origin that would be more than one in a policy',
      '/clients',
      {
        client_id: 'x',
        public: true,
        redirect_uris: ['https://a.example/'],
        redirect_origins: ['https://a;sandbox'],
      },
    ],
    [
      'a public client with client credentials',
      '/clients',
      { client_id: 'x', public: true, grant_types: ['client_credentials'] },
    ],
    [
      'private keys',
      '/clients',
      { client_id: 'x', jwks: { keys: [{ kty: 'EC', d: 'x' }] }, grant_types: ['client_credentials'] },
    ],
    [
      'a resource with a fragment',
      '/resource-servers',
      { accepts: 'id_jag', resource: 'https://x.example/#a', scopes: ['x'], clients: {} },
    ],
    [
      'a resource server without scopes',
      '/resource-servers',
      { accepts: 'id_jag', resource: 'https://x.example', scopes: [], clients: {} },
    ],
    ['a policy without an effect', '/policies', { match: {} }],
    ['a condition that nobody knows', '/policies', { effect: 'deny', match: { colours: ['red'] } }],
  ])('are validated: %s', async (_case, path, body) => {
    const answer = await admin(world).post(path).send(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
  });

  it('cannot be created twice: 409', async () => {
    const client = {
      client_id: 'hub',
      client_secrets: ['another-secret-of-hub'],
      grant_types: ['client_credentials'],
    };
    expect((await admin(world).post('/clients').send(client)).status).toBe(409);
    const again = await admin(world).post('/resource-servers').send(SCENE.resource_servers[0]);
    expect([again.status, again.body.detail]).toEqual([
      409,
      expect.stringContaining('PUT /admin/resource-servers replaces its registration'),
    ]);
  });
});

describe('PUT of a resource server', () => {
  const server = {
    accepts: 'id_jag',
    resource: TOOL_SERVER,
    clients: { hub: { client_id: 'hub-at-tools' } },
  };
  const put = (body: object) => admin(world).put('/resource-servers').send(body);

  it('replaces the registration, so that the next exchange has its scopes', async () => {
    const answer = await put({ ...server, scopes: ['tools:admin'] });
    expect([answer.status, answer.body]).toEqual([
      200,
      { resource: TOOL_SERVER, accepts: 'id_jag', scopes: ['tools:admin'] },
    ]);
    const form = exchangeForm(await mintIdToken(world), { scope: 'tools:admin' });
    const { body } = await postToken(world, form);
    expect(decodeJwt(body.access_token).scope).toBe('tools:admin');
  });

  it('is validated as its creation', async () => {
    const answer = await put({ ...server, scopes: [] });
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
  });
});

it('lists policies', async () => {
  const policy = { id: 'p', effect: 'narrow', match: { clients: ['hub'] }, scopes: ['tools:read'] };
  await admin(world).post('/policies').send(policy).expect(201);
  expect((await admin(world).get('/policies')).body).toEqual({ data: [policy] });
  expect((await admin(world).post('/policies').send(policy)).status).toBe(409);
  expect((await admin(world).delete('/policies/unknown')).status).toBe(404);
});

describe('ID tokens for tests', () => {
  it('have the same claims as after a sign-in', async () => {
    const { body } = await request(world.app).get('/.well-known/jwks.json');
    const idToken = await mintIdToken(world, { user: 'alice@acme.example' });
    const { payload, protectedHeader } = await jwtVerify(idToken, createLocalJWKSet(body), {
      issuer: world.issuer,
      audience: 'app',
    });
    expect(protectedHeader.alg).toBe('RS256');
    expect(payload).toMatchObject({
      sub: 'user_alice',
      email: 'alice@acme.example',
      email_verified: true,
      name: 'Alice',
      organization_id: 'org_acme',
    });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
  });

  it('have the same lifetime as after a sign-in by default', async () => {
    const short = await createTestWorld({ idTokenTtlSeconds: 60 });
    const { body } = await admin(short).post('/id-tokens').send({ user: 'user_alice', client_id: 'app' });
    const { iat, exp } = decodeJwt(body.id_token);
    expect([Number(exp) - Number(iat), body.expires_in]).toEqual([60, 60]);
  });

  it('expire as requested, and are not issued for unknown users or clients', async () => {
    const claims = decodeJwt(await mintIdToken(world, { expires_in: 30 }));
    expect(Number(claims.exp) - Number(claims.iat)).toBe(30);
    for (const unknown of [
      { user: 'nobody', client_id: 'app' },
      { user: 'user_alice', client_id: 'nobody' },
    ])
      expect((await admin(world).post('/id-tokens').send(unknown)).status).toBe(404);
  });
});

describe('access tokens for tests', () => {
  const wanted = { user: 'alice@acme.example', client_id: 'app', resource: MANAGEMENT_API };
  const mint = (changes: object = {}) =>
    admin(world)
      .post('/access-tokens')
      .send({ ...wanted, ...changes });

  it('have the same claims as after a sign-in for an API', async () => {
    const answer = await mint();
    const { body: jwks } = await request(world.app).get('/.well-known/jwks.json');
    const { payload } = await jwtVerify(answer.body.access_token, createLocalJWKSet(jwks), {
      issuer: world.issuer,
      audience: MANAGEMENT_API,
      typ: 'at+jwt',
    });
    expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(payload).toMatchObject({
      sub: 'user_alice',
      client_id: 'app',
      organization_id: 'org_acme',
      scope: answer.body.scope,
    });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(answer.body.expires_in);
  });

  it('have those of the requested scopes that the client may have', async () => {
    const [scope] = (await mint()).body.scope.split(' ');
    expect((await mint({ scopes: [scope] })).body.scope).toBe(scope);
    const refused = await mint({ scopes: [scope, 'everything'] });
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
      400,
      'validation_failed',
      '/scopes/1',
    ]);
  });

  it('expire as requested', async () => {
    const { exp, iat } = decodeJwt((await mint({ expires_in: 30 })).body.access_token);
    expect(Number(exp) - Number(iat)).toBe(30);
  });

  it.each([
    ['user', { user: 'nobody' }],
    ['client', { client_id: 'nobody' }],
    ['API', { resource: 'https://unknown.example' }],
    ['API, such as a tool server', { resource: TOOL_SERVER }],
  ])('are not issued for an unknown %s', async (_case, changes) => {
    const answer = await mint(changes);
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });
});

describe('ID-JAGs for tests', () => {
  const asked = {
    ...{ user: 'alice@acme.example', resource: 'https://tools.example' },
    ...{ client_id: 'tool-hub', scopes: ['notes:read', 'notes:write'] },
  };

  it('have the same claims as after a token exchange, for any tool server', async () => {
    const { body } = await request(world.app).get('/.well-known/jwks.json');
    const minted = await admin(world).post('/id-jags').send(asked).expect(201);
    const { payload, protectedHeader } = await jwtVerify(minted.body.id_jag, createLocalJWKSet(body), {
      issuer: world.issuer,
      audience: asked.resource,
    });
    expect(protectedHeader.typ).toBe('oauth-id-jag+jwt');
    expect(payload).toMatchObject({
      ...{ sub: 'user_alice', client_id: 'tool-hub', resource: asked.resource, jti: expect.any(String) },
      ...{ scope: 'notes:read notes:write', organization_id: 'org_acme' },
    });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(300);
  });

  it('can have members that no token exchange would issue', async () => {
    const wrong = { audience: 'https://other.example', expires_in: -600, typ: 'JWT' };
    const { body } = await admin(world)
      .post('/id-jags')
      .send({ ...asked, ...wrong });
    const { aud, iat, exp } = decodeJwt(body.id_jag);
    expect([decodeProtectedHeader(body.id_jag).typ, aud]).toEqual(['JWT', wrong.audience]);
    expect(Number(exp) - Number(iat)).toBe(300);
    expect(Number(exp)).toBeLessThan(Number(decodeJwt(await mintIdToken(world)).iat));
  });

  it.each([
    ['an unknown user', { user: 'nobody' }, 404],
    ['a resource that is no URL', { resource: 'tools' }, 400],
    ['no scope', { scopes: [] }, 400],
  ])('are not issued for %s', async (_case, change, status) => {
    const answer = await admin(world)
      .post('/id-jags')
      .send({ ...asked, ...change });
    expect(answer.status).toBe(status);
  });
});

describe('key rotation', () => {
  it('signs our tokens and those of oidc-provider with the new key at once, and still publishes the old one', async () => {
    const before = await mintIdToken(world);
    const { body } = await admin(world).post('/keys/rotate').expect(200);
    const jwks = await request(world.app).get('/.well-known/jwks.json');
    expect(jwks.body.keys.map(({ kid }: { kid: string }) => kid)).toEqual([
      body.kid,
      decodeProtectedHeader(before).kid,
    ]);

    const exchanged = await postToken(world, exchangeForm(before));
    expect(decodeProtectedHeader(exchanged.body.access_token).kid).toBe(body.kid);
    const machine = await postToken(world, {
      grant_type: 'client_credentials',
      resource: 'http://api.example',
      client_id: 'hub',
      client_secret: 'the-secret-of-the-hub',
    });
    expect(decodeProtectedHeader(machine.body.access_token).kid).toBe(body.kid);
  });

  it('removes the old key after a day', async () => {
    const before = await mintIdToken(world, { expires_in: 86_400 });
    await admin(world).post('/keys/rotate').expect(200);
    world.advance(86_401);
    expect((await request(world.app).get('/.well-known/jwks.json')).body.keys).toHaveLength(1);
    expect((await postToken(world, exchangeForm(before))).body.error).toBe('invalid_grant');
  });

  it('is refused when processes share Redis; the problem names the procedure for that case, and no key changes', async () => {
    const shared = await createTestWorld({ isStoreShared: true });
    const jwks = async () => (await request(shared.app).get('/.well-known/jwks.json')).body;
    const before = await jwks();
    const answer = await admin(shared).post('/keys/rotate');
    expect([answer.status, answer.body.code]).toEqual([409, 'signing_keys_shared']);
    expect(answer.body.detail).toContain('SIGNING_KEYS');
    expect(await jwks()).toEqual(before);
  });
});

it('returns problem details for unknown paths', async () => {
  const answer = await admin(world).get('/nothing');
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
});
