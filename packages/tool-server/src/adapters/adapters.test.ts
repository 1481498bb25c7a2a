import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  encode,
  type Form,
  HUB,
  ISSUER,
  JWT_BEARER,
  openScene,
  RESOURCE,
  SECOND,
} from '@legate/tool-server-testing';
import { createToolServer, type ToolServer, type ToolServerOptions } from '../index.ts';
import { type RunningServer, SERVERS } from '../testing/servers.ts';

const FORM = 'application/x-www-form-urlencoded';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let logged: [object, string][] = [];
const write = (fields: object, message: string) => void logged.push([fields, message]);
const log = { info() {}, warn() {}, error: write };

/** Settings of a server, with its clock, identity provider and assertions. */
const scene = await openScene(async () => ({ app: (() => {}) as never }));
type Scene = typeof scene;

/** A server with these settings and its own store. */
const create = (change: Partial<ToolServerOptions> = {}): Promise<ToolServer> =>
  createToolServer({
    ...{ resource: RESOURCE, trustedIssuers: [ISSUER], scopes: ['mcp:tools:read', 'mcp:tools:call'], log },
    clients: [HUB, SECOND].map(({ client_id, client_secret }) => ({
      clientId: client_id,
      secret: client_secret,
    })),
    ...{ signingKeys: scene.signingKeys, clock: scene.clock, fetch: scene.fetch },
    ...change,
  });

const token = (form: Form | string, headers: Record<string, string> = {}): Sent => ({
  method: 'POST',
  path: '/oauth/token',
  headers: { 'content-type': FORM, ...headers },
  body: typeof form === 'string' ? form : encode(form),
});
const bare = (method: string, path: string, headers: Record<string, string> = {}): Sent => ({
  method,
  path,
  headers,
});
const gate = (authorization: string | undefined, path = '/mcp'): Sent =>
  bare('POST', path, authorization === undefined ? {} : { authorization });
const page = (origin: string, authorization?: string): Sent => {
  const sent = gate(authorization);
  return { ...sent, headers: { ...sent.headers, origin } };
};
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

/** Requests by name; a function gets the scene. If a case sends two requests, both responses are compared. */
type Case = (scene: Scene) => Sent | readonly Sent[] | Promise<Sent | readonly Sent[]>;
const redeem = async (scene: Scene, form: Form = {}, claims = {}): Promise<Form> => ({
  ...{ grant_type: JWT_BEARER, assertion: await scene.idJag(claims), ...HUB, ...form },
});

const DOCUMENTS = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
];
const PREFLIGHT = {
  origin: 'https://anywhere.example',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'mcp-protocol-version',
};

