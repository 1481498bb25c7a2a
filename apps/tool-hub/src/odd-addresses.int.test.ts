import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@legate/service';
import request from 'supertest';
import { createManagementApiRegistry } from './connectors/management-api-registry.ts';
import {
  connectorRecord,
  type FakeManagementApi,
  fetchOrganizationFrom,
  organizationDocument,
  startFakeManagementApi,
} from './testing/fake-management-api.ts';
import { answerMcp } from './testing/fake-mcp.ts';
import { sendJson, startServer, type TestServer } from './testing/http-server.ts';
import { createScene, type Scene } from './testing/scene.ts';

const log = createLogger({ service: 'tool-hub', level: 'silent' });

/** Unusual URLs of a tool server and its authorization server; paths are relative to the tool server's URL. */
interface Oddity {
  /** Path of its MCP endpoint, with query */
  readonly endpoint: string;
  /** Resource identifier of the tool server */
  readonly resource: string;
  /** The authorization server's URL in the metadata of the tool server, and the one that it uses itself */
  readonly listed?: string;
  readonly issuer?: string;
  /** How clients must authenticate, and which methods the metadata declares */
  readonly takes?: 'basic' | 'post';
  readonly authMethods?: unknown;
}

let api: FakeManagementApi;
let scene: Scene;
let app: ReturnType<Scene['replica']>;
let close: () => Promise<unknown>;
let server: TestServer;
let odd: Oddity;
let posted: string[];

beforeEach(async () => {
  posted = [];
  api = await startFakeManagementApi();
  scene = await createScene();
  const source = fetchOrganizationFrom(api);
  close = source.close;
  const { fetchOrganization } = source;
  const registry = createManagementApiRegistry({
    fetchOrganization,
    clock: scene.clock,
    log,
    onEvent: () => {},
  });
  app = scene.replica({ registry });
  server = await startServer((req, res, body) => {
    const { url } = server;
    res.setHeader('Date', scene.clock().toUTCString());
    if (req.url === odd.endpoint && req.method === 'POST') {
      posted.push(req.url);
      if (req.headers.authorization !== 'Bearer an-access-token')
        return sendJson(res, 401, {}, { 'WWW-Authenticate': 'Bearer' });
      const user = { sub: 'user_alice', scopes: [] };
      const message = JSON.parse(body);
      return answerMcp({ mode: 'modern', user, message, headers: req.headers, sessions: new Map() }, res);
    }
    if (req.url?.startsWith('/.well-known/oauth-protected-resource'))
      return sendJson(res, 200, {
        resource: `${url}${odd.resource}`,
        authorization_servers: [`${url}${odd.listed ?? ''}`],
      });
    if (req.url === '/.well-known/oauth-authorization-server')
      return sendJson(res, 200, {
        issuer: `${url}${odd.issuer ?? ''}`,
        token_endpoint: `${url}/token?tenant=a`,
        grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
        token_endpoint_auth_methods_supported: odd.authMethods,
      });
    if (req.url === '/token?tenant=a') {
      const form = new URLSearchParams(body);
      posted.push(`${form.get('client_secret') === null ? 'basic' : 'post'}`);
      const basic = `Basic ${Buffer.from('hub-at-server:hub-at-server-secret').toString('base64')}`;
      const way = req.headers.authorization === basic ? 'basic' : 'post';
      if (odd.takes !== undefined && odd.takes !== way)
        return sendJson(res, 401, { error: 'invalid_client' });
      return sendJson(res, 200, { access_token: 'an-access-token', token_type: 'Bearer', expires_in: 300 });
    }
    posted.push(`elsewhere: ${req.method} ${req.url}`);
    return sendJson(res, 404, {});
  });
});
afterEach(async () => {
  await Promise.all([close(), server.stop()]);
  await scene.stop();
  await api.stop();
});

/** Calls a tool of a connector whose record at the management API has these settings. */
async function call(settings: object, oddity: Oddity) {
  odd = oddity;
  const record = { ...connectorRecord('con_odd', server.url), token_endpoint_auth_method: null, ...settings };
  api.documents.set('org_acme', organizationDocument([record]));
  const { status, body } = await request(app)
    .post('/api/v1/connectors/con_odd/tools/whoami/call')
    .set('Authorization', `Bearer ${await scene.idTokenOf('user_alice')}`)
    .send({});
  return { status, asked: [...new Set(posted)], detail: String(body.detail).replaceAll(server.url, '') };
}
const at = (path: string) => `${server.url}${path}`;

