import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sendJson } from '../testing/peers.ts';
import { type Scene, startScene } from '../testing/scene.ts';

let scene: Scene;
let cookie: string;
beforeAll(async () => {
  scene = await startScene();
  cookie = await scene.signIn();
});
afterAll(() => scene.stop());
beforeEach(() => {
  scene.answers.api = (_request, res) => sendJson(res, 200, {});
  scene.answers.hub = (_request, res) => sendJson(res, 200, {});
});

/** Sends a path unchanged: other clients normalise it. */
async function statusOf(path: string): Promise<number> {
  const server = createServer(scene.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = { 'Legate-Console': '1', Cookie: cookie };
  const outgoing = send({ host: '127.0.0.1', port, path, headers }).end();
  const [answer] = await once(outgoing, 'response');
  answer.resume();
  server.closeAllConnections();
  server.close();
  return answer.statusCode;
}

it.each([
  '/bff/api/internal/v1/connectors',
  '/bff/api/../../internal/v1/connectors',
  '/bff/api/connectors/../me',
  '/bff/api/connectors/%2e%2e',
  '/bff/api/connectors/a%2Fb',
  '/bff/api/connectors/a%5cb',
  '/bff/api//connectors',
  '/bff/api/oauth/sign-in',
  '/bff/api/openapi.json',
  '/bff/hub/tokens',
  '/bff/hub/sessions/current/x',
  '/bff/api',
  '/bff/other/connectors',
  '/bff/',
])('returns 404 for %s, and sends no request to a service', async (path) => {
  const before = scene.api.requests.length + scene.hub.requests.length;
  expect(await statusOf(path)).toBe(404);
  expect(scene.api.requests.length + scene.hub.requests.length).toBe(before);
});

it('forwards the URL of a client as one segment, with its encoding unchanged', async () => {
  const path = `/clients/${encodeURIComponent('https://vscode.dev/oauth/client-metadata.json')}`;
  await scene.fromPage(request(scene.app).delete(`/bff/hub${path}`), cookie).expect(200);
  expect(scene.hub.requests.at(-1)).toMatchObject({ method: 'DELETE', path: `/api/v1${path}` });
});

it('sends the access token to the API and the ID token to the hub', async () => {
  await scene.get('/bff/api/sites?limit=5&sort=-name', cookie).expect(200);
  expect(scene.api.requests.at(-1)?.path).toBe('/api/v1/sites?limit=5&sort=-name');
  expect(scene.api.requests.at(-1)?.headers.authorization).toMatch(/^Bearer access-/);
  await scene.get('/bff/hub/connectors', cookie).expect(200);
  expect(scene.hub.requests.at(-1)?.headers.authorization).toMatch(/^Bearer eyJ/);
});

it('forwards the listed headers, the address of the browser and the trace, and nothing else', async () => {
  await scene
    .post('/bff/api/sites', cookie)
    .set({
      'If-Match': '"1"',
      'Idempotency-Key': 'key',
      'Legate-Agent-Id': 'agt_1',
      'User-Agent': 'Browser/1',
      'X-Forwarded-For': '203.0.113.7',
      Authorization: 'Bearer mine',
      'X-Other': 'x',
    })
    .send({ name: 'Shop' })
    .expect(200);
  const { headers, body } = scene.api.requests.at(-1) ?? { headers: {}, body: '' };
  expect(headers).toMatchObject({
    'if-match': '"1"',
    'idempotency-key': 'key',
    'legate-agent-id': 'agt_1',
    'user-agent': 'Browser/1',
    'x-forwarded-for': '203.0.113.7',
    'content-type': 'application/json',
    authorization: expect.stringMatching(/^Bearer access-/),
  });
  for (const name of ['cookie', 'x-other', 'origin', 'legate-console', 'sec-fetch-site'])
    expect(headers).not.toHaveProperty(name);
  expect(JSON.parse(body)).toEqual({ name: 'Shop' });
});

describe('a response of a service', () => {
  it('keeps its status and the listed headers, and loses all other headers', async () => {
    scene.answers.api = (_request, res) =>
      sendJson(
        res,
        201,
        { id: 'site_1' },
        {
          ETag: '"2"',
          'Retry-After': '3',
          'X-RateLimit-Remaining': '59',
          'X-Request-Id': 'req_theirs',
          'Idempotent-Replayed': 'true',
          'Legate-Call-Id': 'evt_1',
          'Set-Cookie': 'a=b',
          Location: 'https://evil.example',
          'Access-Control-Allow-Origin': '*',
        },
      );
    const { headers, body } = await scene.post('/bff/api/sites', cookie).send({}).expect(201);
    expect(body).toEqual({ id: 'site_1' });
    expect(headers).toMatchObject({
      etag: '"2"',
      'retry-after': '3',
      'x-ratelimit-remaining': '59',
      'x-request-id': 'req_theirs',
      'idempotent-replayed': 'true',
      'legate-call-id': 'evt_1',
      'cache-control': 'no-store',
    });
    for (const name of ['set-cookie', 'location', 'access-control-allow-origin'])
      expect(headers).not.toHaveProperty(name);
  });

  it('that is a problem passes through unchanged', async () => {
    const problem = { type: 'https://api.example/errors/x', status: 412, code: 'precondition_failed' };
    scene.answers.api = (_request, res) =>
      sendJson(res, 412, problem, { 'Content-Type': 'application/problem+json' });
    const answer = await scene.get('/bff/api/sites/site_1', cookie).expect(412);
    expect(answer.body).toEqual(problem);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  it('without a body is passed on without a body', async () => {
    scene.answers.api = (_request, res) => void res.writeHead(304, { ETag: '"1"' }).end();
    await scene.get('/bff/api/sites/site_1', cookie).set('If-None-Match', '"1"').expect(304);
  });

  it.each([
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'application/json, text/html',
    'application/json-x',
    'text/csv;charset=utf-8, text/html',
  ])('of the type %s is passed on as application/octet-stream', async (type) => {
    scene.answers.hub = (_request, res) => void res.writeHead(200, { 'Content-Type': type }).end('<script>');
    const { headers } = await scene.get('/bff/hub/connectors', cookie).expect(200);
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('that is a redirect is not followed', async () => {
    scene.answers.api = (_request, res) => void res.writeHead(302, { Location: scene.hub.url }).end();
    const before = scene.hub.requests.length;
    const { body } = await scene.get('/bff/api/sites', cookie).expect(502);
    expect(body.code).toBe('service_answer_unusable');
    expect(scene.hub.requests.length).toBe(before);
  });

  it('of more than 4 MiB is refused', async () => {
    scene.answers.api = (_request, res) => sendJson(res, 200, 'x'.repeat(4 * 1024 * 1024));
    await scene.get('/bff/api/sites', cookie).expect(502);
  });

  it('may have 16 MiB if it is an export of the audit trail', async () => {
    const row = 'x'.repeat(1024 * 1024);
    const answerWith = (rows: number) => {
      scene.answers.api = (_request, res) =>
        void res.writeHead(200, { 'Content-Type': 'text/csv' }).end(row.repeat(rows));
    };
    answerWith(15);
    const { text } = await scene.get('/bff/api/audit-events/export?format=csv', cookie).expect(200);
    expect(text).toHaveLength(15 * row.length);
    answerWith(17);
    await scene.get('/bff/api/audit-events/export?format=csv', cookie).expect(502);
  });
});

it('refuses a body of more than 1 MiB', async () => {
  const { body } = await scene
    .post('/bff/api/sites', cookie)
    .send({ name: 'x'.repeat(1024 * 1024) })
    .expect(413);
  expect(body.code).toBe('payload_too_large');
});

it('names the service that does not respond', async () => {
  scene.answers.hub = (_request, res) => void res.destroy();
  const { body } = await scene.get('/bff/hub/connectors', cookie).expect(503);
  expect(body).toMatchObject({ code: 'service_unavailable', detail: 'The hub does not answer.' });
});

it('sends no request to a service without a session', async () => {
  const before = scene.api.requests.length;
  const { body } = await scene.get('/bff/api/sites').expect(401);
  expect([body.code, scene.api.requests.length]).toEqual(['signed_out', before]);
});
