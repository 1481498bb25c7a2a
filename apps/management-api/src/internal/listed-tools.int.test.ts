import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { listedToolsUrl, MAX_LISTED_TOOLS } from '@legate/management-contract';
import request from 'supertest';
import { type Client, clientOf } from '../testing/client.ts';
import { createTestApi, type TestApi } from '../testing/test-api.ts';

const SERVER = 'https://mcp.acme.com';
let api: TestApi;
let token: string;
let acme: Client;
let organizationId: string;
let agent: string;
let connector: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
  token = await api.workloadToken('internal:connectors');
});
afterAll(() => api.close());
beforeEach(async () => {
  organizationId = `org_${++count}`;
  acme = await clientOf(api, organizationId, { roles: ['admin'] });
  agent = (await acme('post', '/agents', { name: 'Support' })).body.id;
  const body = { name: 'C', resource_url: SERVER, auth_method: 'oauth-pkce', client_id: 'hub' };
  connector = (await acme('post', '/connectors', body)).body.id;
});

const post = (body: object, to = { organizationId, id: connector }, bearer = token) =>
  request(api.app)
    .post(listedToolsUrl('', to))
    .auth(bearer, { type: 'bearer' })
    .send(body)
    .then(({ status, body: answer }) => [status, answer.code]);
const list = (...names: string[]) => post({ resource_url: SERVER, names });
const bind = async (tools: string[] | null) =>
  (await acme('put', `/agents/${agent}/connectors/${connector}`, { tools })).body;

it('accepts a binding to tools that the tool server has not listed, with a warning', async () => {
  expect(await list('whoami', 'create_note')).toEqual([204, undefined]);
  const placed = await bind(['whoami', 'whoamy', 'create_note', 'gone']);
  const warning = (place: number) => ({
    pointer: `/tools/${place}`,
    code: 'tool_not_listed',
    detail: expect.any(String),
  });
  expect(placed).toMatchObject({ tools: ['whoami', 'whoamy', 'create_note', 'gone'] });
  expect(placed.warnings).toEqual([warning(1), warning(3)]);
  expect(await bind(['whoami', 'whoamy'])).toHaveProperty('warnings', [warning(1)]);
  expect((await acme('get', `/agents/${agent}/connectors/${connector}`)).body).not.toHaveProperty('warnings');
  await list('whoamy');
  expect(await bind(['whoami', 'whoamy'])).not.toHaveProperty('warnings');
});

it('gives no warning while no list is known, or for a binding to all tools', async () => {
  expect(await bind(['whoamy'])).not.toHaveProperty('warnings');
  await list('whoami');
  expect(await bind(null)).not.toHaveProperty('warnings');
  expect(await bind([])).not.toHaveProperty('warnings');
});

it('ignores the list of another tool server', async () => {
  await list('whoami');
  await acme(
    'patch',
    `/connectors/${connector}`,
    { resource_url: 'https://other.acme.com' },
    { 'If-Match': '*' },
  );
  expect(await bind(['whoamy'])).not.toHaveProperty('warnings');
  await list('late'); // a list of the previous tool server
  expect(await bind(['whoamy'])).not.toHaveProperty('warnings');
  await post({ resource_url: 'https://other.acme.com', names: ['search'] });
  expect((await bind(['whoami'])).warnings).toHaveLength(1);
  expect(await bind(['search'])).not.toHaveProperty('warnings');
});

it('stores names only for their own organization and connector, and only up to the limit', async () => {
  const other = await clientOf(api, `org_${++count}`, { roles: ['admin'] });
  expect(
    await post({ resource_url: SERVER, names: ['x'] }, { organizationId: `org_${count}`, id: connector }),
  ).toEqual([204, undefined]);
  expect(await post({ resource_url: SERVER, names: ['x'] }, { organizationId, id: 'con_unknown' })).toEqual([
    204,
    undefined,
  ]);
  expect(await bind(['whoamy'])).not.toHaveProperty('warnings');
  expect((await other('get', '/connectors')).body.data).toEqual([]);
  const names = Array.from({ length: MAX_LISTED_TOOLS }, (_, index) => `tool_${index}`);
  await list(...names);
  await list('one_more');
  expect((await bind(['one_more'])).warnings).toHaveLength(1);
});

it.each([
  ['no name', { resource_url: SERVER, names: [] }],
  ['a control character', { resource_url: SERVER, names: ['a\u0000'] }],
  ['another member', { resource_url: SERVER, names: ['a'], more: 1 }],
])('refuses %s', async (_case, body) => {
  expect(await post(body)).toEqual([400, 'validation_failed']);
});

it('accepts lists only from the hub', async () => {
  const to = { organizationId, id: connector };
  const body = { resource_url: SERVER, names: ['a'] };
  expect(await post(body, to, await api.workloadToken('internal:audit-events'))).toEqual([
    403,
    'insufficient_permission',
  ]);
  expect(await post(body, to, 'nothing')).toEqual([401, 'token_invalid']);
});
