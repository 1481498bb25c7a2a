import { expect, it } from '@jest/globals';
import { isForbiddenAudience, type KindName } from './index.ts';

const ISSUER = 'https://acme.idp.example/';

it.each<[KindName, string, boolean]>([
  ['generic', 'https://tools.example/api', false],
  ['generic', 'https://acme.idp.example', true],
  ['generic', 'tool-hub', true],
  ['generic', 'TOOL-HUB', true],
  ['entra', 'https://graph.microsoft.com/', true],
  ['entra', 'HTTPS://Graph.Microsoft.com', true],
  ['entra', '00000003-0000-0000-C000-000000000000', true],
  ['entra', 'api://tools', false],
  ['entra', 'api://tool-hub', true],
  ['entra', 'api://tool-hub/access_as_user', true],
  ['entra', 'api://console', true],
  ['entra', 'https://graph.microsoft.com/v1.0', true],
  ['entra', 'https://outlook.office365.com', true],
  ['generic', 'https://HUB.example/', true],
  ['auth0', 'https://acme.idp.example/api/v2/', true],
  ['keycloak', 'realm-management', true],
  ['generic', 'realm-management', false],
])('for %s, refuses %s: %s', (kind, audience, expected) => {
  expect(
    isForbiddenAudience(audience, {
      kind,
      issuer: ISSUER,
      clientIds: ['tool-hub', 'console'],
      services: ['https://hub.example'],
    }),
  ).toBe(expected);
});
