import { beforeEach, describe, expect, it } from '@jest/globals';
import { discoverUserAuthorization, type WhereToConsent } from './discover-user-authorization.ts';

const TOOLS = 'https://tools.example';
const AS = 'https://as.example';
const WHERE: WhereToConsent = {
  resource: TOOLS,
  issuer: AS,
  isPublicClient: false,
  clientDocument: undefined,
};

let resource: Record<string, unknown> | undefined;
let server: Record<string, unknown> | undefined;
/** The HTTP status for a missing document */
let missing: number;

beforeEach(() => {
  missing = 404;
  resource = { resource: TOOLS, authorization_servers: [AS], scopes_supported: ['read'] };
  server = {
    issuer: AS,
    token_endpoint: `${AS}/token`,
    authorization_endpoint: `${AS}/authorize`,
    code_challenge_methods_supported: ['S256'],
  };
});

const fetch: typeof globalThis.fetch = async (input) => {
  const document = String(input).includes('protected-resource') ? resource : server;
  return document ? Response.json(document) : new Response(null, { status: missing });
};
const discover = (change: Partial<WhereToConsent> = {}) =>
  discoverUserAuthorization({ ...WHERE, ...change }, fetch);
const at = (change: Record<string, unknown>, where: Partial<WhereToConsent> = {}) => {
  server = { ...server, ...change };
  return discover(where);
};

it('discovers the authorization server at which a user consents', async () => {
  expect(await discover()).toEqual({
    kind: 'found',
    authorization: {
      authMethods: ['client_secret_basic'],
      issuer: AS,
      authorizationEndpoint: `${AS}/authorize`,
      tokenEndpoint: `${AS}/token`,
      revocationEndpoint: undefined,
      sendsIssuer: false,
      scopesSupported: ['read'],
      hasOfflineAccess: false,
      maxAgeSeconds: 300,
    },
  });
});

it('discovers the optional features of a server', async () => {
  const found = await at({
    revocation_endpoint: `${AS}/revoke`,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: ['openid', 'offline_access'],
    response_types_supported: ['token', 'code'],
    grant_types_supported: ['implicit', 'authorization_code'],
    client_id_metadata_document_supported: 'perhaps',
  });
  expect(found).toMatchObject({
    kind: 'found',
    authorization: { revocationEndpoint: `${AS}/revoke`, sendsIssuer: true, hasOfflineAccess: true },
  });
});

describe('reports unsupported', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['without an authorization endpoint', { authorization_endpoint: undefined }, 'code grant'],
    ['without the response type', { response_types_supported: ['token'] }, 'code grant'],
    ['without the grant', { grant_types_supported: ['client_credentials'] }, 'code grant'],
    ['where nothing is said of PKCE', { code_challenge_methods_supported: undefined }, 'PKCE'],
    ['with plain PKCE only', { code_challenge_methods_supported: ['plain'] }, 'PKCE'],
  ])('%s', async (_case, change, reason) => {
    expect(await at(change)).toEqual({ kind: 'unsupported', reason: expect.stringContaining(reason) });
  });

  it('without metadata of the resource or of the server', async () => {
    server = undefined;
    expect((await discover()).kind).toBe('unsupported');
    resource = undefined;
    expect((await discover()).kind).toBe('unsupported');
  });
});

it('reports an outage while a document cannot be read', async () => {
  missing = 503;
  server = undefined;
  expect(await discover()).toMatchObject({ kind: 'unavailable', retryable: true });
  resource = undefined;
  expect(await discover()).toMatchObject({ kind: 'unavailable', retryable: true });
});

describe('rejects metadata', () => {
  it.each<[string, Record<string, unknown>]>([
    ['of the wrong type', { code_challenge_methods_supported: 'S256' }],
    ['of another issuer', { issuer: 'https://honest.example' }],
    ['of a revocation endpoint that is no URL', { revocation_endpoint: '/revoke' }],
    [
      'with an authorization endpoint of plain http',
      { authorization_endpoint: 'http://as.example/authorize' },
    ],
    ['with an authorization endpoint that runs a script', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('%s', async (_case, change) => {
    expect(await at(change)).toMatchObject({ kind: 'unusable' });
  });

  it('with a plain http URL unless the tool server uses plain http too, and always with a script URL', async () => {
    const plain = 'http://127.0.0.1:4003';
    resource = { ...resource, resource: plain };
    const change = { authorization_endpoint: 'http://127.0.0.1:4004/authorize' };
    expect(await at(change, { resource: plain })).toMatchObject({ kind: 'found' });
    const script = { authorization_endpoint: 'javascript:alert(1)' };
    expect(await at(script, { resource: plain })).toMatchObject({ kind: 'unusable' });
  });
});

it("uses the hub's document as client only if the server reads such documents", async () => {
  const where = { clientDocument: 'https://hub.example/oauth/clients/con_tools.json' };
  expect(await discover(where)).toMatchObject({ kind: 'unusable' });
  expect(await at({ client_id_metadata_document_supported: true }, where)).toMatchObject({ kind: 'found' });
});
