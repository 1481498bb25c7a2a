import { beforeEach, describe, expect, it } from '@jest/globals';
import { discoverToolServer, type WhereToLook } from './discover-tool-server.ts';

const TOOLS = 'https://tools.example/mcp';
const AS = 'https://as.example';
const CONNECTOR: WhereToLook = { resource: TOOLS, issuer: AS, audience: undefined };
const RESOURCE_METADATA = 'https://tools.example/.well-known/oauth-protected-resource/mcp';
const SERVER_METADATA = 'https://as.example/.well-known/oauth-authorization-server';

/** The document at each URL; 404 for others. */
let documents: Map<string, unknown>;
let asked: string[];

const fetch: typeof globalThis.fetch = async (input) => {
  asked.push(String(input));
  const found = documents.get(String(input));
  if (found instanceof Error) throw found;
  if (found instanceof Response) return found;
  return found === undefined ? new Response(null, { status: 404 }) : Response.json(found);
};
const discover = (change: Partial<WhereToLook> = {}) =>
  discoverToolServer({ ...CONNECTOR, ...change }, fetch);

const resource = (change: object = {}) => ({
  resource: TOOLS,
  authorization_servers: [AS],
  scopes_supported: ['read'],
  ...change,
});
const server = (change: object = {}) => ({ issuer: AS, token_endpoint: `${AS}/token`, ...change });

beforeEach(() => {
  asked = [];
  documents = new Map<string, unknown>([
    [RESOURCE_METADATA, resource()],
    [SERVER_METADATA, server()],
  ]);
});

