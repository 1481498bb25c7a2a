import { beforeAll, describe, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import request from 'supertest';
import {
  admin,
  encode,
  exchangeForm,
  type Form,
  ID_JAG,
  mintIdToken,
  postToken,
} from '../testing/exchange.ts';
import { createTestWorld, SCENE, type TestWorld, TOOL_SERVER } from '../testing/scene.ts';

let world: TestWorld;
let idToken: string;
beforeAll(async () => {
  world = await createTestWorld();
  idToken = await mintIdToken(world);
});

const exchange = async (changes: Form = {}) => postToken(world, exchangeForm(idToken, changes));

describe('the response', () => {
  it('is that of RFC 8693, with exactly the specified claims in the ID-JAG', async () => {
    const answer = await exchange();
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const { access_token: idJag, ...rest } = answer.body;
    expect(rest).toEqual({
      issued_token_type: ID_JAG,
      token_type: 'N_A',
      expires_in: 300,
      scope: 'tools:read tools:call',
      resource: TOOL_SERVER,
    });
    const jwks = await request(world.app).get('/.well-known/jwks.json');
    const { payload, protectedHeader } = await jwtVerify(idJag, createLocalJWKSet(jwks.body));
    expect(protectedHeader).toEqual({ typ: 'oauth-id-jag+jwt', alg: 'RS256', kid: jwks.body.keys[0].kid });
    expect(payload).toEqual({
      iss: world.issuer,
      sub: 'user_alice',
      aud: TOOL_SERVER,
      client_id: 'hub-at-tools',
      resource: TOOL_SERVER,
      scope: 'tools:read tools:call',
      iat: expect.any(Number),
      exp: Number(payload.iat) + 300,
      jti: expect.any(String),
      organization_id: 'org_acme',
    });
  });

  it('has a new jti each time, and the log contains no token', async () => {
    const tokens = [(await exchange()).body.access_token, (await exchange()).body.access_token];
    expect(new Set(tokens.map((token) => decodeJwt(token).jti)).size).toBe(2);
    for (const token of [idToken, ...tokens, 'the-secret-of-the-hub'])
      expect(world.logged.join('\n')).not.toContain(token);
    const issued = world.logged.filter((line) => line.includes('ID-JAG issued'));
    expect(issued.length).toBeGreaterThan(0);
    for (const line of issued) expect(line).toContain('"sub":"user_'); // the log names the user
  });

  it('has no organization_id for a user without an organization', async () => {
    const answer = await postToken(world, exchangeForm(await mintIdToken(world, { user: 'user_dave' })));
    expect(decodeJwt(answer.body.access_token)).not.toHaveProperty('organization_id');
  });

  it('sends user claims only to a resource server whose registration requests them', async () => {
    const answer = await exchange({
      audience: 'https://as.example',
      resource: 'https://one.example/mcp',
      scope: undefined,
    });
    expect(decodeJwt(answer.body.access_token)).toMatchObject({
      aud: 'https://as.example',
      resource: 'https://one.example/mcp',
      client_id: 'https://hub.example/client',
      scope: 'one',
      email: 'alice@acme.example',
      groups: ['engineering'],
      roles: ['admin'],
    });
  });
});

describe('the client', () => {
  it.each([
    ['client_secret_basic', {}, 'Basic aHViOnRoZS1zZWNyZXQtb2YtdGhlLWh1Yg=='],
    [
      'client_secret_basic with client_id repeated',
      { client_id: 'hub' },
      'Basic aHViOnRoZS1zZWNyZXQtb2YtdGhlLWh1Yg==',
    ],
  ])('may authenticate by %s', async (_way, changes, authorization) => {
    const form = exchangeForm(idToken, { client_id: undefined, client_secret: undefined, ...changes });
    const answer = await postToken(world, form).set('Authorization', authorization);
    expect(answer.status).toBe(200);
  });

  it('need not authenticate if the ID token is for a public client registered for this, and gets no more rights', async () => {
    for (const client_id of [undefined, 'app']) {
      const answer = await exchange({ client_id, client_secret: undefined });
      expect(answer.status).toBe(200);
      expect(answer.body.scope).toBe('tools:read');
    }
  });

  it.each<[string, Form, string]>([
    ['a wrong secret', { client_secret: 'wrong' }, 'app'],
    ['an unknown client', { client_id: 'nobody' }, 'app'],
    ['a confidential client that only names itself', { client_secret: undefined }, 'app'],
    ['a confidential client that says nothing', { client_id: undefined, client_secret: undefined }, 'hub'],
    [
      'a public client that does not allow it',
      { client_id: 'quiet-app', client_secret: undefined },
      'quiet-app',
    ],
    [
      'nobody, for a public client that does not allow it',
      { client_id: undefined, client_secret: undefined },
      'quiet-app',
    ],
    ['a secret without a client', { client_id: undefined }, 'app'],
  ])('is refused with 401: %s', async (_case, changes, audience) => {
    const token = await mintIdToken(world, { client_id: audience });
    const answer = await postToken(world, exchangeForm(token, changes));
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });

  it('is challenged with Basic if it used Basic', async () => {
    const answer = await postToken(
      world,
      exchangeForm(idToken, { client_id: undefined, client_secret: undefined }),
    ).set('Authorization', `Basic ${Buffer.from('hub:wrong').toString('base64')}`);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Basic realm="token"']);
  });

  it('is refused before its subject token is checked', async () => {
    const answer = await exchange({ client_secret: 'wrong', subject_token: 'rubbish' });
    expect(answer.body.error).toBe('invalid_client');
  });

  it('without the grant gets unauthorized_client', async () => {
    const answer = await exchange({ client_id: 'no-exchange', client_secret: 'the-secret-of-no-exchange' });
    expect([answer.status, answer.body.error]).toEqual([400, 'unauthorized_client']);
  });

  it('gets access_denied if it is unknown to the tool server', async () => {
    const answer = await exchange({ client_id: 'stranger', client_secret: 'the-secret-of-stranger' });
    expect([answer.status, answer.body.error]).toEqual([400, 'access_denied']);
  });
});

describe('the subject token', () => {
  it.each<[string, (w: TestWorld) => Promise<string>]>([
    ['expired', (w) => mintIdToken(w, { expires_in: -10 })],
    [
      'issued for a client whose tokens this one may not exchange',
      (w) => mintIdToken(w, { client_id: 'quiet-app' }),
    ],
    [
      'an ID-JAG of our own',
      async (w) => (await postToken(w, exchangeForm(await mintIdToken(w)))).body.access_token,
    ],
    ['unsigned', async (w) => unsigned(decodeJwt(await mintIdToken(w)))],
    ['not a JWT', async () => 'rubbish'],
    ['too large', async () => `${'a'.repeat(20_000)}.b.c`],
    ['altered', async (w) => alter(await mintIdToken(w))],
  ])('is refused with invalid_grant if it is %s', async (_case, make) => {
    const answer = await exchange({ subject_token: await make(world) });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
  });

  it('is accepted until its expiry plus the clock skew', async () => {
    const own = await createTestWorld();
    const form = exchangeForm(await mintIdToken(own, { expires_in: 100 }));
    own.advance(103);
    expect((await postToken(own, form)).status).toBe(200);
    own.advance(3);
    expect((await postToken(own, form)).body.error).toBe('invalid_grant');
  });

  const claims = (changes: Record<string, unknown>): JWTPayload => {
    const now = Math.floor(Date.now() / 1000);
    return { iss: 'http://idp.example', sub: 'user_alice', aud: 'app', iat: now, exp: now + 60, ...changes };
  };
  it.each<[string, Record<string, unknown>, string, number]>([
    ['of one audience', {}, 'JWT', 200],
    [
      'whose audiences name the client, with an azp that may be exchanged',
      { aud: ['app', 'x'], azp: 'app' },
      'JWT',
      200,
    ],
    ['whose azp is somebody else', { aud: ['app', 'x'], azp: 'x' }, 'JWT', 400],
    ['whose audiences do not name the client', { aud: ['x', 'y'] }, 'JWT', 400],
    ['of another issuer', { iss: 'https://other.example' }, 'JWT', 400],
    ['without exp', { exp: undefined }, 'JWT', 400],
    ['issued in the future', { iat: Math.floor(Date.now() / 1000) + 600 }, 'JWT', 400],
    ['that is an access token', {}, 'at+jwt', 400],
    ['that is an access token with the long media type', {}, 'application/at+jwt', 400],
  ])('%s', async (_case, changes, typ, status) => {
    const keys = await createSigningKeys({ alg: 'RS256', clock: () => new Date() });
    const own = await createTestWorld({ keys });
    const token = await keys.sign(claims(changes), { typ });
    const answer = await postToken(own, exchangeForm(token));
    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer.body.error).toBe('invalid_grant');
  });

  it('is refused if it is signed with HMAC and our public key', async () => {
    const jwks = await request(world.app).get('/.well-known/jwks.json');
    const secret = new TextEncoder().encode(JSON.stringify(jwks.body.keys[0]));
    const header = decodeProtectedHeader(idToken);
    const forged = await new SignJWT(decodeJwt(idToken))
      .setProtectedHeader({ ...header, alg: 'HS256' })
      .sign(secret);
    expect((await exchange({ subject_token: forged })).body.error).toBe('invalid_grant');
  });

  it('of a user who was disabled or has left the organization gets access_denied at once', async () => {
    const own = await createTestWorld();
    const form = exchangeForm(await mintIdToken(own));
    expect((await postToken(own, form)).status).toBe(200);
    await admin(own).delete('/memberships?user=user_alice&organization=org_acme').expect(204);
    expect((await postToken(own, form)).body.error).toBe('access_denied');
    await admin(own).post('/memberships').send({ user: 'user_alice', organization: 'org_acme' }).expect(201);
    await admin(own).patch('/users/alice@acme.example').send({ disabled: true }).expect(200);
    expect((await postToken(own, form)).body.error).toBe('access_denied');
  });
});