const CASES: Readonly<Record<string, Case>> = {
  'a good assertion': async (scene) => token(await redeem(scene)),
  'a good assertion, with Basic': async (scene) =>
    token(
      await redeem(scene, { client_id: undefined, client_secret: undefined }),
      basic(HUB.client_id, HUB.client_secret),
    ),
  'a scope of it': async (scene) => token(await redeem(scene, { scope: 'mcp:tools:read' })),
  'our resource, twice': async (scene) => token(await redeem(scene, { resource: [RESOURCE, RESOURCE] })),
  'a good assertion, twice': async (scene) => {
    const once = token(await redeem(scene));
    return [once, once];
  },
  'an assertion for another server': async (scene) =>
    token(await redeem(scene, {}, { aud: 'https://x.example' })),
  'an expired assertion': async (scene) => token(await redeem(scene, {}, { exp: 1 })),
  'an assertion of an issuer that is not trusted': async (scene) =>
    token(await redeem(scene, {}, { iss: 'https://evil.example' })),
  'an assertion of another client': async (scene) => token(await redeem(scene, SECOND)),
  'no JWT': (scene) => redeem(scene, { assertion: 'x' }).then(token),
  'a scope that is not granted': (scene) => redeem(scene, { scope: 'admin' }).then(token),
  'another resource': (scene) => redeem(scene, { resource: 'https://x.example' }).then(token),
  'a wrong secret': (scene) => redeem(scene, { client_secret: 'wrong' }).then(token),
  'a wrong secret, with Basic': () => token({ grant_type: JWT_BEARER }, basic('tool-hub', 'wrong')),
  'malformed Basic': () => token({ grant_type: JWT_BEARER }, { authorization: 'Basic %%%' }),
  'an unknown client': (scene) => redeem(scene, { client_id: 'nobody' }).then(token),
  'no client': () => token({ grant_type: JWT_BEARER, assertion: 'x' }),
  'two methods of authentication': (scene) =>
    redeem(scene).then((form) => token(form, basic(HUB.client_id, HUB.client_secret))),
  'no assertion': (scene) => redeem(scene, { assertion: undefined }).then(token),
  'another grant type': (scene) => redeem(scene, { grant_type: 'password' }).then(token),
  'no grant type': (scene) => redeem(scene, { grant_type: undefined }).then(token),
  'a repeated grant type': (scene) => redeem(scene, { grant_type: [JWT_BEARER, JWT_BEARER] }).then(token),
  'a repeated assertion': (scene) => redeem(scene, { assertion: ['x', 'x'] }).then(token),
  'a repeated unknown parameter': (scene) => redeem(scene, { __proto__x: ['1', '2'] }).then(token),
  'no body': () => bare('POST', '/oauth/token', { 'content-type': FORM }),
  'an empty body': () => token('', { 'content-length': '0' }),
  'a body in chunks': (scene) =>
    redeem(scene).then((form) => token(form, { 'transfer-encoding': 'chunked' })),
  JSON: () => token('{"grant_type":"x"}', { 'content-type': 'application/json' }),
  'malformed JSON': () => token('{', { 'content-type': 'application/json' }),
  text: () => token('a=b', { 'content-type': 'text/plain' }),
  multipart: () => token('--x--', { 'content-type': 'multipart/form-data; boundary=x' }),
  'a content type that is none': () => token('a=b', { 'content-type': 'x' }),
  'two content types': (scene) =>
    redeem(scene).then((form) => token(form, { 'content-type': `text/plain, ${FORM}` })),
  'a charset': (scene) =>
    redeem(scene).then((form) => token(form, { 'content-type': `${FORM}; charset=UTF-8` })),
  'an unknown charset': () => token('a=b', { 'content-type': `${FORM}; charset=klingon` }),
  'a packed form': async (scene) => ({
    ...token({}, { 'content-encoding': 'gzip' }),
    body: new Uint8Array(gzipSync(encode(await redeem(scene)))),
  }),
  'a form that is not packed as it claims': () => token('a=b', { 'content-encoding': 'gzip' }),
  'an unknown encoding': () => token('a=b', { 'content-encoding': 'zebra' }),
  'more than 64 KiB': () => token({ assertion: 'x'.repeat(70_000) }),
  'more than 64 KiB in chunks': () =>
    token({ assertion: 'x'.repeat(70_000) }, { 'transfer-encoding': 'chunked' }),
  'parameters in the query': (scene) =>
    redeem(scene).then((form) => ({ ...token(''), path: `/oauth/token?${encode(form)}` })),
  ...Object.fromEntries(
    ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].map((method) => [
      `${method} at the token endpoint`,
      () => bare(method, '/oauth/token', PREFLIGHT),
    ]),
  ),
  'the authorization endpoint': () => bare('GET', '/oauth/authorize?redirect_uri=https://evil.example'),
  'a POST at the authorization endpoint': () => ({ ...token('a=b'), path: '/oauth/authorize' }),
  ...Object.fromEntries(
    DOCUMENTS.flatMap((path) =>
      ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'].map((method) => [
        `${method} ${path}`,
        () => bare(method, path, PREFLIGHT),
      ]),
    ),
  ),
  'a request without a token': () => gate(undefined),
  'a token of another scheme': () => gate('Basic dG9vbA=='),
  ...Object.fromEntries(
    ['Bearer', 'Bearer a b', 'Bearer "x"', 'Bearer \xe4', 'bearer ,'].map((value) => [
      `malformed credentials: ${value}`,
      () => gate(value),
    ]),
  ),
  'no token, but a JWT': () => gate('Bearer a.b.c'),
  'a good token': async (scene) => gate(`Bearer ${await scene.forgeAccessToken()}`),
  'a good token in a GET': async (scene) => ({
    ...gate(`bEARER  ${await scene.forgeAccessToken()}`),
    method: 'GET',
  }),
  'an expired token': async (scene) => gate(`Bearer ${await scene.forgeAccessToken({ exp: 1 })}`),
  'a token for another server': async (scene) => gate(`Bearer ${await scene.forgeAccessToken({ aud: 'x' })}`),
  'a token of the identity provider': async (scene) =>
    gate(`Bearer ${await scene.forgeAccessToken({ iss: ISSUER })}`),
  'an assertion as token': async (scene) => gate(`Bearer ${await scene.idJag()}`),
  'a token in the query': async (scene) =>
    gate(undefined, `/mcp?access_token=${await scene.forgeAccessToken()}`),
  'a page of an unknown origin': () => page('https://evil.example'),
  'a page of no origin': () => page('null'),
  'a page of an unknown origin, with a good token': async (scene) =>
    page('https://evil.example', `Bearer ${await scene.forgeAccessToken()}`),
  'a page of the own origin': async (scene) => page(RESOURCE, `Bearer ${await scene.forgeAccessToken()}`),
  'no token where a scope is needed': () => gate(undefined, '/write'),
  'a token without the scope': async (scene) => gate(`Bearer ${await scene.forgeAccessToken()}`, '/write'),
  'a token with the scope': async (scene) =>
    gate(`Bearer ${await scene.forgeAccessToken({ scope: 'mcp:tools:read mcp:tools:call' })}`, '/write'),
};

