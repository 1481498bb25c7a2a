import { beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import request from 'supertest';
import { admin, encode, type Form, postToken } from '../testing/exchange.ts';
import { createTestWorld, MANAGEMENT_API, type TestWorld, TOKEN_EXCHANGE } from '../testing/scene.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await createTestWorld();
});

const HUB = { client_id: 'hub', client_secret: 'the-secret-of-the-hub' };
const MACHINE = { grant_type: 'client_credentials', resource: MANAGEMENT_API, ...HUB };

describe.each(['/oauth/token', '/oauth/revoke'])('%s', (path) => {
  it.each([
    ['GET', 405],
    ['PUT', 405],
    ['DELETE', 405],
  ] as const)('responds to %s with an OAuth error', async (method, status) => {
    const answer = await request(world.app)[method.toLowerCase() as 'get' | 'put' | 'delete'](path);
    expect([answer.status, answer.body.error, answer.headers.allow]).toEqual([
      status,
      'invalid_request',
      'POST',
    ]);
  });

  it.each<[string, string, string | Buffer, number]>([
    ['JSON', 'application/json', JSON.stringify(MACHINE), 415],
    ['malformed JSON', 'application/json', '{', 415],
    ['multipart', 'multipart/form-data; boundary=x', '--x--', 415],
    ['an unknown charset', 'application/x-www-form-urlencoded; charset=nonsense', encode(MACHINE), 415],
    ['a form that is too large', 'application/x-www-form-urlencoded', `a=${'a'.repeat(70_000)}`, 413],
    ['an empty form', 'application/x-www-form-urlencoded', '', 400],
    [
      'bytes that are no UTF-8',
      'application/x-www-form-urlencoded',
      Buffer.from([0xff, 0xfe, 0x3d, 0x00]),
      400,
    ],
    ['broken percent-encoding', 'application/x-www-form-urlencoded', '%E0%A4%A=%&scope=%zz', 400],
    [
      'names of prototypes',
      'application/x-www-form-urlencoded',
      '__proto__=1&constructor=2&hasOwnProperty=3',
      400,
    ],
    ['nested names', 'application/x-www-form-urlencoded', 'grant_type[a]=b&grant_type[]=c', 400],
  ])('responds to %s with an OAuth error', async (_case, type, body, status) => {
    const answer = await request(world.app).post(path).set('Content-Type', type).send(body);
    expect(answer.headers['cache-control']).toBe('no-store');
    // The revocation endpoint authenticates the client before it checks the other parameters.
    expect([status, 401]).toContain(answer.status);
    expect(['invalid_request', 'invalid_client']).toContain(answer.body.error);
  });

  it('may be called from a page of any origin, without cookies', async () => {
    const preflight = await request(world.app)
      .options(path)
      .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

describe.each<[string, Form]>([
  [
    'authorization_code',
    { code: 'x', redirect_uri: 'https://hub.example/oauth/callback', code_verifier: 'a'.repeat(43) },
  ],
  ['refresh_token', { refresh_token: 'x' }],
  ['client_credentials', { resource: MANAGEMENT_API }],
  [TOKEN_EXCHANGE, { subject_token: 'x' }],
])('the grant %s', (grant_type, parameters) => {
  const form = { grant_type, ...parameters, ...HUB };

  it.each([...Object.keys(form), 'scope', 'anything'].filter((name) => name !== 'resource'))(
    'refuses a repeated %s',
    async (name) => {
      const answer = await postToken(world, { ...form, [name]: ['a', 'b'] });
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    },
  );

  it.each<[string, Form, string | undefined]>([
    ['a wrong secret', { client_secret: 'wrong' }, undefined],
    ['an unknown client', { client_id: 'nobody' }, undefined],
    ['no secret of a confidential client', { client_secret: undefined }, undefined],
    ['malformed Basic credentials', { client_id: undefined, client_secret: undefined }, 'Basic !!!'],
    ['a wrong secret by Basic', { client_id: undefined, client_secret: undefined }, 'Basic aHViOndyb25n'],
  ])('refuses %s with 401', async (_case, changes, authorization) => {
    const test = postToken(world, { ...form, ...changes });
    const answer = await (authorization === undefined ? test : test.set('Authorization', authorization));
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
    if (authorization !== undefined) expect(answer.headers['www-authenticate']).toMatch(/^Basic/);
  });

  it('refuses a client without this grant', async () => {
    const changes: Form =
      grant_type === 'client_credentials'
        ? { client_id: 'stranger', client_secret: 'the-secret-of-stranger' }
        : { client_id: 'no-exchange', client_secret: 'the-secret-of-no-exchange' };
    const answer = await postToken(world, { ...form, ...changes });
    expect([answer.status, answer.body.error]).toEqual([400, 'unauthorized_client']);
  });

  it.each(['', ' ', '\u0000', '💥', '"\\', 'a'.repeat(60_000), '[object Object]', '__proto__'])(
    'responds to arbitrary input with a 4xx and an OAuth error (%#)',
    async (rubbish) => {
      for (const name of [...Object.keys(parameters), 'scope', 'resource', 'code_verifier', 'client_id']) {
        const answer = await postToken(world, { ...form, [name]: rubbish });
        if (answer.status === 200) continue; // an empty parameter counts as absent
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
        expect(answer.body.error).toMatch(/^(invalid_(request|client|grant|scope|target)|access_denied)$/);
        // RFC 6749 §5.2 allows only ASCII, without quotes, backslashes and line breaks
        expect(answer.body.error_description).toMatch(/^[\x20\x21\x23-\x5B\x5D-\x7E]*$/);
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(answer.headers['content-type']).toMatch(/^application\/json/);
      }
    },
  );
});

it.each([
  ['a list', 'client_id[]=hub&grant_type[]=x'],
  ['a name with a dot', 'grant_type.a=b&client_id.b=c'],
  ['members of prototypes', '__proto__[polluted]=1&constructor[prototype][polluted]=1'],
  ['a name and a nested one', 'grant_type=refresh_token&grant_type[a]=b'],
  ['a deep name', `a${'[b]'.repeat(50)}=1`],
  ['very many fields', 'a=1&'.repeat(5000)],
  ['very many names', Array.from({ length: 5000 }, (_, at) => `a${at}=1`).join('&')],
  ['no names', '=1&&=&[]=1&[a]=2'],
])('responds to %s with a 4xx, even if the client authenticates', async (_case, form) => {
  for (const path of ['/oauth/token', '/oauth/revoke'])
    for (const client of ['', `&${encode(HUB)}`]) {
      const answer = await request(world.app).post(path).type('form').send(`${form}${client}`);
      expect([path, Math.floor(answer.status / 100)]).toEqual([path, 4]);
      expect(answer.body.error).toMatch(/^[a-z_]+$/);
    }
  expect({}).not.toHaveProperty('polluted');
});

it.each([undefined, '', 'password', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer', '__proto__'])(
  'refuses the grant type %j',
  async (grant_type) => {
    const answer = await postToken(world, { ...MACHINE, grant_type });
    expect([answer.status, answer.body.error]).toEqual([
      400,
      grant_type ? 'unsupported_grant_type' : 'invalid_request',
    ]);
  },
);

it('accepts a secret in the body, with Basic, and with Basic and a repeated client_id', async () => {
  const basic = `Basic ${Buffer.from('hub:the-secret-of-the-hub').toString('base64')}`;
  const without = { ...MACHINE, client_id: undefined, client_secret: undefined };
  const answers = await Promise.all([
    postToken(world, MACHINE),
    postToken(world, without).set('Authorization', basic),
    postToken(world, { ...without, client_id: 'hub' }).set('Authorization', basic),
  ]);
  for (const answer of answers) expect([answer.status, answer.body.token_type]).toEqual([200, 'Bearer']);
});

it.each(['/oauth/token', '/oauth/revoke'])(
  'counts failed client authentications at %s, and refuses all requests after too many',
  async (path) => {
    let failed = 0;
    const limited = await createTestWorld({
      failures: {
        blockedSeconds: () => (failed > 0 ? 42 : 0),
        recordFailure: async () => {
          failed += 1;
        },
      },
    });
    const send = (form: Form) => request(limited.app).post(path).type('form').send(encode(form));
    const form = { ...MACHINE, token: 'x' };
    expect((await send(form)).status).toBe(200);
    expect((await send({ ...form, client_secret: 'wrong' })).status).toBe(401);
    const answer = await send(form);
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '42']);
  },
);

it.each<[string, Form]>([
  [
    'a code',
    { grant_type: 'authorization_code', code: 'x', redirect_uri: 'https://hub.example/oauth/callback' },
  ],
  ['a refresh token', { grant_type: 'refresh_token', refresh_token: 'x' }],
])('refuses an unknown %s with invalid_grant, even without a resource', async (_case, form) => {
  const answer = await postToken(world, { ...form, ...HUB });
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
});

it('returns no error when an unknown token is revoked (RFC 7009 section 2.2)', async () => {
  const answer = await request(world.app)
    .post('/oauth/revoke')
    .type('form')
    .send(encode({ ...HUB, token: 'x', token_type_hint: 'refresh_token' }));
  expect(answer.status).toBe(200);
});

describe('private_key_jwt', () => {
  const MACHINES = ['https://one.example/client', 'https://two.example/client'] as const;
  const [ONE, TWO] = MACHINES;

  /** Creates a world with two machine clients that sign with the same key. */
  async function machines() {
    const own = await createTestWorld();
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k' }] };
    for (const client_id of MACHINES)
      await admin(own)
        .post('/clients')
        .send({ client_id, jwks, grant_types: ['client_credentials'] })
        .expect(201);
    await admin(own)
      .post('/resource-servers')
      .send({
        accepts: 'access_token',
        resource: 'http://machines.example',
        scopes: ['run'],
        clients: { [ONE]: {}, [TWO]: {} },
      })
      .expect(201);
    const now = Math.floor(Date.now() / 1000);
    const sign = ({
      client = ONE as string,
      audience = own.issuer,
      jti = 'j1',
      iat = now,
      exp = now + 60,
    } = {}) =>
      new SignJWT({ iss: client, sub: client, aud: audience, jti, iat, exp })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .sign(privateKey);
    const ask = async (client_assertion: string) => {
      const answer = await postToken(own, {
        grant_type: 'client_credentials',
        resource: 'http://machines.example',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion,
      });
      return answer.status === 200 ? 'accepted' : answer.body.error;
    };
    return { own, now, sign, ask };
  }

  it('is accepted with the issuer or the token endpoint as audience, each assertion once', async () => {
    const { own, sign, ask } = await machines();
    const first = await sign();
    expect(await ask(first)).toBe('accepted');
    expect(await ask(first)).toBe('invalid_client');
    expect(await ask(await sign({ jti: 'j2', audience: `${own.issuer}/oauth/token` }))).toBe('accepted');
    expect(await ask(await sign({ jti: 'j3', audience: 'https://other.example' }))).toBe('invalid_client');
  });

  it('remembers an assertion for as long as it is accepted', async () => {
    const { own, now, sign, ask } = await machines();
    // The longest lifetime: 300 s, from a client whose clock is a minute ahead, and a minute of skew.
    const longest = { iat: now + 60, exp: now + 360 };
    const assertion = await sign(longest);
    expect(await ask(assertion)).toBe('accepted');
    own.advance(410);
    expect(await ask(assertion)).toBe('invalid_client');
    expect(await ask(await sign({ ...longest, jti: 'j2' }))).toBe('accepted');
  });

  it('accepts the same jti from two clients', async () => {
    const { sign, ask } = await machines();
    expect(await ask(await sign({ client: ONE }))).toBe('accepted');
    expect(await ask(await sign({ client: TWO }))).toBe('accepted');
  });
});

describe('discovery', () => {
  it.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])(
    'is served at %s, whatever the Host header',
    async (path) => {
      const answer = await request(world.app)
        .get(path)
        .set({ Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Origin: 'https://app.example' });
      expect(answer.status).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.body).toMatchObject({
        issuer: world.issuer,
        authorization_endpoint: `${world.issuer}/oauth/authorize`,
        token_endpoint: `${world.issuer}/oauth/token`,
        jwks_uri: `${world.issuer}/.well-known/jwks.json`,
        userinfo_endpoint: `${world.issuer}/userinfo`,
        end_session_endpoint: `${world.issuer}/oauth/logout`,
        revocation_endpoint: `${world.issuer}/oauth/revoke`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        identity_chaining_requested_token_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
        grant_types_supported: expect.arrayContaining([
          'authorization_code',
          'refresh_token',
          'client_credentials',
          TOKEN_EXCHANGE,
        ]),
        token_endpoint_auth_methods_supported: expect.arrayContaining([
          'client_secret_basic',
          'client_secret_post',
        ]),
        // Without this member clients must assume client_secret_basic only (RFC 8414 §2).
        revocation_endpoint_auth_methods_supported: answer.body.token_endpoint_auth_methods_supported,
      });
      expect(JSON.stringify(answer.body)).not.toContain('evil.example');
    },
  );

  it('publishes only public keys', async () => {
    const { body } = await request(world.app).get('/.well-known/jwks.json').expect(200);
    for (const key of body.keys) {
      expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256', kid: expect.any(String) });
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(key).not.toHaveProperty(secret);
    }
  });
});

it('requires an access token at UserInfo, and refuses an ID token', async () => {
  const without = await request(world.app).get('/userinfo');
  expect([without.status, without.headers['www-authenticate']]).toEqual([
    401,
    expect.stringMatching(/^Bearer/),
  ]);
  const minted = await admin(world).post('/id-tokens').send({ user: 'user_alice', client_id: 'app' });
  const wrong = await request(world.app)
    .get('/userinfo')
    .set('Authorization', `Bearer ${minted.body.id_token}`);
  expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_token']);
});

it('responds to an unknown path with problem details', async () => {
  const answer = await request(world.app).get('/nothing-here');
  expect([answer.status, answer.headers['content-type']]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
  ]);
});
