import { expect, it } from '@jest/globals';
import { SignInFailed } from './examination.ts';
import { CLIENT_ID, examineFake, METADATA, NOW_SECONDS, signIdToken } from './testing/fake-provider.ts';

const idToken = await signIdToken({ sid: 's1' });
const tokens = { idToken, accessToken: 'the-access-token', refreshToken: 'the-refresh-token' };
const base = { clientId: CLIENT_ID };

it('verifies the ID token, and says what a sign-in gives', async () => {
  const metadata = { ...METADATA, backchannel_logout_supported: true };
  const { leg } = await examineFake({ ...base, tokens }, { metadata });
  expect(leg('sign_in')).toMatchObject({
    status: 'ok',
    evidence: {
      user_claim: 'sub',
      email_verified: 'true',
      tokens: ['ID token', 'access token', 'refresh token'],
      back_channel_logout: 'listed',
      sid: 'there',
    },
  });
});

it('shows the names of claims, and their values only if asked to', async () => {
  const hidden = await examineFake({ ...base, tokens });
  expect(JSON.stringify(hidden.report)).not.toContain('alice');
  expect(hidden.leg('sign_in').evidence?.claims).toContain('email');
  const tid = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';
  const withTenant = { ...tokens, idToken: await signIdToken({ tid }) };
  const { leg } = await examineFake({ ...base, tokens: withTenant, showsValues: true });
  expect(leg('sign_in').evidence?.claims).toEqual(
    expect.arrayContaining(['email="alice@acme.example"', `tid="${tid}"`]),
  );
  expect(JSON.stringify(leg('organization').evidence)).toContain(tid);
});

it('signs in with the scope of the kind', async () => {
  const scopes: string[] = [];
  const signIn = async (scope: string) => {
    scopes.push(scope);
    return { ...tokens, idToken: await signIdToken({ oid: 'user-1' }) };
  };
  const { leg } = await examineFake({ ...base, kind: 'entra', signIn });
  expect(leg('sign_in')).toMatchObject({ status: 'ok', detail: expect.stringContaining('in oid') });
  expect(scopes).toEqual([`openid email profile offline_access api://${CLIENT_ID}/access_as_user`]);
});

it.each([
  ['expired', { exp: NOW_SECONDS - 60 }, 'expired'],
  ['issued by somebody else', { iss: 'https://other.example' }, 'issuer'],
  ['for another client', { aud: 'other' }, 'audience'],
  ['without a user', { sub: undefined }, 'claims (sub)'],
  ['valid for a week', { exp: NOW_SECONDS + 604_800 }, 'lifetime'],
])('refuses an ID token that is %s', async (_case, changes, reason) => {
  const { leg } = await examineFake({ ...base, tokens: { idToken: await signIdToken(changes) } });
  expect(leg('sign_in')).toMatchObject({
    status: 'fail',
    detail: `The ID token is refused: ${reason}.`,
    remedy: expect.any(String),
  });
});

it('fails without the claim that names the user at this kind', async () => {
  const { leg } = await examineFake({ ...base, kind: 'entra', tokens });
  expect(leg('sign_in')).toMatchObject({ status: 'fail', detail: expect.stringContaining('no claim oid') });
});

it('names the setting for a claim that marks access tokens', async () => {
  const marked = { ...tokens, idToken: await signIdToken({ scope: 'openid' }) };
  const { leg, settings } = await examineFake({ ...base, tokens: marked });
  expect(leg('sign_in')).toMatchObject({
    status: 'warn',
    remedy: expect.stringContaining('ID_TOKEN_ALLOWED_CLAIMS=scope'),
  });
  expect(settings?.hub.ID_TOKEN_ALLOWED_CLAIMS).toBe('scope');
});

it('warns without a refresh token', async () => {
  const { leg } = await examineFake({ ...base, tokens: { idToken } });
  expect(leg('sign_in')).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('no refresh token'),
  });
});

it('fails without an ID token', async () => {
  const { leg } = await examineFake({ ...base, tokens: { accessToken: 'the-access-token' } });
  expect(leg('sign_in')).toMatchObject({ status: 'fail', detail: 'There is no ID token.' });
});

it('reports a sign-in that fails', async () => {
  const signIn = () => Promise.reject(new SignInFailed('access_denied \u001b[31m'));
  const { leg } = await examineFake({ ...base, signIn });
  expect(leg('sign_in')).toMatchObject({
    status: 'fail',
    detail: 'Nobody was signed in: access_denied ?[31m',
  });
});

it.each([
  ['invalid_client', 400, '--client-id'],
  ['unauthorized_client', 401, '--client-id'],
  ['invalid_grant', 400, 'redirect URI'],
])(
  'says what helps if the token endpoint refuses the code with %s and status %i',
  async (error, status, helps) => {
    const refusal = { error, status, description: undefined, codes: [], suberror: undefined };
    const signIn = () => Promise.reject(new SignInFailed(error, { refusal }));
    const { leg } = await examineFake({ ...base, signIn });
    expect(leg('sign_in')).toMatchObject({ status: 'fail', remedy: expect.stringContaining(helps) });
  },
);

it.each([
  [{}, 'Needs --client-id'],
  [base, 'Needs the tokens of a sign-in'],
])('says what is missing with %j', async (target, missing) => {
  const { leg } = await examineFake(target);
  expect([leg('sign_in').status, leg('sign_in').detail]).toEqual([
    'skipped',
    expect.stringContaining(missing),
  ]);
});

it('verifies nothing without the keys', async () => {
  const { leg } = await examineFake({ ...base, tokens }, { jwks: { keys: [] } });
  expect([leg('keys').status, leg('sign_in').status]).toEqual(['fail', 'skipped']);
});