/** Bodies that a parser of the application may have read before. */
const BEHIND_PARSERS = new Set([
  ...['a good assertion', 'our resource, twice', 'a repeated assertion', 'a wrong secret', 'no grant type'],
  ...['no body', 'an empty body', 'JSON', 'a charset', 'GET at the token endpoint'],
]);

/** Headers that describe the connection, or name the framework. */
const OF_THE_CONNECTION = [
  'connection',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'transfer-encoding',
  'x-powered-by',
];

const comparable = (status: number, headers: Iterable<readonly [string, string]>, body: string): Answer => ({
  status,
  headers: Object.fromEntries(
    [...headers]
      .filter(([name]) => !OF_THE_CONNECTION.includes(name))
      .sort(([one], [other]) => one.localeCompare(other)),
  ),
  // Signatures and identifiers of tokens are random.
  body: body.replace(/"access_token":"[^"]+"/, '"access_token":"…"'),
});

/** Sends a request with node:http, because fetch would change it. */
function send(url: string, { method, path, headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length =
      body === undefined || 'transfer-encoding' in headers
        ? {}
        : { 'content-length': Buffer.byteLength(body) };
    const sent = httpRequest(
      `${url}${path}`,
      { method, headers: { ...length, ...headers }, agent: false },
      (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        res.on('end', () =>
          resolve(
            comparable(
              res.statusCode ?? 0,
              Object.entries(res.headers).map(([k, v]) => [k, String(v)] as const),
              text,
            ),
          ),
        );
      },
    );
    sent.on('error', reject).end(body);
  });
}

/** The response of the core, without any framework. */
async function sendToCore(toolServer: ToolServer, { method, path, headers, body }: Sent): Promise<Answer> {
  const { 'content-length': _, 'transfer-encoding': __, ...rest } = headers;
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  const request = new Request(`${RESOURCE}${path}`, { method, headers: rest, ...(hasBody && { body }) });
  const answer = async () => {
    const own = await toolServer.handle(request, { clientAddress: '127.0.0.1' });
    if (own) return own;
    const scopes = path.startsWith('/write') ? ['mcp:tools:call'] : [];
    const caller = await toolServer.authenticate(request, { scopes });
    return caller instanceof Response ? caller : Response.json(caller);
  };
  const response = await answer();
  return comparable(response.status, response.headers, await response.text());
}

