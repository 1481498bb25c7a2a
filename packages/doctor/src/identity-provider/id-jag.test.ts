import { expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import { TOKEN_TYPE } from '@legate/oauth';
import {
  AUDIENCE,
  CLIENT_ID,
  examineFake,
  ISSUER,
  NOW,
  NOW_SECONDS,
  RESOURCE,
  refusal,
  type Sent,
  signIdToken,
  signingKeys,
  WITH_CLIENT,
} from './testing/fake-provider.ts';

const tokens = {
  idToken: await signIdToken(),
  accessToken: 'the-access-token',
  refreshToken: 'the-refresh-token',
};

const unknownKeys = await createSigningKeys({ alg: 'ES256', clock: () => NOW });

const CLAIMS = {
  iss: ISSUER,
  sub: 'user_alice',
  aud: AUDIENCE,
  client_id: 'hub-at-tools',
  resource: RESOURCE,
  scope: 'notes:read',
  organization_id: 'org_acme',
  jti: 'j1',
  iat: NOW_SECONDS,
  exp: NOW_SECONDS + 300,
};
const ANSWER = {
  issued_token_type: TOKEN_TYPE.idJag,
  token_type: 'N_A',
  expires_in: 300,
  resource: RESOURCE,
  scope: 'notes:read',
};

async function examine(
  changes: { claims?: object; answer?: object; typ?: string; keys?: typeof signingKeys } = {},
  target: Parameters<typeof examineFake>[0] = {},
) {
  const { claims, answer, typ = 'oauth-id-jag+jwt', keys = signingKeys } = changes;
  const idJag = await keys.sign({ ...CLAIMS, ...claims }, { typ });
  const token = ({ form }: Sent) =>
    form.get('requested_token_type') === TOKEN_TYPE.idJag
      ? { ...ANSWER, access_token: idJag, ...answer }
      : refusal('invalid_grant');
  return { idJag, ...(await examineFake({ ...WITH_CLIENT, tokens, ...target }, { token })) };
}

it('passes every check, and shows no token', async () => {
  const { leg, sent, idJag, report } = await examine();
  expect(leg('id_jag')).toMatchObject({
    status: 'ok',
    evidence: { left_out: [], client_id: 'hub-at-tools' },
  });
  expect(leg('id_jag').evidence?.passed).toContain('signature');
  const form = Object.fromEntries(sent.at(-2)?.form ?? []);
  expect(form).toMatchObject({
    subject_token: tokens.idToken,
    subject_token_type: TOKEN_TYPE.idToken,
    audience: AUDIENCE,
    resource: RESOURCE,
    scope: 'notes:read',
  });
  for (const token of [idJag, ...Object.values(tokens)]) expect(JSON.stringify(report)).not.toContain(token);
});

it.each([
  ['Bearer', { token_type: 'Bearer' }],
  ['another case', { token_type: 'n_a' }],
])('tolerates token_type %s', async (_case, answer) => {
  expect((await examine({ answer })).leg('id_jag').status).toBe('ok');
});

it('tolerates what is left out, and says so', async () => {
  const { leg } = await examine({
    answer: { resource: undefined, scope: null, expires_in: undefined },
    claims: { scope: undefined, organization_id: undefined },
  });
  expect(leg('id_jag')).toMatchObject({
    status: 'ok',
    evidence: {
      left_out: [
        '"resource" in the response',
        '"scope" in the response',
        '"expires_in" in the response',
        'the claim scope',
        'a claim for the organization',
      ],
    },
  });
});

it('warns if the ID-JAG is not limited to the resource', async () => {
  const { leg } = await examine({ claims: { resource: undefined }, answer: { resource: undefined } });
  expect(leg('id_jag').status).toBe('warn');
});

it.each([
  ['issued_token_type', { answer: { issued_token_type: TOKEN_TYPE.accessToken } }],
  ['token_type', { answer: { token_type: 'DPoP' } }],
  ['typ', { typ: 'JWT' }],
  ['iss', { claims: { iss: 'https://other.example' } }],
  ['aud', { claims: { aud: 'https://other.example' } }],
  ['aud', { claims: { aud: [AUDIENCE, 'https://other.example'] } }],
  ['client_id', { claims: { client_id: undefined } }],
  ['sub', { claims: { sub: 'user_mallory' } }],
  ['organization', { claims: { organization_id: 'org_other' } }],
  ['resource', { claims: { resource: 'https://other.example' } }],
  ['resource', { answer: { resource: [RESOURCE, 'https://other.example'] } }],
  ['scope', { claims: { scope: 'notes:read notes:write' } }],
  ['scope', { answer: { scope: 'admin' } }],
  ['act', { claims: { act: { sub: 'another-agent' } } }],
  ['cnf', { claims: { cnf: { jkt: 'x' } } }],
  ['exp', { claims: { exp: NOW_SECONDS + 10 } }],
])('fails for a contradiction in %s', async (rule, changes) => {
  const { leg } = await examine(changes);
  expect(leg('id_jag')).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching(new RegExp(`asked for: .*\\b${rule}\\b`)),
  });
});

