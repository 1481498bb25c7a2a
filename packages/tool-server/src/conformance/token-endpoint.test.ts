import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createScene, HUB, JWT_BEARER, oauthError, RESOURCE, type Scene, SECOND } from '../testing/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});

describe('grant_type: any but the JWT bearer one is unsupported_grant_type, before all other checks', () => {
  it.each([
    'client_credentials',
    'authorization_code',
    'refresh_token',
    'password',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:ietf:params:oauth:grant-type:jwt-dpop',
    'URN:IETF:PARAMS:OAUTH:GRANT-TYPE:JWT-BEARER',
    `${JWT_BEARER} `,
    '__proto__',
    '',
    undefined,
  ])('%j', async (grant_type) => {
    const good = await scene.redeem(await scene.idJag(), { grant_type });
    const nothing = await scene.sendForm({ grant_type });
    const wrongClient = await scene.sendForm({ grant_type, ...HUB, client_secret: 'wrong' });
    const repeated = await scene.sendForm({ grant_type, scope: ['a', 'b'] });
    for (const res of [good, nothing, wrongClient, repeated])
      expect([res.status, res.body]).toEqual([400, oauthError('unsupported_grant_type')]);
  });

  it('that is sent in addition to the right one', async () => {
    const res = await scene.redeem(await scene.idJag(), { grant_type: [JWT_BEARER, 'password'] });
    expect([res.status, res.body]).toEqual([400, oauthError('unsupported_grant_type')]);
  });

  it('without a body', async () => {
    const res = await request(scene.app).post('/oauth/token').type('form');
    expect([res.status, res.body.error]).toEqual([400, 'unsupported_grant_type']);
  });
});

describe('a malformed request is invalid_request', () => {
  it.each([
    ['grant_type', [JWT_BEARER, JWT_BEARER]],
    ['client_id', ['tool-hub', 'tool-hub']],
    ['client_secret', [HUB.client_secret, HUB.client_secret]],
    ['scope', ['mcp:tools:read', 'mcp:tools:read']],
    ['scope', ['', '']],
    ['unknown', ['1', '2']],
    ['__proto__', ['1', '2']],
  ])('repeated parameter: %s %#', async (name, values) => {
    const res = await scene.redeem(await scene.idJag(), { [name]: values });
    expect([res.status, res.body]).toEqual([400, oauthError('invalid_request')]);
  });

  it('repeated assertion, even the same one', async () => {
    const assertion = await scene.idJag();
    const res = await scene.redeem(assertion, { assertion: [assertion, assertion] });
    expect([res.status, res.body]).toEqual([400, oauthError('invalid_request')]);
  });

  it('is reported before the client is authenticated', async () => {
    const res = await scene.redeem('x', { client_secret: 'wrong', scope: ['a', 'b'] });
    expect([res.status, res.body.error]).toEqual([400, 'invalid_request']);
  });

  it.each([undefined, ''])('missing assertion: %j', async (assertion) => {
    const res = await scene.redeem('', { assertion });
    expect([res.status, res.body]).toEqual([400, oauthError('invalid_request')]);
  });

  it('missing assertion is reported only to an authenticated client', async () => {
    const res = await scene.redeem('', { client_secret: 'wrong' });
    expect([res.status, res.body.error]).toEqual([401, 'invalid_client']);
  });

  it('JSON instead of a form', async () => {
    const res = await request(scene.app)
      .post('/oauth/token')
      .send({ grant_type: JWT_BEARER, assertion: await scene.idJag(), ...HUB });
    expect([res.status, res.body]).toEqual([415, oauthError('invalid_request')]);
    expect(res.headers['cache-control']).toBe('no-store');
  });

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/xml'])(
    'content type %j',
    async (type) => {
      const res = await request(scene.app)
        .post('/oauth/token')
        .set('Content-Type', type)
        .send('grant_type=x');
      expect([res.status, res.body]).toEqual([415, oauthError('invalid_request')]);
    },
  );

  it('a body over 64 KiB', async () => {
    const res = await scene.redeem('x'.repeat(70_000));
    expect([res.status, res.body]).toEqual([413, oauthError('invalid_request')]);
  });

  it.each(['get', 'put', 'delete', 'patch'] as const)('method %s', async (method) => {
    const res = await request(scene.app)[method]('/oauth/token');
    expect([res.status, res.headers.allow, res.body]).toEqual([405, 'POST', oauthError('invalid_request')]);
  });

  it('parameters in the query, which are not read', async () => {
    const query = new URLSearchParams({ grant_type: JWT_BEARER, assertion: await scene.idJag(), ...HUB });
    const res = await request(scene.app).post(`/oauth/token?${query}`).type('form').send('');
    expect([res.status, res.body.error]).toEqual([400, 'unsupported_grant_type']);
    expect(scene.lines.join()).not.toContain(HUB.client_secret);
  });
});

it('reads a form with a charset, and unknown parameters are ignored', async () => {
  const res = await scene
    .redeem(await scene.idJag(), { foo: 'bar', 'a[b]': 'c', audience: RESOURCE })
    .set('Content-Type', 'application/x-www-form-urlencoded; charset=UTF-8');
  expect(res.status).toBe(200);
});

it.each(['get', 'post'] as const)(
  'the authorization endpoint answers a %s with unsupported_response_type and redirects nowhere',
  async (method) => {
    const res = await request(scene.app)[method](
      '/oauth/authorize?response_type=code&redirect_uri=https://evil.example',
    );
    expect([res.status, res.body]).toEqual([400, oauthError('unsupported_response_type')]);
    expect(res.headers.location).toBeUndefined();
  },
);

it('repeats no input in a refusal, and no token or secret in a log line', async () => {
  const own = await createScene();
  const assertion = await own.idJag({ aud: 'https://needle.example' });
  const good = await own.idJag();
  const answers = [
    await own.redeem(assertion, { scope: 'needle' }),
    await own.redeem(good, { client_secret: 'needle-secret-of-a-stranger' }),
    await own.redeem(good, { ...SECOND }),
    await own.redeem(good),
  ];
  for (const res of answers.slice(0, 3)) expect(res.text).not.toContain('needle');
  const log = own.lines.join('\n');
  const secrets = [assertion, good, answers[3]?.body.access_token, HUB.client_secret, SECOND.client_secret];
  expect(answers.map(({ status }) => status)).toEqual([400, 401, 400, 200]);
  for (const secret of [...secrets, 'needle-secret-of-a-stranger'])
    for (const part of String(secret).split('.').slice(-1)) expect(log).not.toContain(part);
  expect(log).toContain('assertion: audience');
  expect(log).toContain('access token issued');
});