describe('discovers', () => {
  it('the token endpoint of the authorization server that the resource names', async () => {
    expect(await discover()).toEqual({
      kind: 'found',
      toolServer: {
        issuer: AS,
        tokenEndpoint: `${AS}/token`,
        authMethods: ['client_secret_basic'],
        audience: TOOLS,
        scopesSupported: ['read'],
        maxAgeSeconds: 300,
      },
    });
  });

  it('the metadata of a resource with a query, which the well-known URL keeps', async () => {
    documents.delete(RESOURCE_METADATA);
    documents.set(`${RESOURCE_METADATA}?tenant=1`, resource({ resource: `${TOOLS}?tenant=1` }));
    expect(await discover({ resource: `${TOOLS}?tenant=1` })).toMatchObject({ kind: 'found' });
  });

  it.each<[string, object, Partial<WhereToLook>, string]>([
    ['the resource, where the server does not know the profile of ID-JAGs', {}, {}, TOOLS],
    [
      'the issuer, where the server knows it',
      { authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'] },
      {},
      AS,
    ],
    ['what the connector has', {}, { audience: 'https://audience.example' }, 'https://audience.example'],
  ])('as audience %s', async (_case, change, connector, audience) => {
    documents.set(SERVER_METADATA, server(change));
    expect(await discover(connector)).toMatchObject({ kind: 'found', toolServer: { audience } });
  });

  it('metadata at the root of the host, if there is none for the path', async () => {
    documents.delete(RESOURCE_METADATA);
    documents.set('https://tools.example/.well-known/oauth-protected-resource', resource());
    expect(await discover()).toMatchObject({ kind: 'found' });
    expect(asked.slice(0, 2)).toEqual([
      RESOURCE_METADATA,
      'https://tools.example/.well-known/oauth-protected-resource',
    ]);
  });

  it('metadata of an issuer with a path at each URL that MCP names', async () => {
    const issuer = 'https://as.example/tenant';
    documents.set(RESOURCE_METADATA, resource({ authorization_servers: [issuer] }));
    documents.set(`${issuer}/.well-known/openid-configuration`, server({ issuer }));
    expect(await discover({ issuer })).toMatchObject({ kind: 'found' });
    expect(asked.slice(1)).toEqual([
      'https://as.example/.well-known/oauth-authorization-server/tenant',
      'https://as.example/.well-known/openid-configuration/tenant',
      'https://as.example/tenant/.well-known/openid-configuration',
    ]);
  });

  it('the fixed path at a tool server that is its own authorization server without metadata', async () => {
    documents.set(RESOURCE_METADATA, resource({ authorization_servers: [TOOLS] }));
    expect(await discover({ issuer: undefined })).toMatchObject({
      kind: 'found',
      toolServer: {
        issuer: TOOLS,
        tokenEndpoint: `${TOOLS}/oauth/token`,
        audience: TOOLS,
        maxAgeSeconds: 300,
      },
    });
  });

  it('the fixed path below an address with a query, which is kept after the path', async () => {
    const address = `${TOOLS}?project=42`;
    documents.set(
      `${RESOURCE_METADATA}?project=42`,
      resource({ resource: address, authorization_servers: [address] }),
    );
    expect(await discover({ resource: address, issuer: undefined })).toMatchObject({
      toolServer: {
        tokenEndpoint: `${TOOLS}/oauth/token?project=42`,
        authMethods: undefined,
        audience: address,
      },
    });
  });

  it.each<[unknown, readonly string[]]>([
    [
      ['client_secret_post', 'none'],
      ['client_secret_post', 'none'],
    ],
    [undefined, ['client_secret_basic']],
    [null, ['client_secret_basic']],
    [[], ['client_secret_basic']],
    [7, ['client_secret_basic']],
    ['client_secret_post', ['client_secret_post']],
  ])('how clients authenticate, if the metadata lists %j', async (methods, authMethods) => {
    documents.set(SERVER_METADATA, server({ token_endpoint_auth_methods_supported: methods }));
    expect(await discover()).toMatchObject({ toolServer: { authMethods } });
  });

  it.each([
    ['a slash more', `${AS}/`, AS],
    ['a slash less', AS, `${AS}/`],
    ['upper case', 'https://AS.EXAMPLE', AS],
    ['the default port', 'https://as.example:443', AS],
  ])(
    'a pinned issuer that the resource lists with %s, if the server spells itself as pinned',
    async (...row) => {
      const [, listed, pinned] = row;
      documents.set(RESOURCE_METADATA, resource({ authorization_servers: [listed] }));
      documents.set(SERVER_METADATA, server({ issuer: pinned }));
      expect(await discover({ issuer: pinned })).toMatchObject({
        kind: 'found',
        toolServer: { issuer: pinned },
      });
    },
  );

  it('the shorter of two cache times', async () => {
    const aged = (document: object, seconds: number) =>
      Response.json(document, { headers: { 'Cache-Control': `max-age=${seconds}` } });
    documents.set(RESOURCE_METADATA, aged(resource(), 120));
    documents.set(SERVER_METADATA, aged(server(), 90));
    expect(await discover()).toMatchObject({ toolServer: { maxAgeSeconds: 90 } });
  });
});

describe('reports unsupported', () => {
  it.each<[string, () => void, string]>([
    [
      'without protected resource metadata',
      () => documents.delete(RESOURCE_METADATA),
      'no protected resource metadata',
    ],
    [
      'without metadata of a server elsewhere',
      () => documents.delete(SERVER_METADATA),
      'publishes no metadata',
    ],
    [
      'without the JWT bearer grant',
      () => documents.set(SERVER_METADATA, server({ grant_types_supported: ['authorization_code'] })),
      'does not offer the JWT bearer grant',
    ],
  ])('%s', async (_case, arrange, reason) => {
    arrange();
    expect(await discover()).toEqual({ kind: 'unsupported', reason: expect.stringContaining(reason) });
  });

  it('not if the JWT bearer grant is one of several', async () => {
    const grants = ['authorization_code', 'urn:ietf:params:oauth:grant-type:jwt-bearer'];
    documents.set(SERVER_METADATA, server({ grant_types_supported: grants }));
    expect(await discover()).toMatchObject({ kind: 'found' });
  });
});

describe('rejects metadata', () => {
  it.each<[string, string, unknown]>([
    ['about another resource', RESOURCE_METADATA, resource({ resource: 'https://evil.example' })],
    ['about a resource with another path', RESOURCE_METADATA, resource({ resource: `${TOOLS}/` })],
    ['of the wrong type', RESOURCE_METADATA, resource({ authorization_servers: AS })],
    ['that is not JSON', RESOURCE_METADATA, new Response('<html>')],
    ['of a server that names another issuer', SERVER_METADATA, server({ issuer: 'https://honest.example' })],
    ['of a server whose issuer has a slash more', SERVER_METADATA, server({ issuer: `${AS}/` })],
    ['of a server without a token endpoint', SERVER_METADATA, server({ token_endpoint: undefined })],
  ])('%s', async (_case, url, document) => {
    documents.set(url, document);
    expect(await discover()).toMatchObject({ kind: 'unusable' });
  });

  it.each<[string, string[], string | undefined, string, string]>([
    ['the pinned one', [`${AS}/`], `${AS}/`, AS, `the connector pins as ${AS}/ calls itself ${AS}: if`],
    [
      'its own one, which nobody pinned',
      ['https://tools.example/'],
      undefined,
      'https://tools.example',
      'metadata lists as https://tools.example/ calls itself https://tools.example: if',
    ],
    [
      'an honest one',
      [AS],
      AS,
      'https://honest.example',
      'metadata of another issuer, https://honest.example, which',
    ],
  ])(
    'of a server whose issuer is spelled differently from %s, and reports both spellings',
    async (...row) => {
      const [, listed, issuer, said, reason] = row;
      documents.set(RESOURCE_METADATA, resource({ authorization_servers: listed }));
      documents.set(SERVER_METADATA, server({ issuer: said }));
      documents.set('https://tools.example/.well-known/oauth-authorization-server', server({ issuer: said }));
      expect(await discover({ issuer })).toEqual({
        kind: 'unusable',
        reason: expect.stringContaining(reason),
      });
    },
  );

  it('that refers to a server other than the pinned one, whatever its spelling', async () => {
    documents.set(RESOURCE_METADATA, resource({ authorization_servers: ['https://evil.example/'] }));
    documents.set('https://evil.example/.well-known/oauth-authorization-server', server());
    const reason =
      'its resource metadata does not list the issuer that the connector pins, but https://evil.example/';
    expect(await discover()).toEqual({ kind: 'unusable', reason });
    expect(asked).toEqual([RESOURCE_METADATA]);
  });

  it('accepts a slash after a bare origin', async () => {
    documents.set('https://tools.example/.well-known/oauth-protected-resource', {
      ...resource(),
      resource: 'https://tools.example/',
    });
    expect(await discover({ resource: 'https://tools.example' })).toMatchObject({ kind: 'found' });
  });
});

it.each<[string, string, unknown, string]>([
  [
    'a resource that is missing',
    RESOURCE_METADATA,
    resource({ resource: undefined }),
    '"resource" is missing',
  ],
  [
    'servers that are no list',
    RESOURCE_METADATA,
    resource({ authorization_servers: AS }),
    '"authorization_servers" is an unusable text',
  ],
  [
    'a server that is no URL',
    RESOURCE_METADATA,
    resource({ authorization_servers: [7] }),
    '"authorization_servers.0" is a number',
  ],
  ['no token endpoint', SERVER_METADATA, server({ token_endpoint: null }), '"token_endpoint" is null'],
  ['no issuer', SERVER_METADATA, server({ issuer: undefined }), '"issuer" is missing'],
])('reports document and member if it has %s', async (_case, url, document, fault) => {
  documents.set(url, document);
  expect(await discover()).toEqual({
    kind: 'unusable',
    reason: expect.stringContaining(`${url} is malformed: ${fault}`),
  });
});

it('reports metadata at a forbidden address as unusable', async () => {
  documents.set(RESOURCE_METADATA, Object.assign(new Error('no'), { code: 'ERR_FORBIDDEN_ADDRESS' }));
  expect(await discover()).toEqual({ kind: 'unusable', reason: expect.stringMatching(/^metadata: /) });
});

describe('is an outage, and never reported as absent', () => {
  it.each<[string, unknown, boolean]>([
    ['a status of 500', new Response(null, { status: 500 }), true],
    ['a status of 403 at one place', new Response(null, { status: 403 }), false],
    ['a status of 429', new Response(null, { status: 429 }), false],
    ['a status of 204', new Response(null, { status: 204 }), false],
  ])('for %s', async (_case, answer, retryable) => {
    documents.set(RESOURCE_METADATA, answer);
    expect(await discover()).toMatchObject({ kind: 'unavailable', retryable });
  });

  it('for a server that cannot be read', async () => {
    documents.set(SERVER_METADATA, new Response(null, { status: 503, headers: { 'Retry-After': '7' } }));
    expect(await discover()).toMatchObject({ kind: 'unavailable', retryable: true, retryAfterSeconds: 7 });
  });

  it('treats 410 as absent, like 404', async () => {
    documents.set(RESOURCE_METADATA, new Response(null, { status: 410 }));
    expect(await discover()).toMatchObject({ kind: 'unsupported' });
  });

  it('finds the document at the next URL if the first is forbidden', async () => {
    documents.set(RESOURCE_METADATA, new Response(null, { status: 401 }));
    documents.set('https://tools.example/.well-known/oauth-protected-resource', resource());
    expect(await discover()).toMatchObject({ kind: 'found' });
  });
});

it('does not contact an authorization server that the resource does not list, or that is elsewhere and not pinned', async () => {
  documents.set(RESOURCE_METADATA, resource({ authorization_servers: ['https://other.example', AS] }));
  expect(await discover()).toMatchObject({ kind: 'found', toolServer: { issuer: AS } });
  asked = [];
  expect(await discover({ issuer: undefined })).toMatchObject({ kind: 'unusable' });
  expect(await discover({ issuer: 'https://evil.example' })).toMatchObject({ kind: 'unusable' });
  expect(asked).toEqual([RESOURCE_METADATA, RESOURCE_METADATA]);
});