describe('calls the tool server at its address, as written, and requests a token for it', () => {
  it.each(['/mcp?project=42', '/', '/http', '/mcp/', '/?key=a/mcp', '/v1/mcp/sse', '/a%2Fb'])(
    'with an address that is %s',
    async (path) => {
      const { status, asked } = await call({ resource_url: at(path) }, { endpoint: path, resource: path });
      expect([status, asked]).toEqual([200, ['basic', path]]);
      const [exchange] = scene.idp.exchanges;
      expect([exchange?.get('resource'), exchange?.get('audience')]).toEqual([at(path), at(path)]);
    },
  );

  it.each([
    ['/v1/?project=42', '/mcp'],
    ['/', ''],
    ['/http', '/resource?tenant=1'],
  ])('and at %s, with the resource identifier "%s"', async (endpoint, resource) => {
    const settings = { resource_url: at(resource), mcp_url: at(endpoint) };
    const { status, asked } = await call(settings, { endpoint, resource });
    expect([status, asked]).toEqual([200, ['basic', endpoint]]);
    expect(scene.idp.exchanges[0]?.get('resource')).toBe(at(resource));
  });

  it('and reports which address to enter, if its resource identifier is another one', async () => {
    const path = '/mcp?project=42';
    const { status, detail } = await call({ resource_url: at(path) }, { endpoint: path, resource: '/mcp' });
    expect([status, posted]).toEqual([502, []]);
    expect(detail).toContain(
      'metadata is for /mcp, and the connector for /mcp?project=42: if an administrator trusts it, they can set resource_url to the former, and mcp_url to the MCP endpoint',
    );
  });
});

describe('authenticates at the token endpoint', () => {
  const PLAIN = { endpoint: '/mcp', resource: '' };

  it.each<[string | null, 'basic' | 'post', unknown]>([
    [null, 'basic', ['client_secret_basic']],
    [null, 'basic', ['private_key_jwt', 'client_secret_basic']],
    [null, 'basic', undefined],
    [null, 'basic', null],
    [null, 'post', ['client_secret_post']],
    [null, 'post', ['client_secret_basic', 'client_secret_post']],
    ['client_secret_basic', 'basic', ['client_secret_post']],
    ['client_secret_post', 'post', undefined],
  ])('configured as %s by %s, with %j in the metadata', async (configured, takes, authMethods) => {
    const settings = { token_endpoint_auth_method: configured };
    const { status, asked } = await call(settings, { ...PLAIN, takes, authMethods });
    expect([status, asked[0]]).toEqual([200, takes]);
  });

  it('and reports, if refused, which method it used, and which ones the metadata contains', async () => {
    const settings = { token_endpoint_auth_method: 'client_secret_post' };
    const { detail } = await call(settings, {
      ...PLAIN,
      takes: 'basic',
      authMethods: ['client_secret_basic'],
    });
    expect(detail).toContain(
      'invalid_client, for a client that authenticated by client_secret_post; its metadata offers client_secret_basic.',
    );
  });
});

describe('an authorization server that is listed with a URL other than its own', () => {
  const PLAIN = { endpoint: '/mcp', resource: '' };

  it.each([
    ['/', ''],
    ['', '/'],
  ])('listed with "%s", spelled with "%s", is used if its own spelling is pinned', async (listed, issuer) => {
    const { status, asked } = await call({ issuer: at(issuer) }, { ...PLAIN, listed, issuer });
    expect([status, asked]).toEqual([200, ['basic', '/mcp']]);
  });

  it.each([
    ['/', '', undefined, 'its resource metadata lists as / calls itself : if'],
    ['/', '', '/', 'the connector pins as / calls itself : if'],
    ['', '/', '', 'the connector pins as  calls itself /: if'],
  ])('listed with "%s", spelled with "%s", is not used if "%s" is pinned', async (...row) => {
    const [listed, issuer, pinned, reason] = row;
    const settings = pinned === undefined ? {} : { issuer: at(pinned) };
    const { status, detail } = await call(settings, { ...PLAIN, listed, issuer });
    expect([status, posted, scene.idp.exchanges]).toEqual([502, [], []]);
    expect(detail).toContain(reason);
    expect(detail).toContain('they can pin the issuer on the connector in that spelling');
  });
});
