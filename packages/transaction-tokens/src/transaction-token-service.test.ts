import { beforeEach, describe, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import { OAuthError } from '@legate/oauth';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { API, createScene, ISSUER, POWERLESS, TOOLS } from './testing/scene.ts';

let scene: Awaited<ReturnType<typeof createScene>>;
beforeEach(async () => {
  scene = await createScene();
});

/** The error with which a request is refused, or `issued`. */
async function outcomeOf(form: Parameters<typeof scene.ask>[0] = {}): Promise<string> {
  return scene.ask(form).then(
    () => 'issued',
    (err: unknown) => (err instanceof OAuthError ? err.code : String(err)),
  );
}

describe('a transaction token', () => {
  it('names the user, the workload, the one operation and its permitted parameters', async () => {
    const subject_token = await scene.accessToken();
    const answer = await scene.ask({
      subject_token,
      request_details: '{"limit":20,"deep":false,"search":"a","other":1}',
      request_context: '{"req_ip":"192.0.2.1","other":1}',
    });
    expect(answer).toEqual({
      access_token: expect.any(String),
      issued_token_type: 'urn:ietf:params:oauth:token-type:txn_token',
      token_type: 'N_A',
      expires_in: 60,
      scope: 'sites:list',
    });
    expect(decodeProtectedHeader(answer.access_token)).toMatchObject({ typ: 'txntoken+jwt', alg: 'ES256' });
    const claims = decodeJwt(answer.access_token);
    expect(claims).toEqual({
      ...{ iss: ISSUER, aud: API, sub: 'alice', scope: 'sites:list', req_wl: 'tools' },
      ...{ txn: expect.any(String), jti: expect.any(String), iat: scene.now(), exp: scene.now() + 60 },
      tctx: { limit: 20, deep: false, search: 'a', organization_id: 'acme', roles: ['editor'] },
      rctx: { req_ip: '192.0.2.1', client_id: 'hub' },
    });
    expect(claims.txn).not.toBe(claims.jti);
    const { txn, jti } = claims;
    expect(scene.issued).toEqual([
      {
        ...{ workloadId: 'tools', organizationId: 'acme', userId: 'alice', subjectToken: subject_token },
        ...{ audience: API, operation: 'sites:list', txn, jti, requestId: 'a-request' },
      },
    ]);
    expect(scene.logged).toEqual([
      {
        ...{ txn, jti, audience: API, scope: 'sites:list', req_wl: 'tools' },
        ...{ sub: 'alice', organization_id: 'acme', subject_jti: 'an-access-token' },
      },
    ]);
    expect([scene.outcomes, scene.denied]).toEqual([[['tools', 'issued']], []]);
  });

  it('cannot be made to name another organization, other roles or another client', async () => {
    const { access_token } = await scene.ask({
      request_details: '{"organization_id":"globex","roles":["owner"]}',
      request_context: '{"client_id":"other"}',
    });
    expect(decodeJwt(access_token)).toMatchObject({
      tctx: { organization_id: 'acme', roles: ['editor'] },
      rctx: { client_id: 'hub' },
    });
  });

  it('is new for each request', async () => {
    const [one, other] = [await scene.ask(), await scene.ask()].map((answer) =>
      decodeJwt(answer.access_token),
    );
    expect(one?.txn).not.toBe(other?.txn);
    expect(one?.jti).not.toBe(other?.jti);
  });

  it('has the configured lifetime, but never outlives its subject token', async () => {
    const long = await createScene({ lifetime_seconds: 300 });
    expect(await long.ask()).toMatchObject({ expires_in: 300 });
    const subject_token = await long.accessToken({ exp: long.now() + 17.9 });
    expect(await long.ask({ subject_token })).toMatchObject({ expires_in: 17 });
  });
});

describe('a request is refused', () => {
  it.each<[string, Parameters<typeof scene.ask>[0], string]>([
    ['with a repeated parameter', { audience: [API, API] }, 'invalid_request'],
    ['with another grant type', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ['without a grant type', { grant_type: undefined }, 'invalid_request'],
    ['by an unknown workload', { client_id: 'nobody' }, 'invalid_client'],
    ['with a wrong secret', { client_secret: 'wrong' }, 'invalid_client'],
  ])('before it is counted, if it comes %s', async (_case, form, code) => {
    expect(await outcomeOf(form)).toBe(code);
    expect([scene.limited, scene.denied, scene.checked]).toEqual([[], [], []]);
    expect(scene.outcomes).toEqual([[undefined, code]]);
  });

  it.each<[string, Parameters<typeof scene.ask>[0], string, string]>([
    [
      'another type of token is requested',
      { requested_token_type: 'x' },
      'invalid_request',
      'request_invalid',
    ],
    ['no type is requested', { requested_token_type: undefined }, 'invalid_request', 'request_invalid'],
    ['the subject is no access token', { subject_token_type: 'x' }, 'invalid_request', 'request_invalid'],
    ['there is an actor', { actor_token: 'x' }, 'invalid_request', 'request_invalid'],
    ['no service is named', { audience: undefined }, 'invalid_request', 'request_invalid'],
    ['the service is another', { audience: `${API}/` }, 'invalid_target', 'service_not_granted'],
    ['a resource is named', { resource: API }, 'invalid_target', 'request_invalid'],
    ['no operation is named', { scope: undefined }, 'invalid_scope', 'operation_not_granted'],
    ['the operation is unknown', { scope: 'sites:create' }, 'invalid_scope', 'operation_not_granted'],
    [
      'there are two operations',
      { scope: 'sites:list sites:delete' },
      'invalid_scope',
      'operation_not_granted',
    ],
    ['the token does not cover it', { scope: 'sites:delete' }, 'invalid_scope', 'scope_insufficient'],
    ['its details are no JSON', { request_details: '{' }, 'invalid_request', 'request_invalid'],
    ['its context is no object', { request_context: '[]' }, 'invalid_request', 'request_invalid'],
  ])('and recorded for its user, if %s', async (_case, form, code, rule) => {
    const subject_token = await scene.accessToken();
    expect(await outcomeOf({ subject_token, ...form })).toBe(code);
    expect(scene.denied).toEqual([
      {
        ...{ workloadId: 'tools', organizationId: 'acme', userId: 'alice', subjectToken: subject_token },
        audience: form && 'audience' in form ? form.audience : API,
        operation: form && 'scope' in form ? form.scope : 'sites:list',
        ...{ requestId: 'a-request', rule, reason: expect.stringContaining(code) },
      },
    ]);
    expect([scene.limited, scene.outcomes, scene.issued]).toEqual([
      [['tools', 'acme']],
      [['tools', code]],
      [],
    ]);
  });

  it('and recorded, if its workload has no service', async () => {
    expect(await outcomeOf(POWERLESS)).toBe('unauthorized_client');
    expect(scene.denied).toMatchObject([{ workloadId: 'powerless', rule: 'workload_not_granted' }]);
  });

  it('and recorded, if its subject token is bound to a key', async () => {
    expect(await outcomeOf({ subject_token: await scene.accessToken({ cnf: { jkt: 'x' } }) })).toBe(
      'invalid_request',
    );
    expect(scene.denied).toMatchObject([{ rule: 'token_bound' }]);
  });

  it.each([
    ['has no scope', { scope: undefined }],
    ['has another scope', { scope: 'mcp:tools:calls mcp:tools' }],
  ])('and recorded, if its subject token %s', async (_case, claims) => {
    expect(await outcomeOf({ subject_token: await scene.accessToken(claims) })).toBe('invalid_scope');
    expect(scene.denied).toMatchObject([{ rule: 'scope_insufficient' }]);
  });

  it('and recorded, if the access of its user has ended', async () => {
    scene.deps.requireAccess = async ({ claims }) => {
      throw new OAuthError('access_denied', `${claims.sub} has signed out`);
    };
    expect(await outcomeOf()).toBe('access_denied');
    expect(scene.denied).toMatchObject([{ reason: 'access_denied: alice has signed out' }]);
  });
});

describe('a subject token is refused, and attributed to nobody, that', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['ended this second', { exp: 0 }, 'invalid_request'],
    ['ended within the skew', { exp: -30 }, 'invalid_request'],
    ['is of another issuer', { iss: 'https://other.example' }, 'invalid_request'],
    ['is for another audience', { aud: API }, 'invalid_request'],
    ['is of a user of another identity provider', { idp: 'https://other.example' }, 'access_denied'],
    ['is of a user of no known identity provider', { idp: undefined }, 'access_denied'],
    ['is of a user of one tenant among several', { tenant: 't1' }, 'access_denied'],
    ['names no organization', { organization_id: undefined }, 'access_denied'],
  ])('%s', async (_case, claims, code) => {
    const exp =
      typeof claims.exp === 'number' ? { exp: scene.now() + claims.exp, iat: scene.now() - 60 } : {};
    const subject_token = await scene.accessToken({ ...claims, ...exp });
    for (const scope of ['sites:list', 'unknown'])
      expect(await outcomeOf({ subject_token, scope })).toBe(scope === 'unknown' ? 'invalid_scope' : code);
    expect([scene.denied, scene.limited]).toEqual([[], Array(2).fill(['tools', undefined])]);
  });

  it('has another type, or is not a token', async () => {
    for (const subject_token of [await scene.accessToken({}, 'JWT'), 'nonsense', undefined])
      expect(await outcomeOf({ subject_token })).toBe('invalid_request');
    expect(scene.denied).toEqual([]);
  });

  it('cannot be verified because of an outage', async () => {
    scene.documents.clear();
    expect(await outcomeOf()).toBe('temporarily_unavailable');
    expect(scene.denied).toEqual([]);
  });
});

