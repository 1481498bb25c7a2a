import { expect, it } from '@jest/globals';
import { ConfigError } from '@legate/service';
import { readHubSettings } from './settings.ts';

const IDP = { IDP_ISSUER: 'https://idp.example', IDP_KIND: 'generic' } as const;
const ENV = { ...IDP, TOOL_HUB_URL: 'https://hub.example' };
const IDP_CLIENT = { IDP_CLIENT_ID: 'management-api', IDP_CLIENT_SECRET: 'a-secret-value' };

it('disables the hub without its URL', () => {
  expect(readHubSettings({ ...IDP, ...IDP_CLIENT })).toBeUndefined();
});

it('authenticates to the hub as the client of the service', () => {
  expect(readHubSettings({ ...ENV, ...IDP_CLIENT })).toEqual({
    url: 'https://hub.example',
    resource: 'https://hub.example',
    identity: {
      issuer: 'https://idp.example',
      clientId: 'management-api',
      credentials: { method: 'client_secret', clientSecret: 'a-secret-value' },
    },
  });
  const internal = { ...ENV, ...IDP_CLIENT, TRANSACTION_TOKEN_ISSUER: 'https://r' };
  expect(readHubSettings(internal)).toMatchObject({ url: 'https://hub.example', resource: 'https://r' });
});

it.each([{}, { IDP_CLIENT_ID: 'a' }, { IDP_CLIENT_SECRET: 'a-secret-value' }])(
  'refuses a hub without a client and its secret: %j',
  (clients) => {
    const read = () => readHubSettings({ ...ENV, ...clients });
    expect(read).toThrow(ConfigError);
    expect(read).not.toThrow('a-secret-value');
  },
);

const KEY = { kty: 'EC', kid: 'a', alg: 'ES256' };
it('signs assertions if the client has keys', () => {
  const client = { IDP_CLIENT_ID: 'management-api', IDP_CLIENT_KEYS: [KEY] };
  const env = { ...ENV, ...client, IDP_CLIENT_ASSERTION_AUDIENCE: 'token_endpoint' as const };
  expect(readHubSettings(env)?.identity.credentials).toEqual({
    method: 'private_key_jwt',
    privateJwk: KEY,
    assertionAudience: 'token_endpoint',
  });
  const ofKind = { ...ENV, ...client, IDP_KIND: 'okta' as const };
  expect(readHubSettings(ofKind)?.identity.credentials).toMatchObject({
    assertionAudience: 'token_endpoint',
  });
});