/** Sends the requests of a case to the core, and to a server with the same settings. */
async function compare(
  one: Case,
  core: ToolServer,
  { url }: RunningServer,
  omits?: string,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const each of [await one(scene)].flat()) {
    if (each.path === omits) continue;
    const expected = await sendToCore(core, each);
    const answer = await send(url, each);
    // Behind the gate the application responds itself, with its own spelling of the JSON media type.
    const isOfApplication = expected.status === 200 && /^\/(mcp|write)/.test(each.path);
    expect(isOfApplication ? { ...answer, headers: {} } : answer).toEqual(
      isOfApplication ? { ...expected, headers: {} } : expected,
    );
    answers.push(answer);
  }
  return answers;
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe.each(SERVERS)('$name', ({ start, omits }) => {
  let core: ToolServer;
  let running: RunningServer;
  beforeAll(async () => {
    core = await create();
    running = await start(await create());
  });
  afterAll(() => running.stop());

  it.each(Object.entries(CASES))('answers as the core: %s', async (_name, one) => {
    await compare(one, core, running, omits);
  });

  it.each<[string, Partial<ToolServerOptions>, number[]]>([
    ['its store fails', { oneTimeStore: { useOnce: () => Promise.reject(new Error('closed')) } }, [503]],
    ['the identity provider is away', { fetch: () => Promise.reject(new Error('ECONNREFUSED')) }, [503]],
    ['it has a fault itself', { resolveUser: () => Promise.reject(new Error('select')) }, [500]],
    ['it refuses the user', { resolveUser: () => 'refused' }, [400]],
    [
      'the address has failed too often',
      { failures: { blockedSeconds: () => 42, recordFailure: async () => {} } },
      [429],
    ],
  ])('sends the same response as the core: %s', async (_case, change, statuses) => {
    const faulty = await start(await create(change));
    const answers = await compare(CASES['a good assertion'] as Case, await create(change), faulty);
    await faulty.stop();
    expect(statusesOf(answers)).toEqual(statuses);
  });

  it('refuses a page of an unknown origin with 403, and serves a page of an allowed one', async () => {
    const allowing = await start(await create({ allowedOrigins: ['https://app.example'] }));
    const authorization = `Bearer ${await scene.forgeAccessToken()}`;
    const statusOf = async (origin: string, value?: string) =>
      (await send(allowing.url, page(origin, value))).status;
    expect(await statusOf('https://evil.example')).toBe(403);
    expect(await statusOf('https://evil.example', authorization)).toBe(403);
    expect(await statusOf('https://app.example')).toBe(401);
    expect(await statusOf('https://app.example', authorization)).toBe(200);
    await allowing.stop();
  });

  it('reports the address of a client that fails to authenticate', async () => {
    const failed: (string | undefined)[] = [];
    const failures = { blockedSeconds: () => 0, recordFailure: async (ip?: string) => void failed.push(ip) };
    const counting = await start(await create({ failures }));
    await send(counting.url, token({ ...HUB, grant_type: JWT_BEARER, client_secret: 'wrong' }));
    await send(counting.url, token(await redeem(scene)));
    await counting.stop();
    expect(failed).toEqual(['127.0.0.1']);
  });
});

const behindParsers = SERVERS.flatMap(({ parsers, ...server }) =>
  parsers.map((parser) => ({ ...server, parser })),
);
it.each(behindParsers)('$name answers as the core behind $parser', async ({ start, parser }) => {
  const behind = await start(await create(), parser);
  const own = await create();
  const statuses: number[] = [];
  for (const [name, one] of Object.entries(CASES))
    if (BEHIND_PARSERS.has(name)) statuses.push(...statusesOf(await compare(one, own, behind)));
  await behind.stop();
  expect(statuses).toEqual([200, 200, 401, 400, 400, 400, 400, 415, 200, 405]);
});

