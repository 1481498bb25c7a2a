import { hash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import type { Caller } from './domain/caller.ts';
import type { ServedConnector } from './methods/settings.ts';
import { createOwnerOf } from './token-owner.ts';

const CALLER: Caller = {
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'the-id-token',
  subjectTokenId: 'hash-of-it',
  audiences: ['app'],
  authentication: { client: 'app' },
};
const CONNECTOR: ServedConnector = {
  id: ConnectorId.parse('con_tools'),
  organizationId: OrganizationId.parse('org_acme'),
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [{ method: 'passthrough', acceptedAudiences: [] }],
  scopes: ['read'],
};
const ownerOf = createOwnerOf({ isOfAgent: false });
const registrationOf = (changes: Partial<ServedConnector>) =>
  ownerOf(CALLER, { ...CONNECTOR, ...changes }).registration;

it('has the same registration for a connector that was read again', () => {
  expect(registrationOf({})).toBe(registrationOf({}));
  expect(registrationOf({ stepUpScopes: [] })).toBe(registrationOf({}));
});

it.each<[string, Partial<ServedConnector>]>([
  ['another resource', { resource: 'https://other.example' }],
  ['fewer scopes', { scopes: [] }],
  ['other scopes for stronger tools', { stepUpScopes: ['write'] }],
  [
    'another client at the tool server',
    {
      methods: [
        {
          method: 'id-jag',
          clientId: 'hub-at-tools',
          clientAuth: { method: 'client_secret_post', clientSecret: 'a-secret' },
          issuer: undefined,
          audience: undefined,
        },
      ],
    },
  ],
])('has another registration for %s', (_case, changes) => {
  expect(registrationOf(changes)).not.toBe(registrationOf({}));
});

it('has a registration with the client of each method in a stable form, because cached tokens are found by it', () => {
  const client = { clientId: 'hub-at-tools', clientAuth: undefined, issuer: 'https://as.example' };
  const methods: ServedConnector['methods'] = [
    {
      ...{ method: 'id-jag', clientId: 'hub-at-tools', issuer: undefined, audience: 'tools' },
      clientAuth: { method: 'client_secret', clientSecret: 'a-secret' },
    },
    { method: 'oauth-pkce', ...client },
    { method: 'passthrough', acceptedAudiences: ['app'] },
    { method: 'service', key: { kind: 'api_key', header: 'x-key', value: 'a-key' } },
  ];
  const clients = [
    ['id-jag', 'hub-at-tools', null, 'tools'],
    ['oauth-pkce', 'hub-at-tools', 'https://as.example'],
    ['passthrough'],
    ['service'],
  ];
  const parts = JSON.stringify([CONNECTOR.resource, ['read'], [], clients]);
  expect(registrationOf({ methods })).toBe(hash('sha256', parts, 'base64url'));
});
