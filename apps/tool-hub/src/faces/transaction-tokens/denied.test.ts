import { expect, it } from '@jest/globals';
import { createSigningKeys, tokenId } from '@legate/jwt';
import {
  API,
  accessTokenClaims,
  createTransactionScene,
  type Form,
  OTHER_TOOLS,
  POWERLESS,
  WORKLOAD,
} from '../../testing/transaction-scene.ts';

const ALICE = { user_id: 'user_alice', outcome: 'denied' };

it('records a refusal with workload, user, rule and requested values, and without a token', async () => {
  const scene = await createTransactionScene();
  const subject_token = await scene.accessToken();
  await scene.ask({
    subject_token,
    audience: 'https://evil.example',
    request_details: '{"search":"private"}',
  });
  expect(scene.noted()).toEqual([
    {
      id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
      organization_id: 'org_acme',
      action: 'token.denied',
      occurred_at: scene.clock().toISOString(),
      actor: { type: 'system', id: WORKLOAD.client_id },
      targets: [],
      request_id: null,
      details: {
        ...ALICE,
        rule: 'service_not_granted',
        reason: 'invalid_target: audience',
        audience: 'https://evil.example',
        operation: 'sites:list',
        access_token_hash: tokenId(subject_token),
      },
    },
  ]);
  const [, payload, signature] = subject_token.split('.');
  for (const text of [payload, signature, 'private', WORKLOAD.client_secret])
    expect(JSON.stringify(scene.noted())).not.toContain(text);
});

it.each<[string, string, Form, Record<string, unknown>]>([
  ['a workload without services', 'workload_not_granted', POWERLESS, {}],
  ['another service', 'service_not_granted', { audience: `${API}/` }, {}],
  ['an operation that is not in the table', 'operation_not_granted', { scope: 'sites:create' }, {}],
  ['two operations', 'operation_not_granted', { scope: 'sites:list sites:delete' }, {}],
  ['an operation beyond the access token', 'scope_insufficient', { scope: 'sites:delete' }, {}],
  ['an access token that is bound to a key', 'token_bound', {}, { cnf: { jkt: 'x' } }],
  ['another type of token', 'request_invalid', { requested_token_type: 'x' }, {}],
  ['details that cannot be read', 'request_invalid', { request_details: '{' }, {}],
])('names the rule by which it refuses %s: %s', async (_case, rule, form, claims) => {
  const scene = await createTransactionScene();
  const answer = await scene.ask({ subject_token: await scene.accessToken(claims), ...form });
  expect(answer.status).toBe(400);
  expect(scene.noted()).toMatchObject([{ action: 'token.denied', details: { ...ALICE, rule } }]);
});

it('omits audience and operation if none was named', async () => {
  const scene = await createTransactionScene();
  await scene.ask({ audience: undefined, scope: undefined, subject_token: await scene.accessToken() });
  expect(scene.noted()).toMatchObject([{ details: { audience: null, operation: null } }]);
});

it.each(['eyJhbGciOiJFUzI1NiJ9.e30.x', 'eyJhbGc.x', 'Bearer abcdefgh'])(
  'redacts a credential in a requested value: %s',
  async (credential) => {
    const scene = await createTransactionScene();
    const subject_token = await scene.accessToken();
    await scene.ask({ audience: credential, scope: credential, subject_token });
    expect(scene.noted()).toMatchObject([{ details: { audience: '[redacted]', operation: '[redacted]' } }]);
  },
);

it.each<[string, Form]>([
  ['a workload with a wrong secret', { client_secret: 'wrong' }],
  ['a workload that nobody knows', { client_id: 'nobody' }],
  ['another grant type', { grant_type: 'client_credentials' }],
  ['a repeated parameter', { x: ['1', '2'] }],
])('records requests by %s only in metrics and the log', async (_case, form) => {
  const scene = await createTransactionScene();
  const answer = await scene.ask({ ...form, subject_token: await scene.accessToken() });
  expect([answer.status >= 400, scene.noted()]).toEqual([true, []]);
});

it.each<[string, Record<string, unknown>]>([
  ['is over', { iat: 1, exp: 2 }],
  ['is over since this second', { exp: 'now' }],
  ['is of another tool server', { iss: `${OTHER_TOOLS}/oauth/token`, aud: OTHER_TOOLS }],
  ['has no organization', { organization_id: undefined }],
  ['is of a user of another identity provider', { idp: 'https://idp.other.example' }],
  ['is of a user of one tenant among several', { tenant: 't1' }],
])('does not attribute a refusal to a user if the subject token %s', async (_case, claims) => {
  const scene = await createTransactionScene();
  const ofNow = claims.exp === 'now' ? { exp: scene.now() } : {};
  const subject_token = await scene.accessToken({ ...claims, ...ofNow });
  for (const form of [{}, { audience: 'https://evil.example' }, { scope: 'unknown' }])
    expect((await scene.ask({ ...form, subject_token })).status).toBe(400);
  expect(scene.noted()).toEqual([]);
});

it('does not attribute a refusal to the user in a forged subject token', async () => {
  const scene = await createTransactionScene();
  const stranger = await createSigningKeys({ alg: 'ES256', clock: scene.clock });
  const forged = await stranger.sign(accessTokenClaims(scene.now()), { typ: 'at+jwt' });
  for (const subject_token of [forged, 'nonsense', undefined])
    for (const scope of ['sites:list', 'unknown']) await scene.ask({ subject_token, scope });
  expect(scene.noted()).toEqual([]);
});

it('records no event for refusals by the limit, however many', async () => {
  const scene = await createTransactionScene({ perMinute: 4 });
  const errors: string[] = [];
  for (let i = 0; i < 5; i += 1) errors.push((await scene.ask({ scope: 'unknown' })).body.error);
  expect(errors).toEqual(['invalid_scope', 'invalid_scope', ...Array(3).fill('temporarily_unavailable')]);
  expect(scene.noted()).toHaveLength(2);
});

it('returns the same refusal, and records no event, while the token cannot be verified', async () => {
  const scene = await createTransactionScene();
  scene.documents.clear();
  const answer = await scene.ask({ scope: 'unknown' });
  expect([answer.status, answer.body.error, scene.noted()]).toEqual([400, 'invalid_scope', []]);
});
