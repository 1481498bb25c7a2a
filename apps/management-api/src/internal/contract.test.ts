import { expect, it } from '@jest/globals';
import { OrganizationDocument } from '@legate/management-contract';
import { PutAgentConnector } from '../catalog/bindings/agent-connector.ts';
import { CreateConnector } from '../catalog/connectors/connector.ts';
import { ClientId } from '../people/consents/consent.ts';

const distinct = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index}-`.padEnd(length, 'x'));
const url = (length: number): string => 'https://tools.example/'.padEnd(length, 'x');

it('accepts no connector or binding that is too large for the hub', () => {
  const { secret, fallback_secret, enabled, ...settings } = CreateConnector.parse({
    name: 'x'.repeat(100),
    resource_url: url(2048),
    mcp_url: url(2048),
    auth_method: 'id-jag',
    service_kind: 'api_key',
    scopes: distinct(100, 255),
    step_up_scopes: distinct(100, 255),
    client_id: 'x'.repeat(255),
    token_endpoint_auth_method: 'client_secret_post',
    issuer: url(2048),
    audience: 'x'.repeat(2048),
    fallback: ['oauth-pkce', 'service', 'passthrough'],
    passthrough_audiences: distinct(20, 2048),
    api_key_header: 'x'.repeat(64),
    acknowledge_legacy: true,
    secret: 'x'.repeat(16_384),
    fallback_secret: 'x'.repeat(16_384),
  });
  const binding = PutAgentConnector.parse({ scopes: distinct(100, 255), tools: distinct(200, 128) });
  const connector = { ...settings, id: 'con_a', organization_id: 'org_acme', secret, fallback_secret };
  const document = {
    organization: {
      id: 'org_acme',
      status: 'active',
      plan: 'custom',
      requests_per_minute: 1,
      agent_policy: 'any',
    },
    connectors: [{ ...connector, secret_unreadable: false, fallback_secret_unreadable: false }],
    agents: [{ id: 'agt_a', status: 'draft', connectors: [{ ...binding, connector_id: 'con_a' }] }],
    removed_users: ['x'.repeat(255)],
    denied_clients: [{ user_id: 'x'.repeat(255), client_id: ClientId.parse('x'.repeat(255)) }],
    agent_clients: [{ client_id: 'https://editor.example/client.json', agent_id: 'agt_a' }],
  };
  expect(OrganizationDocument.safeParse(document).error).toBeUndefined();
});
