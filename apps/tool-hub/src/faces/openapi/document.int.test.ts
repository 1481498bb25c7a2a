import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Express } from 'express';
import request, { type Response, type Test } from 'supertest';
import { type AuthorizationScene, createAuthorizationScene } from '../../testing/authorization-scene.ts';
import { type ConnectScene, createConnectScene } from '../../testing/connect-scene.ts';
import { createScene, type Scene } from '../../testing/scene.ts';

interface Described {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly responses: Readonly<Record<string, object>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Described, 'method' | 'path'>>>>>;
}

let scene: Scene;
let authorization: AuthorizationScene;
let connect: ConnectScene;
let document: Document;
let operations: readonly Described[];
let ajv: Ajv2020;
beforeAll(async () => {
  [scene, authorization, connect] = await Promise.all([
    createScene(),
    createAuthorizationScene(),
    createConnectScene(),
  ]);
  document = await documentOf(authorization.app);
  operations = operationsOf(document);
  ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, validateFormats: true }));
  ajv.addSchema(document, 'hub');
});
afterAll(() => Promise.all([scene.stop(), authorization.stop(), connect.stop()]));

const documentOf = async (app: Express): Promise<Document> =>
  (await request(app).get('/api/v1/openapi.json')).body;

const operationsOf = ({ paths }: Document): Described[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );

it('is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone({ ...document }));
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
});

it('equals the document in the repository, which `npm run contract` writes', () => {
  const file = new URL('../../../../../packages/contract/documents/tool-hub.json', import.meta.url);
  if (process.env.WRITE_CONTRACT === 'true')
    writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(document);
});

