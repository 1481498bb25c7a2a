import { expect, it } from '@jest/globals';
import type { IdpAccessTokenClaims } from '@legate/jwt';
import { holderOf } from './holder-of-token.ts';

const read = (claims: Record<string, unknown>) =>
  holderOf({ iss: 'https://idp.example', aud: 'https://api.example', ...claims } as IdpAccessTokenClaims);

it.each<[string, Record<string, unknown>]>([
  [
    'mock-idp and RFC 9068',
    { sub: 'terraform', client_id: 'terraform', jti: 'j', scope: 'sites:read', organization_id: 'org_acme' },
  ],
  ['Okta', { sub: '0oa1b2c3', cid: '0oa1b2c3', ver: 1, jti: 'AT.x', scp: ['sites:read'], uid: undefined }],
  [
    'Auth0',
    { sub: 'q1W2e3@clients', azp: 'q1W2e3', gty: 'client-credentials', scope: 'sites:read', org_id: 'org_1' },
  ],
  [
    'Entra ID',
    { sub: '5d4f…', oid: '5d4f…', azp: '1111', azpacr: '1', idtyp: 'app', roles: ['Sites.Read'], tid: 't' },
  ],
  [
    'Keycloak',
    {
      sub: 'f3b0c442-98fc',
      azp: 'terraform',
      client_id: 'terraform',
      preferred_username: 'service-account-terraform',
      acr: '1',
      email_verified: false,
      clientHost: '192.0.2.7',
    },
  ],
  ['WorkOS', { sub: 'client_01J', client_id: 'client_01J', org_id: 'org_01J' }],
])("recognizes a token that a client of %s got for itself as a machine's", (_provider, claims) => {
  expect(read(claims)).toBe('machine');
});

it.each<[string, Record<string, unknown>]>([
  ['mock-idp', { sub: 'user_alice', client_id: 'frontend-app', email: 'alice@acme.example' }],
  ['Okta', { sub: 'alice@acme.example', uid: '00u1', cid: '0oa1', auth_time: 1_790_000_000 }],
  ['Keycloak', { sub: 'f3b0', azp: 'app', acr: '1', preferred_username: 'alice', email: 'a@acme.example' }],
  ['a person whose client has their id', { sub: 'alice', client_id: 'alice', amr: ['pwd'] }],
])("recognizes a user's token of %s as a person's", (_provider, claims) => {
  expect(read(claims)).toBe('person');
});

it.each<[string, Record<string, unknown>]>([
  ['says nothing else of a user', { sub: 'user_alice', client_id: 'frontend-app' }],
  ['has another gty', { sub: 'q1W2e3@clients', azp: 'other', gty: 'client-credentials' }],
  [
    'has no client beside a name like that of a Keycloak client',
    { sub: 'x', preferred_username: 'service-account-x' },
  ],
  ['is of a user of Entra ID', { sub: 'x', azp: '1111', idtyp: 'user' }],
  ['names no client at all', { sub: 'user_alice' }],
])('returns undefined for a token that %s', (_case, claims) => {
  expect(read(claims)).toBeUndefined();
});
