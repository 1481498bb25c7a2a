import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { createTestApi, type TestApi } from '../testing/test-api.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await createTestApi();
  token = await api.token('org_acme');
});
afterAll(() => api.close());

const post = (path: string, type: string, body: string | Buffer) =>
  request(api.app).post(path).auth(token, { type: 'bearer' }).set('Content-Type', type).send(body);

it.each([
  ['application/json; charset=utf-7', 415],
  ['application/json; charset=utf-16le', 415],
  ['application/json;charset="iso-8859-1"', 415],
  ['application/json; charset="UTF-8"', 201],
  ['application/json;charset=utf8', 415],
  ['application/json', 201],
])('responds to a body of type %s with %i', async (type, status) => {
  const answer = await post('/api/v1/sites', type, '{"name":"A"}');
  expect([answer.status, answer.body.code]).toEqual([
    status,
    status === 415 ? 'unsupported_media_type' : undefined,
  ]);
});

it('refuses an object with two members of the same name', async () => {
  const answer = await post('/api/v1/sites', 'application/json', '{"name":"A","n\\u0061me":"B"}');
  expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
    400,
    'malformed_json',
    'An object has two members of the same name.',
  ]);
  const workload = await api.workloadToken('internal:audit-events');
  const events = await request(api.app)
    .post('/internal/v1/audit-events')
    .auth(workload, { type: 'bearer' })
    .type('json')
    .send('{"events":[],"events":[]}');
  expect([events.status, events.body.code]).toEqual([400, 'malformed_json']);
});

it('reports an invalid percent-encoding in the path', async () => {
  const answer = await request(api.app).get('/api/v1/sites/%zz').auth(token, { type: 'bearer' });
  expect([answer.status, answer.body.code]).toEqual([400, 'malformed_path']);
});

it.each([
  ['/sites', {}, 'Is required.'],
  ['/sites', { name: 1 }, 'Must be a string.'],
  ['/sites', { name: 'A', allowed_origins: 'a' }, 'Must be an array.'],
  ['/sites', [], 'Must be an object.'],
  ['/agents', { name: 'A', status: 'gone' }, 'Must be "draft" or "active" or "disabled".'],
  ['/agents', { name: 'A', settings: { locale: 'x'.repeat(36) } }, 'Must have at most 35 characters.'],
])('describes in its own words what is wrong with a body at %s: %j', async (path, body, detail) => {
  const answer = await post(`/api/v1${path}`, 'application/json', JSON.stringify(body));
  expect(answer.status).toBe(400);
  expect(answer.body.errors.map((error: { detail: string }) => error.detail)).toContain(detail);
});
