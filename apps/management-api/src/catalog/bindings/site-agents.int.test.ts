import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let acme: Client;
let site: string;
let agent: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  acme = await clientOf(api, `org_${++count}`, { roles: ['admin'] });
  site = (await acme('post', '/sites', { name: 'Portal' })).body.id;
  agent = (await acme('post', '/agents', { name: 'Support' })).body.id;
});

const link = (id = agent) => `/sites/${site}/agents/${id}`;
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];

it('can be read, with the version that a change can require', async () => {
  expect(code(await acme('get', link()))).toEqual([404, 'not_found']);
  const made = await acme('put', link(), {}, { 'If-None-Match': '*' });
  expect(made.status).toBe(201);
  expect(code(await acme('put', link(), {}, { 'If-None-Match': '*' }))).toEqual([412, 'version_mismatch']);
  const read = await acme('get', link());
  expect([read.body, read.headers.etag]).toEqual([made.body, made.headers.etag]);
  const stale = { 'If-Match': '"1"' };
  expect(code(await acme('put', link(), { is_default: true }, stale))).toEqual([412, 'version_mismatch']);
  expect(code(await acme('delete', link(), undefined, stale))).toEqual([412, 'version_mismatch']);
  const current = { 'If-Match': made.headers.etag ?? '' };
  const changed = await acme('put', link(), { is_default: true }, current);
  expect([changed.status, changed.body.is_default]).toEqual([200, true]);
  expect(code(await acme('delete', link(), undefined, current))).toEqual([412, 'version_mismatch']);
  expect((await acme('delete', link())).status).toBe(204);
});

it('has another version when another agent becomes the default of the site', async () => {
  const first = await acme('put', link(), { is_default: true });
  const other = (await acme('post', '/agents', { name: 'Other' })).body.id;
  await acme('put', link(other), { is_default: true });
  const now = await acme('get', link());
  expect(now.body.is_default).toBe(false);
  expect(now.headers.etag).not.toBe(first.headers.etag);
});

it.each(['/sites/site_none/agents/agt_none', '/sites/%00/agents/%00'])('is not found at %s', async (path) => {
  expect(code(await acme('get', path))).toEqual([404, 'not_found']);
});