it('describes exactly the routes that are mounted below /api/v1', async () => {
  const described = operations.map(({ method, path }) => `${method} ${path}`);
  expect(mountedRoutes(authorization.app).sort()).toEqual([...described].sort());
  const withoutClients = operationsOf(await documentOf(scene.app));
  expect(withoutClients).toHaveLength(operations.length - 2);
  expect(mountedRoutes(scene.app).sort()).toEqual(
    withoutClients.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

it('is served to anyone, without counting the request and with an ETag, and is read-only', async () => {
  const answer = await request(scene.app).get('/api/v1/openapi.json');
  expect([answer.status, answer.headers['x-ratelimit-limit']]).toEqual([200, undefined]);
  const again = await request(scene.app)
    .get('/api/v1/openapi.json')
    .set('If-None-Match', String(answer.headers.etag));
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await request(scene.app).post('/api/v1/openapi.json')).status).toBe(405);
});

/** One successful request for each operation, in an order in which each can succeed */
const successes = async (): Promise<readonly (readonly [operationId: string, Test])[]> => {
  const alice = await scene.idTokenOf('user_alice');
  const ask = (method: 'get' | 'post' | 'delete', path: string, app: Express = scene.app, token = alice) =>
    request(app)[method](`/api/v1${path}`).auth(token, { type: 'bearer' });
  const called = await ask('post', '/connectors/con_tools/tools/whoami/call');
  const { body } = await ask('post', '/sessions').send({});
  scene.clock.advanceSeconds(1);
  await ask('post', '/sessions').send({}); // the newest session is the first one in the list
  const sessions = await ask('get', '/sessions');
  const admin = await scene.idTokenOf('user_admin', { roles: ['admin'] });
  const user = await connect.idTokenOf('user_alice');
  await authorization.tokens();
  const ofClients = await authorization.idTokenOf('user_alice');
  const notes = '/connectors/con_notes/connections';
  return [
    ['listConnectors', ask('get', '/connectors?limit=1')],
    ['listTools', ask('get', '/connectors/con_tools/tools')],
    ['callTool', ask('post', '/connectors/con_tools/tools/whoami/call').send({ arguments: {} })],
    ['explainCall', ask('get', `/calls/${called.headers['legate-call-id']}/explanation`)],
    ['examineConnector', ask('post', '/connectors/con_tools/doctor')],
    [
      'examineAddress',
      ask('post', '/doctor', scene.app, admin).send({ resource_url: scene.toolServer.resource }),
    ],
    ['listConnections', ask('get', '/connections', connect.app, user)],
    ['getConnection', ask('get', notes, connect.app, user)],
    ['connectAccount', ask('post', notes, connect.app, user).send({ scopes: ['notes:read'] })],
    ['disconnectAccount', ask('delete', notes, connect.app, user)],
    ['listSessions', ask('get', '/sessions?limit=1')],
    ['endOneSession', ask('delete', `/sessions/${sessions.body.data[0].id}`)],
    ['openSession', ask('post', '/sessions').send({})],
    ['endSession', ask('delete', '/sessions/current', scene.app, body.session)],
    ['signOut', ask('delete', '/tokens')],
    ['listClients', ask('get', '/clients', authorization.app, ofClients)],
    ['removeClient', ask('delete', '/clients/agent', authorization.app, ofClients)],
    ['listRules', request(scene.app).get('/api/v1/rules')],
    ['getOpenApiDocument', request(scene.app).get('/api/v1/openapi.json')],
  ];
};

it('describes a successful response of each operation', async () => {
  const all = await successes();
  expect(all.map(([id]) => id).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  for (const [id, test] of all) {
    const answer = await test;
    expect([id, answer.status < 300, faultsOf(id, answer)]).toEqual([id, true, []]);
  }
});

it.each<[string, string, (token: string) => Test]>([
  ['no token', 'listConnectors', () => request(scene.app).get('/api/v1/connectors')],
  [
    'a bad query',
    'listConnectors',
    (token) => as(request(scene.app).get('/api/v1/connectors?limit=0'), token),
  ],
  [
    'no such connector',
    'listTools',
    (token) => as(request(scene.app).get('/api/v1/connectors/con_x/tools'), token),
  ],
  ['no such tool', 'callTool', (token) => call(token, 'no_such_tool')],
  ['wrong arguments', 'callTool', (token) => call(token, 'notes')],
  ['a bad body', 'callTool', (token) => call(token, 'whoami').send({ args: {} })],
  ['a failure of the tool server', 'callTool', (token) => call(token, 'broken')],
  ['no such agent', 'callTool', (token) => call(token, 'whoami').set('Legate-Agent-Id', 'agt_none')],
  [
    'no such call',
    'explainCall',
    (token) => as(request(scene.app).get('/api/v1/calls/evt_1/explanation'), token),
  ],
  [
    'a connector that needs no account',
    'connectAccount',
    (token) => as(request(scene.app).post('/api/v1/connectors/con_tools/connections'), token),
  ],
  [
    'no administrator',
    'examineAddress',
    (token) =>
      as(request(scene.app).post('/api/v1/doctor'), token).send({ resource_url: 'https://a.example' }),
  ],
  [
    'legs for someone without a role',
    'examineConnector',
    (token) => as(request(scene.app).post('/api/v1/connectors/con_tools/doctor'), token).send({ legs: true }),
  ],
  [
    'a session of nobody',
    'endOneSession',
    (token) => as(request(scene.app).delete('/api/v1/sessions/hse_none'), token),
  ],
  ['no session', 'endSession', (token) => as(request(scene.app).delete('/api/v1/sessions/current'), token)],
  [
    'no such client',
    'removeClient',
    (token) => as(request(authorization.app).delete('/api/v1/clients/nobody'), token),
  ],
  [
    'an account that is missing',
    'callTool',
    (token) => as(request(connect.app).post('/api/v1/connectors/con_notes/tools/whoami/call'), token),
  ],
])('describes the refusal of %s', async (_case, id, send) => {
  const owner =
    id === 'removeClient' ? authorization : _case === 'an account that is missing' ? connect : scene;
  scene.clock.advanceSeconds(10); // later than the sign-out above
  const answer = await send(await owner.idTokenOf('user_bob'));
  expect([answer.status >= 400, faultsOf(id, answer)]).toEqual([true, []]);
});

const as = (test: Test, token: string): Test => test.auth(token, { type: 'bearer' });
const call = (token: string, tool: string): Test =>
  as(request(scene.app).post(`/api/v1/connectors/con_tools/tools/${tool}/call`), token);

function operationOf(id: string): Described {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (!operation) throw new Error(`no operation ${id}`);
  return operation;
}

const at = (path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], document);

/** Compares a response with the document's description of its status: headers, media type and body. */
function faultsOf(id: string, { status, headers, text }: Response): string[] {
  const { method, path, responses } = operationOf(id);
  const response = responses[String(status)];
  const place =
    response && '$ref' in response
      ? String(response.$ref).slice('#/'.length).split('/')
      : ['paths', path, method, 'responses', String(status)];
  const described = at(place);
  if (!described) return [`status ${status} is not described: ${text}`];
  const { content, headers: declared = {} } = described as {
    content?: Record<string, unknown>;
    headers?: object;
  };
  const missing = Object.keys(declared).filter((name) => headers[name.toLowerCase()] === undefined);
  if (!content) return [...missing, ...(text === '' ? [] : ['a body is not described'])];
  const mediaType = String(headers['content-type']).split(';')[0] ?? '';
  if (!content[mediaType]) return [`media type ${mediaType} is not described`];
  const pointer = [...place, 'content', mediaType, 'schema'].map(toPointerSegment).join('/');
  const validate = ajv.compile({ $ref: `hub#/${pointer}` });
  return [
    ...missing,
    ...(validate(JSON.parse(text)) ? [] : [`${ajv.errorsText(validate.errors)} in ${text}`]),
  ];
}

const toPointerSegment = (text: string): string =>
  encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

interface Layer {
  readonly route?: { readonly path: string | readonly string[]; readonly stack: readonly Layer[] };
  readonly method?: string;
  readonly handle?: { readonly stack?: readonly Layer[] };
  match(path: string): boolean;
}

/** Returns method and path, as the document writes them, of all handlers that Express would call below `/api/v1`. */
function mountedRoutes(app: Express): string[] {
  const layers = app.router.stack as unknown as readonly Layer[];
  const routes = layers.flatMap((layer) => {
    const isOfApi = layer.match('/api/v1/any') && !layer.match('/any');
    const below = routesBelow([layer]);
    return isOfApi ? below : below.filter((route) => route.includes(' /api/v1'));
  });
  return [...new Set(routes.map((route) => route.replace(' /api/v1', ' ')))];
}

function routesBelow(stack: readonly Layer[]): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (!route) return routesBelow(handle?.stack ?? []);
    const methods = new Set(route.stack.flatMap(({ method }) => method ?? []));
    return [route.path].flat().flatMap((path) => [...methods].map((method) => `${method} ${braced(path)}`));
  });
}

const braced = (path: string): string =>
  path.replace(
    /:(\w+)/g,
    (_, name: string) => `{${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}}`,
  );
