import { expect, it } from '@jest/globals';
import { connectorsUrl, OrganizationDocument, type OrganizationDocumentInput } from './index.ts';

const OLDEST: OrganizationDocumentInput = {
  organization: { id: 'org_acme', status: 'active' },
  connectors: [
    {
      id: 'con_a',
      organization_id: 'org_acme',
      name: 'A',
      resource_url: 'https://tools.example',
      auth_method: 'id-jag',
      scopes: ['read'],
      secret: 'a-secret-value',
      secret_unreadable: false,
    },
  ],
  agents: [
    { id: 'agt_a', status: 'active', connectors: [{ connector_id: 'con_a', scopes: null, tools: null }] },
  ],
  removed_users: [],
};

it('is complete even if an older version omits later members', () => {
  const { organization, connectors, agents } = OrganizationDocument.parse(OLDEST);
  expect(organization).toEqual({ id: 'org_acme', status: 'active', plan: 'custom' });
  expect(connectors[0]).toMatchObject({ client_id: null, fallback: [], id_jag_used: false });
  expect(agents[0]?.connectors).toEqual([
    { connector_id: 'con_a', scopes: null, tools: null, approval: 'write' },
  ]);
});

it('takes an approval that only a newer version has for the strictest', () => {
  const binding = { connector_id: 'con_a', scopes: null, tools: null, approval: 'four-eyes' };
  const agents = [{ id: 'agt_a', status: 'active', connectors: [binding] }];
  expect(OrganizationDocument.parse({ ...OLDEST, agents }).agents[0]?.connectors[0]?.approval).toBe('always');
});

it('is found at a path in which the id is escaped', () => {
  expect(connectorsUrl('https://api.example', 'a/b')).toBe(
    'https://api.example/internal/v1/organizations/a%2Fb/connectors',
  );
});
