import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/jwt';
import { endpointsOf } from '../metadata/endpoints.ts';
import { authInfoOf } from './auth-info.ts';

it('passes to the tools all claims of the access token about its user', () => {
  const endpoints = endpointsOf('https://tools.example');
  const info = authInfoOf(
    'the-token',
    {
      iss: 'https://tools.example',
      sub: UserId.parse('user_alice'),
      aud: 'https://tools.example',
      client_id: 'tool-hub',
      scope: 'notes:read notes:write',
      iat: 1000,
      exp: 4600,
      jti: 'id-of-it',
      idp: 'https://idp.example',
      tenant: 'tenant-1',
      organization_id: OrganizationId.parse('org_acme'),
      email: 'alice@acme.example',
      groups: ['finance'],
      roles: ['approver'],
      act: { sub: 'agt_support' },
    },
    4660,
    endpoints,
  );
  expect(info).toEqual({
    token: 'the-token',
    clientId: 'tool-hub',
    scopes: ['notes:read', 'notes:write'],
    expiresAt: 4660,
    resource: new URL('https://tools.example'),
    resourceMetadataUrl: endpoints.resourceMetadata,
    extra: {
      sub: 'user_alice',
      idp: 'https://idp.example',
      tenant: 'tenant-1',
      organizationId: 'org_acme',
      email: 'alice@acme.example',
      groups: ['finance'],
      roles: ['approver'],
      actor: { sub: 'agt_support' },
    },
  });
});
