import { describe, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import {
  AuthorizationServerMetadata,
  idJagServerMetadata,
  ProtectedResourceMetadata,
  protectedResourceMetadata,
} from './index.ts';

it('publishes the resource identifier as it is configured, and no empty list', () => {
  const resource = 'http://localhost:4003';
  expect(protectedResourceMetadata({ resource, authorizationServers: [resource], scopes: [] })).toEqual({
    resource,
    authorization_servers: [resource],
    bearer_methods_supported: ['header'],
  });
  const named = protectedResourceMetadata({
    resource,
    authorizationServers: [],
    scopes: ['a'],
    name: 'Tools',
  });
  expect(named).toMatchObject({ scopes_supported: ['a'], resource_name: 'Tools' });
  expect(ProtectedResourceMetadata.parse(named)).toEqual(named);
});

it('publishes metadata of a server that only redeems ID-JAGs in a form that strict clients accept', () => {
  const issuer = 'http://localhost:4003';
  const document = idJagServerMetadata({
    issuer,
    tokenEndpoint: `${issuer}/oauth/token`,
    authorizationEndpoint: `${issuer}/oauth/authorize`,
    jwksUri: `${issuer}/.well-known/jwks.json`,
    scopes: ['mcp:tools:read'],
    authMethods: ['client_secret_basic', 'client_secret_post'],
    authSigningAlgorithms: ['ES256'],
  });
  expect(AuthorizationServerMetadata.parse(document)).toEqual(document);
  expect(document).toMatchObject({
    issuer,
    scopes_supported: ['mcp:tools:read'],
    authorization_endpoint: `${issuer}/oauth/authorize`,
    response_types_supported: [],
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  });
});

it.each([
  ['resource', 'tools'],
  ['resource', undefined],
  ['authorization_servers', ['not a URL']],
  ['authorization_servers', 'https://as.example'],
])('refuses protected resource metadata whose %s is %j', (name, value) => {
  const good = { resource: 'https://tools.example', authorization_servers: ['https://tools.example'] };
  expect(ProtectedResourceMetadata.safeParse(good).success).toBe(true);
  expect(ProtectedResourceMetadata.safeParse({ ...good, [name]: value }).success).toBe(false);
});

it.each([
  ['issuer', 'as'],
  ['token_endpoint', undefined],
  ['token_endpoint', null],
])('refuses authorization server metadata whose %s is %j', (name, value) => {
  const good = { issuer: 'https://as.example', token_endpoint: 'https://as.example/token' };
  expect(AuthorizationServerMetadata.safeParse(good).success).toBe(true);
  expect(AuthorizationServerMetadata.safeParse({ ...good, [name]: value }).success).toBe(false);
});

describe('an optional member of metadata', () => {
  const server = { issuer: 'https://as.example', token_endpoint: 'https://as.example/token' };
  const resource = { resource: 'https://tools.example' };

  it.each<[string, unknown, unknown]>([
    ['jwks_uri', null, undefined],
    ['jwks_uri', '', undefined],
    ['jwks_uri', '/jwks', undefined],
    ['authorization_endpoint', 7, undefined],
    ['scopes_supported', null, undefined],
    ['scopes_supported', ['a', null, 7], ['a']],
    ['grant_types_supported', 'password', ['password']],
    ['token_endpoint_auth_methods_supported', {}, undefined],
  ])('is converted, or ignored if unreadable: %s of %j is %j', (name, value, read) => {
    expect(AuthorizationServerMetadata.parse({ ...server, [name]: value })[name]).toEqual(read);
  });

  it('never causes a document to be refused', () => {
    const names = [
      ...['jwks_uri', 'authorization_endpoint', 'grant_types_supported', 'scopes_supported'],
      ...['token_endpoint_auth_methods_supported', 'authorization_grant_profiles_supported'],
      ...['bearer_methods_supported', 'resource_documentation', 'op_policy_uri'],
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), (odd) => {
        expect(AuthorizationServerMetadata.safeParse({ ...odd, ...server }).success).toBe(true);
        expect(ProtectedResourceMetadata.safeParse({ ...odd, ...resource }).success).toBe(true);
      }),
      runs(1000),
    );
  });
});