describe('audience and resource', () => {
  it.each<[string, Form, { aud: string; resource: string | string[] }]>([
    ['the identifier of the tool server', {}, { aud: TOOL_SERVER, resource: TOOL_SERVER }],
    [
      'a resource with one slash after a bare origin',
      { resource: `${TOOL_SERVER}/` },
      { aud: TOOL_SERVER, resource: TOOL_SERVER },
    ],
    ['no resource where there is one', { resource: undefined }, { aud: TOOL_SERVER, resource: TOOL_SERVER }],
    [
      'an issuer and one of its resources',
      { audience: 'https://as.example', resource: 'https://two.example/mcp', scope: 'two' },
      { aud: 'https://as.example', resource: 'https://two.example/mcp' },
    ],
    [
      'an issuer and both of its resources',
      {
        audience: 'https://as.example',
        resource: ['https://one.example/mcp', 'https://two.example/mcp'],
        scope: 'one two',
      },
      { aud: 'https://as.example', resource: ['https://one.example/mcp', 'https://two.example/mcp'] },
    ],
    [
      'the resource identifier as audience, where the issuer is another',
      { audience: 'https://one.example/mcp', resource: 'https://one.example/mcp', scope: 'one' },
      { aud: 'https://one.example/mcp', resource: 'https://one.example/mcp' },
    ],
  ])('are accepted and issued as configured: %s', async (_case, changes, expected) => {
    const answer = await exchange(changes);
    expect(decodeJwt(answer.body.access_token)).toMatchObject(expected);
    expect(answer.body.resource).toEqual(expected.resource);
  });

  it('are refused for several resources if only the first one knows the client', async () => {
    const [one, two] = ['https://one.example/mcp', 'https://two.example/mcp'];
    const own = await createTestWorld({
      scene: {
        ...SCENE,
        resource_servers: SCENE.resource_servers.map((server) =>
          server.resource === two ? { ...server, clients: {} } : server,
        ),
      },
    });
    const form = { audience: 'https://as.example', scope: undefined };
    const token = await mintIdToken(own);
    const alone = await postToken(own, exchangeForm(token, { ...form, resource: one }));
    expect([alone.status, alone.body.scope]).toEqual([200, 'one']);
    for (const resource of [
      [one, two],
      [two, one],
    ]) {
      const both = await postToken(own, exchangeForm(token, { ...form, resource }));
      expect([both.status, both.body.error]).toEqual([400, 'access_denied']);
    }
  });

  it('for several resources give only the claims that all of them may get', async () => {
    const answer = await exchange({
      audience: 'https://as.example',
      resource: ['https://one.example/mcp', 'https://two.example/mcp'],
      scope: undefined,
    });
    const claims = decodeJwt(answer.body.access_token);
    expect(claims).toMatchObject({ email: 'alice@acme.example', scope: 'one two' });
    expect(claims).not.toHaveProperty('groups');
  });

  it.each<[string, Form]>([
    ['an unknown audience', { audience: 'https://unknown.example' }],
    ['a slash after the audience', { audience: `${TOOL_SERVER}/` }],
    ['an unknown resource', { resource: 'https://unknown.example' }],
    ['a resource of another audience', { resource: 'https://one.example/mcp' }],
    [
      'one resource of two that is of another audience',
      { resource: [TOOL_SERVER, 'https://one.example/mcp'] },
    ],
    [
      'a slash after a resource with a path',
      { audience: 'https://as.example', resource: 'https://one.example/mcp/' },
    ],
    ['no resource where there are several', { audience: 'https://as.example', resource: undefined }],
    ['a resource with a fragment', { resource: `${TOOL_SERVER}#x` }],
    ['a resource that is no URI', { resource: 'tools' }],
    ['an API that takes access tokens', { audience: 'http://api.example', resource: 'http://api.example' }],
  ])('are refused with invalid_target: %s', async (_case, changes) => {
    const answer = await exchange(changes);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_target']);
  });
});

