import { expect, it } from '@jest/globals';
import type { ConnectorClientAuth } from '../domain/method-settings.ts';
import type { UserAuthorization } from '../oauth-peers/discovery/discover-user-authorization.ts';
import { createAuthorizationClient, redeemRefreshToken, withAdvice } from './authorization-client.ts';

const AUTHORIZATION: UserAuthorization = {
  issuer: 'https://as.example',
  authorizationEndpoint: 'https://as.example/authorize',
  tokenEndpoint: 'https://as.example/token',
  authMethods: ['client_secret_post'],
  revocationEndpoint: undefined,
  sendsIssuer: false,
  scopesSupported: [],
  hasOfflineAccess: false,
  maxAgeSeconds: 300,
};

async function shown(clientAuth: ConnectorClientAuth | undefined, authMethods: readonly string[]) {
  let sent: RequestInit | undefined;
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    sent = init;
    return Response.json({ access_token: 'a', token_type: 'bearer' });
  };
  const own = { clientId: 'hub', clientAuth, issuer: undefined, isDocument: false };
  const client = await createAuthorizationClient({ ...AUTHORIZATION, authMethods }, own, fetch);
  await redeemRefreshToken(client, 'a-refresh-token', 'https://tools.example');
  const form = new URLSearchParams(String(sent?.body));
  return [new Headers(sent?.headers).get('authorization'), form.get('client_secret'), form.get('client_id')];
}

const BASIC = `Basic ${Buffer.from('hub:s').toString('base64')}`;
it.each<[string, ConnectorClientAuth['method'] | 'none', string[], (string | null)[]]>([
  ['as the metadata has it, by Basic', 'client_secret', ['client_secret_basic'], [BASIC, null, null]],
  ['as the metadata has it, in the body', 'client_secret', ['client_secret_post'], [null, 's', 'hub']],
  ['as configured', 'client_secret_basic', ['client_secret_post'], [BASIC, null, null]],
  ['by its name alone, where it has no secret', 'none', ['client_secret_basic'], [null, null, 'hub']],
])('authenticates %s', async (_case, method, authMethods, expected) => {
  const clientAuth =
    method === 'none' || method === 'private_key_jwt' ? undefined : { method, clientSecret: 's' };
  expect(await shown(clientAuth, authMethods)).toEqual(expected);
});

it('describes which settings to compare if the client itself is refused', () => {
  expect(withAdvice('invalid_client')).toBe(
    'invalid_client: compare client_id, secret and token_endpoint_auth_method of the connector with the registration there',
  );
  expect(withAdvice('invalid_grant')).toBe('invalid_grant');
});