it.each([4, 5] as const)(
  'Express %i refuses a nested name behind express.urlencoded extended',
  async (version) => {
    logged = [];
    const server = SERVERS.find(({ name }) => name === `Express ${version}`);
    const behind = await server?.start(await create(), 'express.urlencoded extended');
    const answer = await send(behind?.url ?? '', token('grant_type=x&a[b]=c'));
    await behind?.stop();
    expect([answer.status, JSON.parse(answer.body).error, logged]).toEqual([400, 'invalid_request', []]);
  },
);

const FIELD = `grant_type=${encodeURIComponent(JWT_BEARER)}`;
const ODD_FORMS: Readonly<Record<string, string>> = {
  'a list': `${FIELD}&assertion[]=1&assertion[]=2`,
  'a list of one': `${FIELD}&assertion[]=1`,
  'a list for the grant': 'grant_type[]=x',
  'an indexed list': `${FIELD}&assertion[0]=1&assertion[5]=2`,
  'a name with a dot': `${FIELD}&assertion.b=c`,
  'names of prototypes': `${FIELD}&__proto__=1&constructor=2&toString=3&hasOwnProperty=4`,
  'members of prototypes': `${FIELD}&__proto__[polluted]=1&constructor[prototype][polluted]=1`,
  'a deep name': `${FIELD}&a${'[b]'.repeat(50)}=1`,
  'repeated names': `${FIELD}&assertion=1&assertion=2`,
  'a name and a nested one': `${FIELD}&assertion=1&assertion[b]=2`,
  'no name': `${FIELD}&=1&&=&[]=1&[a]=2`,
  'very many fields': `${FIELD}&${'a=1&'.repeat(5000)}`,
  'very many lists': `${FIELD}&${'a[]=1&'.repeat(2000)}`,
  'broken escapes': `${FIELD}&assertion=%ZZ%&%E0%A4%A=1&%00=%00`,
};
const ways = SERVERS.flatMap(({ name, start, parsers }) =>
  [undefined, ...parsers].map((parser) => ({ name, start, parser, behind: parser ?? 'no parser' })),
);
it.each(ways)('$name never answers odd forms with 5xx, behind $behind', async ({ start, parser }) => {
  logged = [];
  const running = await start(await create(), parser);
  const statuses: Record<string, number> = {};
  for (const [form, body] of Object.entries(ODD_FORMS)) {
    const sent = token(`${body}&client_id=${HUB.client_id}&client_secret=${HUB.client_secret}`);
    statuses[form] = (await send(running.url, sent)).status;
  }
  await running.stop();
  for (const [form, status] of Object.entries(statuses))
    expect([form, status >= 400 && status < 500]).toEqual([form, true]);
  expect(logged).toEqual([]);
  expect({}).not.toHaveProperty('polluted');
});

const mistaken = SERVERS.flatMap(({ mistakes, ...server }) =>
  mistakes.map((parser) => ({ ...server, parser })),
);
it.each(mistaken)('$name says that the application is at fault behind $parser', async ({ start, parser }) => {
  logged = [];
  const body = 'grant_type=x&a[b]=c';
  for (const [production, description] of [
    [false, { error_description: expect.stringContaining('mount Legate first') }],
    [true, {}],
  ] as const) {
    const shared = { oneTimeStore: { useOnce: async () => true } };
    const clients = [{ clientId: 'hub', secret: 'a-secret-that-is-long-enough-for-production' }];
    const behind = await start(await create({ production, clients, ...shared }), parser);
    const answer = await send(behind.url, token(body));
    await behind.stop();
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      500,
      { error: 'server_error', ...description },
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
  expect(logged.map(([, message]) => message)).toEqual(
    Array(2).fill('a body parser runs in front of the token endpoint; mount Legate first'),
  );
});
