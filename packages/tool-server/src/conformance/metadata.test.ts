import { beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { createScene, RESOURCE, type Scene } from '../testing/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene({ name: 'Tools' });
});

it('publishes the protected resource metadata of the specification', async () => {
  const res = await request(scene.app).get('/.well-known/oauth-protected-resource');
  expect([res.status, res.body]).toEqual([
    200,
    {
      resource: RESOURCE,
      authorization_servers: [RESOURCE],
      scopes_supported: ['mcp:tools:read', 'mcp:tools:call'],
      bearer_methods_supported: ['header'],
      resource_name: 'Tools',
    },
  ]);
});

it('publishes authorization server metadata that lists its features, and not the trusted issuers', async () => {
  const res = await request(scene.app).get('/.well-known/oauth-authorization-server');
  expect(res.body).toMatchObject({
    issuer: RESOURCE,
    token_endpoint: `${RESOURCE}/oauth/token`,
    authorization_endpoint: `${RESOURCE}/oauth/authorize`,
    jwks_uri: `${RESOURCE}/.well-known/jwks.json`,
    response_types_supported: [],
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  });
  expect(res.text).not.toContain('4002');
});

it('publishes public keys only', async () => {
  const res = await request(scene.app).get('/.well-known/jwks.json');
  expect(res.body).toEqual({
    keys: [
      {
        ...{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' },
        ...{ kid: expect.any(String), x: expect.any(String), y: expect.any(String) },
      },
    ],
  });
});

const DOCUMENTS = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
];

it.each(DOCUMENTS)('lets pages of any origin read %s, and caches keep it', async (path) => {
  const res = await request(scene.app).get(path).set('Origin', 'https://anywhere.example');
  expect(res.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
    'content-type': expect.stringMatching(/^application\/json/),
  });
  const preflight = await request(scene.app).options(path).set({
    Origin: 'https://anywhere.example',
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'mcp-protocol-version',
  });
  expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([
    204,
    'mcp-protocol-version',
  ]);
});

it.each(DOCUMENTS)('takes GET and HEAD only at %s', async (path) => {
  expect((await request(scene.app).head(path)).status).toBe(200);
  const res = await request(scene.app).post(path).send({});
  expect([res.status, res.headers.allow, res.body]).toEqual([405, 'GET, HEAD', { error: 'invalid_request' }]);
});

it('serves the metadata of a resource with a path at the URLs of RFC 9728 and of the specification', async () => {
  const resource = 'https://tools.example/mcp-server';
  const { app } = await createScene({ resource });
  for (const path of [
    '/.well-known/oauth-protected-resource/mcp-server',
    '/.well-known/oauth-protected-resource',
  ])
    expect((await request(app).get(path)).body).toMatchObject({
      resource,
      authorization_servers: [resource],
    });
  const server = await request(app).get('/.well-known/oauth-authorization-server/mcp-server');
  expect(server.body).toMatchObject({ issuer: resource, token_endpoint: `${resource}/oauth/token` });
  expect((await request(app).post('/mcp-server/oauth/token').type('form').send('')).status).toBe(400);
  expect(
    (await request(app).post('/mcp').set('Host', 'tools.example')).headers['www-authenticate'],
  ).toContain('resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp-server"');
});

it('lets pages of other origins neither request a token nor redirect to the authorization endpoint', async () => {
  for (const path of ['/oauth/token', '/oauth/authorize']) {
    const res = await request(scene.app).post(path).set('Origin', 'https://anywhere.example');
    expect(res.headers['access-control-allow-origin']).toBeUndefined();
  }
});
