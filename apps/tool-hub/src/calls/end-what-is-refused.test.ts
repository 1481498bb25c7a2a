import { expect, it } from '@jest/globals';
import type { Refusal } from '@legate/delegation';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import { endWhatIsRefused } from './end-what-is-refused.ts';

const CALLER: Caller = {
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'an-id-token',
  subjectTokenId: 'hash-of-it',
  audiences: ['frontend-app'],
  authentication: { client: 'frontend-app' },
  session: { key: 'a-session' },
};
const CONNECTOR: Connector = {
  id: ConnectorId.parse('con_a'),
  organizationId: OrganizationId.parse('org_acme'),
  name: 'A',
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [{ method: 'passthrough', acceptedAudiences: [] }],
  scopes: [],
};

it.each<[string, Refusal, boolean]>([
  ['an ID token that is no longer taken', { outcome: 'expired', reason: 'invalid_grant' }, true],
  ['a sign-in that is too weak', { outcome: 'expired', reason: 'weak', acrValues: 'mfa' }, false],
  ['a sign-in that is too old', { outcome: 'expired', reason: 'old', maxAge: 60 }, false],
  [
    'an account that must be connected',
    { outcome: 'expired', reason: 'none', connect: { scopes: [] } },
    false,
  ],
  ['a denial', { outcome: 'denied', by: 'idp', scopes: [], reason: 'access_denied' }, false],
])('%s ends the session only where it is the sign-in that is over', async (_case, refusal, isEnded) => {
  const ended: string[] = [];
  const delegations = endWhatIsRefused(
    { obtain: async () => refusal, signOut: async () => undefined },
    {
      endIfRefused: async ({ key }) => {
        ended.push(key);
      },
    },
  );
  expect(await delegations.obtain(CALLER, CONNECTOR, { scopes: [] })).toBe(refusal);
  expect(ended).toHaveLength(isEnded ? 1 : 0);
});