it('logs a resource that is not a URI', async () => {
  await exchange({ resource: 'tools' });
  expect(world.logged.slice(-3).join()).toContain('an absolute URI');
});

describe('scope', () => {
  it.each<[string, string | undefined, string]>([
    ['what was asked', 'tools:read', 'tools:read'],
    ['the part that the client may have', 'tools:read tools:admin unknown', 'tools:read'],
    ['everything that the client may have, when nothing was asked', undefined, 'tools:read tools:call'],
    ['each once', 'tools:read tools:read', 'tools:read'],
  ])('granted is %s', async (_case, scope, granted) => {
    const answer = await exchange({ scope });
    expect([answer.body.scope, decodeJwt(answer.body.access_token).scope]).toEqual([granted, granted]);
  });

  it.each(['tools:admin', 'unknown', 'a"b'])('is refused with invalid_scope: %s', async (scope) => {
    const answer = await exchange({ scope });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_scope']);
  });
});

describe('policy', () => {
  const worldWith = (policies: object[]) => createTestWorld({ scene: { ...SCENE, policies } });
  const ask = async (own: TestWorld, changes: Form = {}) =>
    postToken(own, exchangeForm(await mintIdToken(own), changes));

  it.each<[string, object]>([
    ['by user', { users: ['user_alice'] }],
    ['by group', { groups: ['engineering'] }],
    ['by organization', { organizations: ['org_acme'] }],
    ['by client', { clients: ['hub'] }],
    ['by resource', { resources: [TOOL_SERVER] }],
    ['by all of these at once', { users: ['user_alice'], clients: ['hub'], resources: [TOOL_SERVER] }],
    ['of every scope that is asked', { scopes: ['tools:read', 'tools:call'] }],
  ])('denies %s', async (_case, match) => {
    const answer = await ask(await worldWith([{ id: 'p', effect: 'deny', match }]));
    expect([answer.status, answer.body.error]).toEqual([400, 'access_denied']);
  });

  it('removes denied scopes and keeps the others', async () => {
    const own = await worldWith([{ id: 'p', effect: 'deny', match: { scopes: ['tools:call'] } }]);
    expect((await ask(own)).body.scope).toBe('tools:read');
  });

  it('narrows to the scopes of the rule, never widens', async () => {
    const own = await worldWith([
      {
        id: 'p',
        effect: 'narrow',
        match: { groups: ['engineering'] },
        scopes: ['tools:read', 'tools:admin'],
      },
    ]);
    expect((await ask(own)).body.scope).toBe('tools:read');
    expect((await ask(own, { scope: 'tools:call' })).body.error).toBe('invalid_scope');
  });

  it('does not affect users whom no rule matches', async () => {
    const own = await worldWith([
      { id: 'p', effect: 'deny', match: { users: ['user_alice'], clients: ['app'] } },
      { id: 'q', effect: 'deny', match: { users: ['user_dave'] } },
      { id: 'r', effect: 'deny', match: { organizations: ['org_globex'] } },
      { id: 's', effect: 'deny', match: { groups: ['sales'] } },
      { id: 't', effect: 'deny', match: { resources: ['https://one.example/mcp'] } },
      { id: 'u', effect: 'deny', match: { scopes: ['tools:admin'] } },
    ]);
    expect((await ask(own)).body.scope).toBe('tools:read tools:call');
  });

  it('of an organization does not affect users without one', async () => {
    const own = await worldWith([{ id: 'p', effect: 'deny', match: { organizations: ['org_acme'] } }]);
    const answer = await postToken(own, exchangeForm(await mintIdToken(own, { user: 'user_dave' })));
    expect(answer.status).toBe(200);
  });

  it('applies as soon as it is created, and no longer once it is deleted', async () => {
    const own = await createTestWorld();
    await admin(own)
      .post('/policies')
      .send({ id: 'p', effect: 'deny', match: { clients: ['hub'] } })
      .expect(201);
    expect((await ask(own)).body.error).toBe('access_denied');
    await admin(own).delete('/policies/p').expect(204);
    expect((await ask(own)).status).toBe(200);
  });
});

