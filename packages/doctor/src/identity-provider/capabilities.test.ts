import { expect, it } from '@jest/globals';
import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import { examineFake, METADATA, WITH_CLIENT } from './testing/fake-provider.ts';

const COMPLETE = {
  ...METADATA,
  grant_types_supported: Object.values(GRANT_TYPE),
  identity_chaining_requested_token_types_supported: [TOKEN_TYPE.idJag],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
  backchannel_logout_supported: true,
};

it('lists what the metadata list', async () => {
  const { leg } = await examineFake({}, { metadata: COMPLETE });
  expect(leg('capabilities')).toMatchObject({
    status: 'ok',
    detail: 'The metadata list what is needed.',
    evidence: { token_exchange: 'listed', id_jag: 'listed', pkce: 'listed', back_channel_logout: 'listed' },
  });
});

it('does not take silence for a refusal', async () => {
  const { leg } = await examineFake();
  expect(leg('capabilities')).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('which does not mean that the provider cannot'),
    evidence: { token_exchange: 'says nothing', id_jag: 'says nothing', back_channel_logout: 'says nothing' },
  });
});

it.each([
  ['generic', { grant_types_supported: ['authorization_code'] }, 'token_exchange'],
  ['generic', { identity_chaining_requested_token_types_supported: [TOKEN_TYPE.jwt] }, 'id_jag'],
  ['entra', { grant_types_supported: ['authorization_code'] }, 'jwt_bearer'],
  ['generic', { token_endpoint_auth_methods_supported: ['private_key_jwt'] }, 'client_secret_post'],
] as const)('warns if the list for %s does not have what is needed: %j', async (kind, members, missing) => {
  const { leg } = await examineFake(
    { ...WITH_CLIENT, kind, credentials: { method: 'client_secret_post', clientSecret: 'x' } },
    { metadata: { ...COMPLETE, ...members } },
  );
  expect(leg('capabilities')).toMatchObject({
    status: 'warn',
    detail: `The metadata do not list ${missing}.`,
  });
});

it('does not miss ID-JAGs at a kind that issues none', async () => {
  const metadata = { ...COMPLETE, identity_chaining_requested_token_types_supported: [] };
  const { leg } = await examineFake({ kind: 'keycloak' }, { metadata });
  expect(leg('capabilities').status).toBe('ok');
});