it.each([
  ['signed with a key that is not published', 'key', { keys: unknownKeys }],
  ['without jti', 'claims: jti', { claims: { jti: undefined } }],
])('fails for an ID-JAG that tool servers refuse: %s', async (_case, reason, changes) => {
  const { leg } = await examine(changes);
  expect(leg('id_jag')).toMatchObject({
    status: 'fail',
    detail: `The ID-JAG is not the one that was asked for: ${reason}.`,
  });
});

it('tolerates our own client as the agent', async () => {
  expect((await examine({ claims: { act: { sub: CLIENT_ID } } })).leg('id_jag').status).toBe('ok');
});

it('fails if the token is no JWT', async () => {
  const { leg } = await examine({ answer: { access_token: 'opaque' } });
  expect(leg('id_jag')).toMatchObject({ status: 'fail', detail: expect.stringContaining('not a JWT') });
});

it('presents the token that the kind exchanges', async () => {
  const { leg, sent } = await examine({}, { kind: 'pingfederate' });
  expect(leg('id_jag').status).toBe('ok');
  const request = sent.find(
    ({ form }) => form.get('requested_token_type') === TOKEN_TYPE.idJag && form.has('audience'),
  );
  expect([request?.form.get('subject_token'), request?.form.get('subject_token_type')]).toEqual([
    'the-refresh-token',
    TOKEN_TYPE.refreshToken,
  ]);
});

it.each(['unauthorized_client', 'invalid_target', 'invalid_grant', 'something_else'])(
  'reports %s with a remedy',
  async (error) => {
    const { leg } = await examineFake({ ...WITH_CLIENT, tokens }, { token: () => refusal(error) });
    expect(leg('id_jag')).toMatchObject({
      status: 'fail',
      detail: `The provider issues no ID-JAG: ${error}.`,
      remedy: expect.any(String),
      evidence: { subject: 'ID token' },
    });
  },
);

it('says how to connect a client where the provider names no cause', async () => {
  const { leg } = await examineFake(
    { ...WITH_CLIENT, kind: 'okta', tokens },
    { token: () => refusal('unauthorized_client') },
  );
  expect(leg('id_jag').remedy).toMatch(/Cross App Access.*scopes.*token exchange/);
});

it.each([
  [{ kind: 'keycloak' }, 'issues no ID-JAGs'],
  [{ audience: undefined }, 'Needs --audience'],
  [{ tokens: undefined }, 'Needs the ID token of a sign-in'],
  [{ credentials: undefined }, 'Needs --secret-file'],
] as const)('says what is missing with %j', async (target, missing) => {
  const { leg } = await examine({}, target);
  expect([leg('id_jag').status, leg('id_jag').detail]).toEqual(['skipped', expect.stringContaining(missing)]);
});
