import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageOf } from '@legate/pagination';
import request from 'supertest';
import { auditTrailOf, type Client, clientOf } from '../testing/client.ts';
import { createTestApi, type TestApi } from '../testing/test-api.ts';
import { AgentClient } from './agent-client.ts';

let api: TestApi;
let acme: Client;
let organization: string;
let agent: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = `org_${++count}`;
  acme = await clientOf(api, organization, { roles: ['owner'] });
  agent = await newAgent();
});

const newAgent = async (client = acme): Promise<string> =>
  (await client('post', '/agents', { name: 'Support', status: 'active' })).body.id;
const EDITOR = 'https://editor.example/oauth/client.json';
const path = (id = agent) => `/agents/${id}/clients`;
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
const listed = async (id = agent) => pageOf(AgentClient).parse((await acme('get', path(id))).body).data;
/** What the hub is told */
async function hubReads() {
  const token = await api.workloadToken('internal:connectors');
  const answer = await request(api.app)
    .get(`/internal/v1/organizations/${organization}/connectors`)
    .auth(token, { type: 'bearer' });
  return answer.body.agent_clients;
}

describe('a client of an agent', () => {
  it('is added, listed and removed, which the trail and the hub say', async () => {
    const added = await acme('post', path(), { client_id: EDITOR }, { 'Idempotency-Key': 'k' });
    expect([added.status, AgentClient.parse(added.body)]).toEqual([
      201,
      {
        id: expect.stringMatching(/^acl_/),
        agent_id: agent,
        client_id: EDITOR,
        created_at: expect.any(String),
      },
    ]);
    const again = await acme('post', path(), { client_id: EDITOR }, { 'Idempotency-Key': 'k' });
    expect(again.text).toBe(added.text);
    expect([await listed(), await hubReads()]).toEqual([
      [added.body],
      [{ client_id: EDITOR, agent_id: agent }],
    ]);
    expect((await acme('delete', `${path()}/${added.body.id}`)).status).toBe(204);
    expect(code(await acme('delete', `${path()}/${added.body.id}`))).toEqual([404, 'not_found']);
    expect([await listed(), await hubReads()]).toEqual([[], []]);
    const trail = await auditTrailOf(api, agent);
    expect(trail.slice(1).map(({ action, changes }) => [action, changes])).toEqual([
      ['agent.client_added', { client_id: { from: null, to: EDITOR } }],
      ['agent.client_removed', { client_id: { from: EDITOR, to: null } }],
    ]);
  });

  it('is one agent of an organization, also while that is deleted, and may be one of another', async () => {
    await acme('post', path(), { client_id: EDITOR });
    const other = await newAgent();
    expect(code(await acme('post', path(other), { client_id: EDITOR }))).toEqual([409, 'client_bound']);
    expect(code(await acme('post', path(), { client_id: EDITOR }))).toEqual([409, 'client_bound']);
    await acme('delete', `/agents/${agent}`);
    expect(code(await acme('post', path(other), { client_id: EDITOR }))).toEqual([409, 'client_bound']);
    expect(await hubReads()).toEqual([{ client_id: EDITOR, agent_id: agent }]);
    await acme('post', `/agents/${agent}/purge`);
    expect((await acme('post', path(other), { client_id: EDITOR })).status).toBe(201);
    const globex = await clientOf(api, `${organization}_b`);
    expect((await globex('post', path(await newAgent(globex)), { client_id: EDITOR })).status).toBe(201);
  });

  it('is added once by many who add it at the same time', async () => {
    const agents = await Promise.all([1, 2, 3, 4].map(() => newAgent()));
    const answers = await Promise.all(agents.map((id) => acme('post', path(id), { client_id: EDITOR })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('is one of twenty at most', async () => {
    for (let i = 0; i < 20; i += 1)
      expect((await acme('post', path(), { client_id: `${EDITOR}?${i}` })).status).toBe(201);
    expect(code(await acme('post', path(), { client_id: EDITOR }))).toEqual([409, 'quota_exceeded']);
  });

  it.each([
    [{}, 'required'],
    [{ client_id: 'editor' }, 'invalid_format'],
    [{ client_id: 'http://editor.example/client.json' }, 'invalid_format'],
    [{ client_id: 'https://editor.example/' }, 'invalid_format'],
    [{ client_id: 'https://editor.example/a/../b' }, 'invalid_format'],
    [{ client_id: `${EDITOR}#a` }, 'invalid_format'],
    [{ client_id: `${EDITOR}?${'x'.repeat(500)}` }, 'too_long'],
    [{ client_id: 7 }, 'invalid_type'],
  ])('is refused with %j', async (body, fault) => {
    const answer = await acme('post', path(), body);
    expect([answer.status, answer.body.errors?.[0]]).toEqual([
      400,
      expect.objectContaining({ pointer: '/client_id', code: fault }),
    ]);
  });

  it('of an agent that is not there, or is another organization’s, is not found', async () => {
    const globex = await clientOf(api, `${organization}_b`);
    const { id } = (await acme('post', path(), { client_id: EDITOR })).body;
    for (const answer of [
      await acme('get', path('agt_none')),
      await acme('post', path('agt_none'), { client_id: EDITOR }),
      await globex('get', path()),
      await globex('post', path(), { client_id: EDITOR }),
      await globex('delete', `${path()}/${id}`),
      await acme('delete', `${path()}/%00`),
    ])
      expect(code(answer)).toEqual([404, 'not_found']);
    expect(await listed()).toHaveLength(1);
  });

  it('needs the right to write agents', async () => {
    const limited = await clientOf(api, organization, { scope: 'agents:read' });
    expect((await limited('get', path())).status).toBe(200);
    expect((await limited('post', path(), { client_id: EDITOR })).body.required_scope).toBe('agents:write');
    expect((await limited('delete', `${path()}/acl_1`)).body.required_scope).toBe('agents:write');
  });
});
