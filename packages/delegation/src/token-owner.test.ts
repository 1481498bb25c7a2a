import { expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import type { Caller } from './domain/caller.ts';
import type { Connector } from './domain/connector.ts';
import { createOwnerOf } from './token-owner.ts';

const CALLER: Caller = {
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'the-id-token',
  subjectTokenId: 'hash-of-it',
  audiences: ['app'],
  authentication: { client: 'app' },
};
const CONNECTOR: Connector = {
  id: ConnectorId.parse('con_tools'),
  organizationId: OrganizationId.parse('org_acme'),
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [{ method: 'passthrough', acceptedAudiences: [] }],
  scopes: ['read'],
};
const ownerOf = createOwnerOf({ isOfAgent: false });
const registrationOf = (changes: Partial<Connector>) =>
  ownerOf(CALLER, { ...CONNECTOR, ...changes }).registration;

it('has the same registration for a connector that was read again', () => {
  expect(registrationOf({})).toBe(registrationOf({}));
  expect(registrationOf({ stepUpScopes: [] })).toBe(registrationOf({}));
});

it.each<[string, Partial<Connector>]>([
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
])('keeps no token over the registration of %s', (_case, changes) => {
  expect(registrationOf(changes)).not.toBe(registrationOf({}));
});
