import { describe, expect, it } from '@jest/globals';
import { generateEncryptionKeys } from '@legate/secure-store';
import { createTestClock } from '@legate/service/testing';
import { createDynamicClients } from './dynamic-clients.ts';

const clock = createTestClock();
const open = (keys = generateEncryptionKeys()) =>
  createDynamicClients({ keys, nativePrefixes: ['cursor://anysphere.cursor-mcp/oauth/'], clock });
const clients = open();
const METADATA = {
  client_name: 'A client',
  redirect_uris: [
    'http://localhost:7777/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://x/y',
  ],
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
};
const register = (metadata: unknown = METADATA) => {
  const registration = clients.register(metadata);
  if (registration.kind === 'refused') throw new Error(registration.error);
  return registration.response;
};
const idOf = (response: object) => ('client_id' in response ? String(response.client_id) : '');

it('registers a public client with the members that this server uses', () => {
  expect(register()).toEqual({
    client_id: expect.stringMatching(/^lcd_[\w-]+$/),
    client_id_issued_at: Math.floor(clock().getTime() / 1000),
    client_name: 'A client',
    redirect_uris: ['http://localhost:7777/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
});

it('finds a client by its id alone', () => {
  expect(clients.find(idOf(register()))).toMatchObject({
    name: 'A client',
    redirectUris: ['http://localhost:7777/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'],
    vouchedBy: { kind: 'nobody' },
    isPublic: true,
  });
});

it('does not accept redirect URIs of a client that the operator no longer allows', () => {
  const keys = generateEncryptionKeys();
  const wide = createDynamicClients({ keys, nativePrefixes: ['cursor://anysphere.cursor-deeplink'], clock });
  const registered = (uris: string[]) => {
    const registration = wide.register({ redirect_uris: uris });
    return registration.kind === 'registered' ? idOf(registration.response) : '';
  };
  const link = 'cursor://anysphere.cursor-deeplink/mcp/install';
  expect(open(keys).find(registered([link]))).toBeUndefined();
  expect(open(keys).find(registered([link, 'http://localhost/']))?.redirectUris).toEqual([
    'http://localhost/',
  ]);
});

it('registers a client without a name', () => {
  expect(clients.find(idOf(register({ ...METADATA, client_name: '\u202e\n' })))?.name).toBeUndefined();
});

it.each<[string, unknown, string]>([
  ['no redirect URIs', { client_name: 'x' }, 'invalid_redirect_uri'],
  ['an empty list', { redirect_uris: [] }, 'invalid_redirect_uri'],
  ['useless ones only', { redirect_uris: ['http://agent.example/'] }, 'invalid_redirect_uri'],
  ['a number among them', { redirect_uris: [1] }, 'invalid_redirect_uri'],
  ['too many', { redirect_uris: Array(21).fill('cursor://x') }, 'invalid_redirect_uri'],
  ['a list', [], 'invalid_client_metadata'],
  ['nothing', undefined, 'invalid_client_metadata'],
  [
    'more than an id can carry',
    {
      redirect_uris: Array.from(
        { length: 20 },
        (_, i) => `cursor://anysphere.cursor-mcp/oauth/${i}/${'x'.repeat(100)}`,
      ),
    },
    'invalid_client_metadata',
  ],
])('refuses %s', (_case, metadata, error) => {
  expect(clients.register(metadata)).toEqual({ kind: 'refused', error });
});

describe('an id', () => {
  it.each<[string, (id: string) => string]>([
    ['of another installation', () => idOf(registerElsewhere())],
    ['with a character changed', (id) => id.slice(0, -6) + (id.at(-6) === 'A' ? 'B' : 'A') + id.slice(-5)],
    ['with something behind it', (id) => `${id}!`],
    ['in another spelling', (id) => `${id}=`],
    ['without its end', (id) => id.slice(0, -4)],
    ['with nothing sealed in it', () => 'lcd_'],
    ['of another form', () => 'https://agent.example/client.json'],
  ])('%s is unknown', (_case, change) => {
    expect(clients.find(change(idOf(register())))).toBeUndefined();
  });
});

function registerElsewhere(): object {
  const registration = open().register(METADATA);
  return registration.kind === 'registered' ? registration.response : {};
}
