import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentClientRecord } from '@legate/management-contract';
import { pageOf } from '@legate/pagination';
import request from 'supertest';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { AgentClient, NewAgentClient } from './agent-client.ts';

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
const DESK = {
  name: 'Support desk',
  redirect_uris: ['https://desk.example/callback', 'http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'client_secret_basic',
};
const path = (id = agent) => `/agents/${id}/clients`;
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
const listed = async (id = agent) => pageOf(AgentClient).parse((await acme('get', path(id))).body).data;
/** Returns the clients that the hub gets */
async function hubReads() {
  const token = await api.workloadToken('internal:connectors');
  const answer = await request(api.app)
    .get(`/internal/v1/organizations/${organization}/connectors`)
    .auth(token, { type: 'bearer' });
  return answer.body.agent_clients;
}

describe('a client of an agent', () => {
  it('is added, listed and removed, with an audit event and a notification of the hub', async () => {
    const added = await acme('post', path(), { client_id: EDITOR }, { 'Idempotency-Key': 'k' });
    expect([added.status, NewAgentClient.parse(added.body)]).toEqual([
      201,
      {
        id: expect.stringMatching(/^acl_/),
        agent_id: agent,
        client_id: EDITOR,
        name: null,
        redirect_uris: null,
        token_endpoint_auth_method: null,
        client_secret: null,
        created_at: expect.any(String),
      },
    ]);
    const again = await acme('post', path(), { client_id: EDITOR }, { 'Idempotency-Key': 'k' });
    expect(again.text).toBe(added.text);
    const { client_secret, ...rest } = added.body;
    expect([await listed(), await hubReads()]).toEqual([
      [AgentClient.parse(rest)],
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

  it('is bound to one agent of an organization, even while the agent is deleted, and may act for another organization', async () => {
    await acme('post', path(), { client_id: EDITOR });
    const other = await newAgent();
    expect(code(await acme('post', path(other), { client_id: EDITOR }))).toEqual([409, 'client_bound']);
    expect(code(await acme('post', path(), { client_id: EDITOR }))).toEqual([409, 'client_bound']);
    await acme('delete', `/agents/${agent}`);
    expect(code(await acme('post', path(other), { client_id: EDITOR }))).toEqual([409, 'client_bound']);
    expect(await hubReads()).toEqual([{ client_id: EDITOR, agent_id: agent }]);
    await acme('post', `/agents/${agent}/purge`);
    expect((await acme('post', path(other), { client_id: EDITOR })).status).toBe(201);
    const globex = await clientOf(api, `${organization}_b`, { roles: ['admin'] });
    expect((await globex('post', path(await newAgent(globex)), { client_id: EDITOR })).status).toBe(201);
  });

  it('is added only once by concurrent requests', async () => {
    const agents = await Promise.all([1, 2, 3, 4].map(() => newAgent()));
    const answers = await Promise.all(agents.map((id) => acme('post', path(id), { client_id: EDITOR })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('is refused if the agent has twenty already', async () => {
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

  it('returns 404 for an agent that does not exist or belongs to another organization', async () => {
    const globex = await clientOf(api, `${organization}_b`, { roles: ['admin'] });
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

  it('needs the scope clients:write', async () => {
    const limited = await clientOf(api, organization, { scope: 'agents:read agents:write' });
    expect((await limited('get', path())).status).toBe(200);
    for (const answer of [
      await limited('post', path(), { client_id: EDITOR }),
      await limited('post', path(), DESK),
      await limited('delete', `${path()}/acl_1`),
    ])
      expect([answer.status, answer.body.code, answer.body.required_scope]).toEqual([
        403,
        'insufficient_permission',
        'clients:write',
      ]);
  });

  it.each([
    ['owner', 201],
    ['admin', 201],
    ['developer', 403],
    ['viewer', 403],
  ])('responds to a member who is %s with status %d', async (role, status) => {
    const member = await clientOf(api, organization, { sub: `user_${role}`, roles: [role] });
    for (const body of [{ client_id: EDITOR }, DESK])
      expect((await member('post', path(), body)).status).toBe(status);
    if (role === 'developer') expect((await member('post', '/agents', { name: 'Mine' })).status).toBe(201);
  });

  it.each(['admin', 'developer'])(
    'is never added or removed by a machine, with whatever credential: %s',
    async (role) => {
      const machine = await acme('post', '/service-accounts', { name: 'CI', role });
      const account = `/service-accounts/${machine.body.id}`;
      const scopes = ['agents:read', 'agents:write'];
      const { key } = (await acme('post', `${account}/keys`, { name: 'k', scopes })).body;
      await acme('put', `${account}/client`, { subject: 'ci' });
      const token = await api.token(organization, { sub: 'ci', client_id: 'ci', roles: undefined });
      const { id } = (await acme('post', path(), { client_id: EDITOR })).body;
      for (const bearer of [key, token]) {
        const call = (method: 'post' | 'delete', at: string) =>
          request(api.app)[method](`/api/v1${at}`).auth(bearer, { type: 'bearer' });
        expect(code(await call('post', path()).send(DESK))).toEqual([403, 'insufficient_permission']);
        expect(code(await call('delete', `${path()}/${id}`))).toEqual([403, 'insufficient_permission']);
        expect((await call('post', '/agents').send({ name: 'Mine' })).status).toBe(201);
      }
      expect(await listed()).toHaveLength(1);
    },
  );

  it('is recorded in the audit trail, with its name and redirect URIs', async () => {
    await acme('post', path(), DESK);
    const trail = await auditTrailOf(api, agent);
    expect(trail.at(-1)).toMatchObject({
      action: 'agent.client_added',
      changes: {
        client_id: { from: null, to: expect.stringMatching(/^lac_/) },
        name: { from: null, to: DESK.name },
        redirect_uris: { from: null, to: DESK.redirect_uris },
        token_endpoint_auth_method: { from: null, to: DESK.token_endpoint_auth_method },
      },
    });
  });
});

describe('a client that is registered for an agent', () => {
  const JWKS = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43), kid: 'k' }] };
  const register = async (body: object = DESK, headers = {}) => {
    const answer = await acme('post', path(), body, headers);
    return { answer, client: NewAgentClient.parse(answer.body) };
  };
  async function askOf(clientId: string, scope = 'internal:connectors') {
    const token = await api.workloadToken(scope);
    return request(api.app)
      .get(`/internal/v1/clients/${encodeURIComponent(clientId)}`)
      .auth(token, { type: 'bearer' });
  }

  it('gets an id and a secret, which is shown once and kept as a digest', async () => {
    const { answer, client } = await register(DESK, { 'Idempotency-Key': 'k' });
    expect(answer.status).toBe(201);
    expect(answer.headers['cache-control']).toContain('no-store');
    expect(client).toMatchObject({ ...DESK, agent_id: agent, client_id: expect.stringMatching(/^lac_/) });
    const secret = client.client_secret ?? '';
    expect(secret).toMatch(/^lgs_/);
    expect((await register(DESK, { 'Idempotency-Key': 'k' })).client).toEqual({
      ...client,
      client_secret: null,
    });
    expect(JSON.stringify(await listed())).not.toContain(secret);
    expect(JSON.stringify(await auditTrailOf(api, agent))).not.toContain(secret);

    const served = AgentClientRecord.parse((await askOf(client.client_id)).body);
    expect(served).toEqual({
      client_id: client.client_id,
      organization_id: organization,
      agent_id: agent,
      ...DESK,
      secret_hashes: [hash('sha256', secret, 'hex')],
    });
    expect(await hubReads()).toEqual([{ client_id: client.client_id, agent_id: agent }]);
  });

  it.each([
    ['a public one', { token_endpoint_auth_method: 'none' }],
    ['one with keys', { token_endpoint_auth_method: 'private_key_jwt', jwks: JWKS }],
  ])('has no secret: %s', async (_kind, own) => {
    const { client } = await register({ ...DESK, ...own });
    expect(client.client_secret).toBeNull();
    const served = AgentClientRecord.parse((await askOf(client.client_id)).body);
    expect(served).toMatchObject({ ...own, secret_hashes: [] });
  });

  it('is unknown to the hub once it is removed or its agent is purged', async () => {
    const first = (await register()).client;
    const second = (await register()).client;
    await acme('delete', `${path()}/${first.id}`);
    expect(code(await askOf(first.client_id))).toEqual([404, 'agent_client_not_found']);
    await acme('delete', `/agents/${agent}`);
    expect((await askOf(second.client_id)).status).toBe(200); // the hub itself refuses a deleted agent
    await acme('post', `/agents/${agent}/purge`);
    expect(code(await askOf(second.client_id))).toEqual([404, 'agent_client_not_found']);
  });

  it.each(['lac_none', EDITOR, 'lac_\0', '%', `lac_${'x'.repeat(400)}`])(
    'is not found by %j',
    async (clientId) => {
      await acme('post', path(), { client_id: EDITOR });
      expect(code(await askOf(clientId))).toEqual([404, 'agent_client_not_found']);
    },
  );

  it('is served to the hub only', async () => {
    const { client } = await register();
    expect((await askOf(client.client_id, 'internal:audit-events')).status).toBe(403);
    expect((await request(api.app).get(`/internal/v1/clients/${client.client_id}`)).status).toBe(401);
  });

  it.each<[string, object, string, string]>([
    ['a document and a name', { client_id: EDITOR, name: 'x' }, '/name', 'unknown_field'],
    ['no name', { ...DESK, name: undefined }, '/name', 'required'],
    ['no redirect URI', { ...DESK, redirect_uris: [] }, '/redirect_uris', 'out_of_range'],
    [
      'plain http',
      { ...DESK, redirect_uris: ['http://desk.example/'] },
      '/redirect_uris/0',
      'invalid_format',
    ],
    [
      'a scheme of a program',
      { ...DESK, redirect_uris: ['cursor://x/y'] },
      '/redirect_uris/0',
      'invalid_format',
    ],
    [
      'a fragment',
      { ...DESK, redirect_uris: ['https://desk.example/#a'] },
      '/redirect_uris/0',
      'invalid_format',
    ],
    [
      'another method',
      { ...DESK, token_endpoint_auth_method: 'x' },
      '/token_endpoint_auth_method',
      'invalid_enum',
    ],
    ['keys for nothing', { ...DESK, jwks: JWKS }, '/jwks', 'unknown_field'],
    ['no keys', { ...DESK, token_endpoint_auth_method: 'private_key_jwt' }, '/jwks', 'required'],
    [
      'a private key',
      {
        ...DESK,
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ ...JWKS.keys[0], d: 'A' }] },
      },
      '/jwks/keys/0',
      'invalid_format',
    ],
  ])('is refused with %s', async (_what, body, pointer, fault) => {
    const answer = await acme('post', path(), body);
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [expect.objectContaining({ pointer, code: fault })],
    ]);
  });
});
