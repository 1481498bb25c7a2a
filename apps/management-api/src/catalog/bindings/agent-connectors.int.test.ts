import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageOf } from '@legate/pagination';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { AgentConnector, ListedAgentConnector } from './agent-connector.ts';

let api: TestApi;
let acme: Client;
let agent: string;
let connector: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  acme = await clientOf(api, `org_${++count}`, { roles: ['admin'] });
  agent = (await acme('post', '/agents', { name: 'Support' })).body.id;
  connector = await newConnector(acme);
});

const newConnector = async (client: Client): Promise<string> => {
  const resource_url = 'https://mcp.acme.com';
  const body = { name: 'C', resource_url, auth_method: 'oauth-pkce', client_id: 'hub', scopes: ['a', 'b'] };
  return (await client('post', '/connectors', body)).body.id;
};
const binding = () => `/agents/${agent}/connectors/${connector}`;
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
const listed = async () =>
  pageOf(ListedAgentConnector).parse((await acme('get', `/agents/${agent}/connectors`)).body).data;

it('binds a connector to an agent, with all or some of its tools, and replaces the whole binding', async () => {
  const set = await acme('put', binding());
  expect([set.status, AgentConnector.parse(set.body)]).toEqual([
    201,
    {
      agent_id: agent,
      connector_id: connector,
      scopes: null,
      tools: null,
      approval: 'write',
      created_at: expect.any(String),
    },
  ]);
  const part = { scopes: ['b', 'b'], tools: ['list_sites'], approval: 'always' };
  const changed = await acme('put', binding(), part);
  expect([changed.status, changed.body]).toEqual([200, { ...set.body, ...part, scopes: ['b'] }]);
  expect((await acme('put', binding(), part)).status).toBe(200);
  expect(await listed()).toEqual([{ ...changed.body, agent_name: 'Support', connector_name: 'C' }]);
  expect((await acme('put', binding(), { tools: [] })).body).toEqual({ ...set.body, tools: [] });
  expect((await acme('delete', binding())).status).toBe(204);
  expect(code(await acme('delete', binding()))).toEqual([404, 'not_found']);
  expect((await auditTrailOf(api, agent)).map((event) => event.action)).toEqual([
    'agent.created',
    ...Array(3).fill('agent.connector_set'),
    'agent.connector_removed',
  ]);
});

it.each([
  [{ scopes: ['a', 'c'] }, '/scopes/1', 'scope_not_in_connector'],
  [{ scopes: ['a b'] }, '/scopes/0', 'invalid_format'],
  [{ tools: ['a\u0000'] }, '/tools/0', 'invalid_format'],
  [{ tools: Array(201).fill('a') }, '/tools', 'too_many_items'],
  [{ approval: 'sometimes' }, '/approval', 'invalid_enum'],
  [{ is_default: true }, '/is_default', 'unknown_field'],
])('refuses %j', async (body, pointer, fault) => {
  const answer = await acme('put', binding(), body);
  expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer, code: fault }]]);
  expect(await listed()).toEqual([]);
});

it('hides the bindings of a deleted connector, and shows them again when it is restored', async () => {
  await acme('put', binding());
  await acme('delete', `/connectors/${connector}`);
  expect(await listed()).toEqual([]);
  expect(code(await acme('put', binding()))).toEqual([404, 'not_found']);
  await acme('post', `/connectors/${connector}/restore`);
  expect(await listed()).toHaveLength(1);
  await acme('delete', `/agents/${agent}`);
  expect(code(await acme('get', `/agents/${agent}/connectors`))).toEqual([404, 'not_found']);
});

it('cannot bind across organizations, in either direction', async () => {
  const globex = await clientOf(api, 'org_globex', { roles: ['admin'] });
  const ownAgent = (await globex('post', '/agents', { name: 'G' })).body.id;
  const ownConnector = await newConnector(globex);
  const calls = [
    globex('put', `/agents/${ownAgent}/connectors/${connector}`),
    globex('put', `/agents/${agent}/connectors/${ownConnector}`),
    globex('get', `/agents/${agent}/connectors`),
    globex('delete', binding()),
    acme('put', `/agents/%00/connectors/${connector}`),
    acme('put', `/agents/${agent}/connectors/%00`),
  ];
  for (const answer of await Promise.all(calls)) expect(code(answer)).toEqual([404, 'not_found']);
});

it('needs the right to write agents', async () => {
  const limited = await clientOf(api, `org_${count}`, { scope: 'agents:read connectors:read' });
  for (const answer of [await limited('put', binding(), {}), await limited('delete', binding())]) {
    expect(answer.body.required_scope).toBe('agents:write');
  }
  expect((await limited('get', `/agents/${agent}/connectors`)).status).toBe(200);
});

describe('the version of a binding', () => {
  const part = { tools: ['list_sites'] };

  it('changes with every change, and never repeats', async () => {
    const versions: unknown[] = [(await acme('put', binding())).headers.etag];
    const note = async (answer: ReturnType<Client>) => void versions.push((await answer).headers.etag);
    await note(acme('put', binding(), part));
    // Written directly to the database
    await api.database.asOwner((owner) =>
      owner.query('UPDATE agent_connectors SET tools = NULL WHERE agent_id = $1', [agent]),
    );
    await note(acme('get', binding()));
    await acme('delete', binding());
    await note(acme('put', binding()));
    expect(versions).toEqual(Array(4).fill(expect.stringMatching(/^"\d+"$/)));
    expect(new Set(versions).size).toBe(4);
    const same = await acme('put', binding());
    expect([same.status, same.headers.etag]).toEqual([200, versions[3]]);
  });

  it('can be read, and sent with If-None-Match', async () => {
    expect(code(await acme('get', binding()))).toEqual([404, 'not_found']);
    const { body, headers } = await acme('put', binding(), part);
    const read = await acme('get', binding());
    expect([read.status, read.body, read.headers.etag]).toEqual([200, body, headers.etag]);
    const again = await acme('get', binding(), undefined, { 'If-None-Match': headers.etag ?? '' });
    expect(again.status).toBe(304);
    for (const path of [`/agents/agt_none/connectors/${connector}`, `/agents/${agent}/connectors/%00`])
      expect(code(await acme('get', path))).toEqual([404, 'not_found']);
  });

  it('can be required for a change with If-Match', async () => {
    const stale = { 'If-Match': '"1"' };
    const absent = await acme('put', binding(), part, { 'If-Match': '*' });
    expect(code(absent)).toEqual([412, 'version_mismatch']);
    const { headers } = await acme('put', binding(), {}, { 'If-None-Match': '*' });
    const current = { 'If-Match': headers.etag ?? '' };
    for (const answer of [
      await acme('put', binding(), part, { 'If-None-Match': '*' }),
      await acme('put', binding(), part, { 'If-None-Match': `"0", W/${headers.etag}` }),
      await acme('put', binding(), part, stale),
      await acme('delete', binding(), undefined, stale),
    ]) {
      expect([...code(answer), answer.headers.etag]).toEqual([412, 'version_mismatch', headers.etag]);
    }
    expect((await listed())[0]?.tools).toBeNull();
    const changed = await acme('put', binding(), part, current);
    expect(changed.status).toBe(200);
    expect(code(await acme('delete', binding(), undefined, current))).toEqual([412, 'version_mismatch']);
    const now = { 'If-Match': changed.headers.etag ?? '' };
    expect((await acme('delete', binding(), undefined, now)).status).toBe(204);
  });

  it('lets only one of two concurrent creations succeed', async () => {
    const create = () => acme('put', binding(), part, { 'If-None-Match': '*' });
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 412, 412]);
  });
});