describe('the form', () => {
  it.each<[string, Form]>([
    ['requested_token_type is missing', { requested_token_type: undefined }],
    ['requested_token_type is empty', { requested_token_type: '' }],
    [
      'requested_token_type is another',
      { requested_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
    ],
    ['subject_token is missing', { subject_token: undefined }],
    ['subject_token_type is missing', { subject_token_type: undefined }],
    [
      'subject_token_type is another',
      { subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
    ],
    ['subject_token is repeated', { subject_token: ['a', 'b'] }],
    ['audience is missing', { audience: undefined }],
    ['audience is repeated', { audience: [TOOL_SERVER, 'https://as.example'] }],
    ['scope is repeated', { scope: ['tools:read', 'tools:call'] }],
    ['a parameter that nobody knows is repeated', { anything: ['a', 'b'] }],
    ['an actor_token of another type is there', { actor_token: 'x', actor_token_type: ID_JAG }],
    ['an actor_token_type is there without its token', { actor_token_type: ID_JAG }],
    ['authorization_details are there', { authorization_details: '[]' }],
    ['more resources than anyone needs', { resource: Array.from({ length: 21 }, () => TOOL_SERVER) }],
    ['a secret and an assertion are both there', { client_assertion: 'x', client_assertion_type: 'y' }],
  ])('is refused with invalid_request when %s', async (_case, changes) => {
    const answer = await exchange(changes);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('may contain up to the maximum number of resources', async () => {
    const answer = await exchange({ resource: Array.from({ length: 20 }, () => TOOL_SERVER) });
    expect([answer.status, answer.body.token_type]).toEqual([200, 'N_A']);
  });

  it('is never repeated in an error', async () => {
    const answer = await exchange({
      scope: 'needle',
      audience: 'https://needle.example',
      resource: undefined,
    });
    expect(JSON.stringify(answer.body)).not.toContain('needle');
  });

  it('may have a charset, and an Accept header for HTML', async () => {
    const answer = await request(world.app)
      .post('/oauth/token')
      .set('Content-Type', 'application/x-www-form-urlencoded; charset=UTF-8')
      .set('Accept', 'text/html')
      .send(encode(exchangeForm(idToken)));
    expect([answer.status, answer.body.token_type]).toEqual([200, 'N_A']);
  });
});

function unsigned(claims: JWTPayload): string {
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims)}.`;
}

function alter(token: string): string {
  const [header, payload, signature = ''] = token.split('.');
  return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
}
