import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import type { NamedSettings } from '../domain/method-settings.ts';
import type { IdJagSettings } from '../methods/id-jag/settings.ts';

/** A caller, for tests. */
export const ALICE: Caller = {
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'token',
  subjectTokenId: 'hash-of-it',
  audiences: ['frontend-app'],
  authentication: { client: 'frontend-app' },
};

/** Returns a connector of Alice's organization with one method. */
export const connectorBy = <Settings extends NamedSettings>(
  settings: Settings,
  scopes: readonly string[] = ['read'],
): Connector<Settings> => ({
  id: ConnectorId.parse('con_tools'),
  organizationId: ALICE.organizationId,
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [settings],
  scopes,
});

export const ID_JAG: IdJagSettings = {
  method: 'id-jag',
  clientId: 'hub',
  clientAuth: { method: 'client_secret_post', clientSecret: 'a-secret' },
  issuer: undefined,
  audience: undefined,
};
