import { expect, it } from '@jest/globals';
import { proposeKind } from './index.ts';

const at = (origin: string, token: string, jwks: string) => ({
  issuer: origin,
  token_endpoint: origin.replace(/\/$/, '') + token,
  jwks_uri: origin.replace(/\/$/, '') + jwks,
});

it.each([
  ['okta', 'https://acme.example', '/oauth2/v1/token', '/oauth2/v1/keys'],
  ['okta', 'https://acme.example', '/oauth2/default/v1/token', '/oauth2/default/v1/keys'],
  ['pingfederate', 'https://sso.acme.example:9031', '/as/token.oauth2', '/pf/JWKS'],
  ['oracle', 'https://idcs.example', '/oauth2/v1/token', '/admin/v1/SigningCert/jwk'],
  ['janssen', 'https://jans.example', '/jans-auth/restv1/token', '/jans-auth/restv1/jwks'],
  ['gravitee', 'https://am.example', '/acme/oauth/token', '/acme/oidc/.well-known/jwks.json'],
  [
    'keycloak',
    'https://kc.example',
    '/realms/acme/protocol/openid-connect/token',
    '/realms/acme/protocol/openid-connect/certs',
  ],
  [
    'keycloak',
    'https://kc.example/auth',
    '/realms/acme/protocol/openid-connect/token',
    '/realms/acme/protocol/openid-connect/certs',
  ],
  [undefined, 'https://idp.example', '/oauth/token', '/.well-known/jwks.json'],
  ['auth0', 'https://login.acme.example/', '/oauth/token', '/.well-known/jwks.json'],
  ['entra', 'https://login.example', '/8eaf/oauth2/v2.0/token', '/8eaf/discovery/v2.0/keys'],
  ['google', 'https://www.example', '/token', '/oauth2/v3/certs'],
  ['workos', 'https://acme.example', '/oauth2/token', '/oauth2/jwks'],
  [undefined, 'https://idp.example', '/oauth/token', '/jwks'],
])('proposes %s for the endpoints at %s%s', (kind, origin, token, jwks) => {
  expect(proposeKind(at(origin, token, jwks))).toBe(kind);
});

it('proposes nothing for metadata without endpoints', () => {
  expect(proposeKind({ issuer: 'nonsense', token_endpoint: 'nonsense' })).toBeUndefined();
});