it('verifies a subject token once for each request, refused or not', async () => {
  await scene.ask();
  await outcomeOf({ scope: 'unknown' });
  await outcomeOf({ subject_token: 'nonsense' });
  expect(scene.checked).toHaveLength(3);
});

it('counts a request once, for its workload and organization', async () => {
  await scene.ask();
  expect(scene.limited).toEqual([['tools', 'acme']]);
});

it.each([
  ['a good request', {}],
  ['a refused one, which is then not recorded', { scope: 'unknown' }],
])('reports the exceeded limit for %s', async (_case, form) => {
  scene.deps.limit = async () => {
    throw new OAuthError('temporarily_unavailable', 'too many', { status: 429 });
  };
  expect(await outcomeOf(form)).toBe('temporarily_unavailable');
  expect([scene.issued, scene.denied]).toEqual([[], []]);
});

it('does not record an internal error as a refusal, but counts it', async () => {
  scene.deps.requireAccess = () => Promise.reject(new Error('connection refused'));
  expect(await outcomeOf()).toBe('Error: connection refused');
  expect([scene.denied, scene.outcomes]).toEqual([[], [['tools', 'server_error']]]);
});

describe('a workload with a key of its own', () => {
  it('authenticates with an assertion for this issuer only', async () => {
    const keys = await createSigningKeys({ alg: 'ES256', clock: scene.clock });
    scene = await createScene({ jwks: keys.publicJwks() });
    expect(await outcomeOf(await scene.assertionBy(keys))).toBe('issued');
    expect(await outcomeOf(await scene.assertionBy(keys, { aud: `${ISSUER}/token` }))).toBe('invalid_client');
    expect(await outcomeOf(await scene.assertionBy(keys, { iss: TOOLS }))).toBe('invalid_client');
    expect(await outcomeOf(await scene.assertionBy(scene.toolKeys))).toBe('invalid_client');
    expect(await outcomeOf(await scene.assertionBy(keys, { iat: 1, exp: 2 }))).toBe('invalid_client');
  });

  it('is needed for an assertion', async () => {
    expect(await outcomeOf(await scene.assertionBy(scene.toolKeys))).toBe('invalid_client');
  });
});

it('reports each fetch of the keys of an issuer of subject tokens', async () => {
  const read: string[] = [];
  scene = await createScene({ onKeysRead: (issuer) => (outcome) => void read.push(`${issuer} ${outcome}`) });
  await scene.ask();
  expect(read).toEqual([`${TOOLS} read`]);
});
