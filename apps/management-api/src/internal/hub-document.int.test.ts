import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationDocument } from '@legate/management-contract';
import { createRateLimiter } from '@legate/rate-limit';
import request from 'supertest';
import { type Client, clientOf } from '../testing/client.ts';
import { createTestApi, type TestApi } from '../testing/test-api.ts';

const SECRET = 'the-hubs-secret';

let api: TestApi;
let acme: Client;
let organizationId: string;
let token: string;
let count = 0;
const others: TestApi[] = [];

beforeAll(async () => {
  api = await createTestApi();
  token = await api.workloadToken('internal:connectors');
});
afterAll(() => api.close());
afterEach(() => Promise.all(others.splice(0).map((other) => other.close())));
beforeEach(async () => {
  organizationId = `org_${++count}`;
  acme = await clientOf(api, organizationId, { roles: ['owner'] });
});

const path = (id = organizationId) => `/internal/v1/organizations/${id}/connectors`;
const read = (headers: Record<string, string> = {}, id = organizationId) =>
  request(api.app).get(path(id)).auth(token, { type: 'bearer' }).set(headers);

const newConnector = async (change: object = {}, client = acme) => {
  const body = {
    name: 'Tools',
    resource_url: `https://c${++count}.example/mcp`,
    client_id: 'hub',
    secret: SECRET,
    scopes: ['a', 'b'],
    ...change,
  };
  const created = await client('post', '/connectors', body);
  expect(created.status).toBe(201);
  return created.body;
};
const newAgent = async (status = 'active') =>
  (await acme('post', '/agents', { name: 'Support', status })).body.id as string;
const ids = async () => (await read()).body.connectors.map(({ id }: { id: string }) => id);

it("contains the connectors of an organization with their secrets, and its agents' bindings", async () => {
  const connector = await newConnector();
  const passthrough = await newConnector({
    auth_method: 'passthrough',
    acknowledge_legacy: true,
    client_id: null,
    secret: undefined,
  });
  const [agent, draft] = [await newAgent(), await newAgent('draft')];
  await acme('put', `/agents/${agent}/connectors/${connector.id}`, { scopes: ['a'], tools: ['find'] });
  const res = await read();
  expect([res.status, res.get('Cache-Control')]).toEqual([200, 'no-store']);
  expect(OrganizationDocument.safeParse(res.body).error).toBeUndefined();
  expect(res.body).toEqual({
    organization: {
      id: organizationId,
      name: organizationId,
      status: 'active',
      plan: 'free',
      requests_per_minute: 60,
      agent_policy: 'any',
      role_source: 'local',
    },
    connectors: [
      {
        id: connector.id,
        organization_id: organizationId,
        name: 'Tools',
        slug: 'tools',
        resource_url: connector.resource_url,
        mcp_url: null,
        auth_method: 'id-jag',
        service_kind: null,
        scopes: ['a', 'b'],
        step_up_scopes: [],
        id_jag_used: false,
        consent_used: false,
        token_exchange_used: false,
        exchange_audience: null,
        token_audience: null,
        acknowledge_shared_audience: false,
        fallback_approval: null,
        client_id: 'hub',
        token_endpoint_auth_method: null,
        issuer: null,
        audience: null,
        secret: SECRET,
        secret_unreadable: false,
        fallback: [],
        passthrough_audiences: [],
        api_key_header: null,
        ca_certificates: null,
        fallback_secret: null,
        fallback_secret_unreadable: false,
        acknowledge_legacy: false,
        metadata: null,
        version: '1',
      },
      expect.objectContaining({
        id: passthrough.id,
        secret: null,
        secret_unreadable: false,
        client_id: null,
      }),
    ],
    agents: [
      {
        id: agent,
        name: 'Support',
        status: 'active',
        connectors: [{ connector_id: connector.id, scopes: ['a'], tools: ['find'], approval: 'write' }],
      },
      { id: draft, name: 'Support', status: 'draft', connectors: [] },
    ].sort((a, b) => (a.id < b.id ? -1 : 1)),
    roles: { user_alice: 'owner' },
    removed_users: [],
    denied_clients: [],
    agent_clients: [],
  });
});

it('contains no connector that is disabled or deleted, and no agent that is deleted', async () => {
  const [kept, disabled, deleted] = [await newConnector(), await newConnector(), await newConnector()];
  const agent = await newAgent();
  await acme('patch', `/connectors/${disabled.id}`, { enabled: false });
  await acme('delete', `/connectors/${deleted.id}`);
  await acme('delete', `/agents/${agent}`);
  expect(await ids()).toEqual([kept.id]);
  expect((await read()).body.agents).toEqual([]);
});

it('contains nothing of another organization', async () => {
  await newConnector();
  const globex = await clientOf(api, 'org_globex', { roles: ['owner'] });
  const own = await newConnector({}, globex);
  const res = await read({}, 'org_globex');
  expect(res.body.connectors.map(({ id }: { id: string }) => id)).toEqual([own.id]);
  expect(JSON.stringify(res.body)).not.toContain(organizationId);
});

it('contains the current role of each member', async () => {
  await acme('get', '/organization'); // creates the organization
  const joined = async (sub: string, role: string) => {
    const member = await clientOf(api, organizationId, { sub, roles: [role] });
    return (await member('get', '/me')).body.user.id as string;
  };
  await joined('user_bob', 'admin');
  await joined('user_carol', 'developer');
  await joined('user_dave', 'viewer');
  const roles = async () => (await read()).body.roles;
  expect(await roles()).toEqual({
    user_alice: 'owner',
    user_bob: 'admin',
    user_carol: 'developer',
    user_dave: 'viewer',
  });
  const members = (await acme('get', '/members')).body.data as { id: string; user_id: string }[];
  const idOf = (user: string) => members.find(({ user_id }) => user_id === user)?.id;
  await acme('patch', `/members/${idOf('user_bob')}`, { role: 'viewer' });
  await acme('delete', `/members/${idOf('user_carol')}`);
  expect(await roles()).toEqual({ user_alice: 'owner', user_bob: 'viewer', user_dave: 'viewer' });
  await acme('patch', '/organization', { role_source: 'identity_provider' });
  expect((await read()).body.organization.role_source).toBe('identity_provider');
});

it('contains users who are no longer members', async () => {
  await acme('get', '/organization'); // creates the organization
  await api.database.asOwner((owner) =>
    owner.query(
      `INSERT INTO members (organization_id, user_id, id, role, removed_at, kept_out)
       VALUES ($1, 'user_gone', $2, 'developer', now(), null), ($1, 'user_here', $3, 'developer', null, null),
         ($1, 'user_denied', 'd' || $2, 'viewer', now(), 'denied'),
         ($1, 'user_off', 'o' || $2, 'viewer', now(), 'deactivated')`,
      [organizationId, `mem_g${count}`, `mem_h${count}`],
    ),
  );
  expect((await read()).body.removed_users).toEqual(['user_denied', 'user_gone', 'user_off']);
});

it('contains the applications that members have denied, in a new version', async () => {
  await acme('get', '/organization'); // creates the organization
  const alice = await clientOf(api, organizationId, { client_id: 'another-app' });
  const before = await read();
  expect(before.body.denied_clients).toEqual([]);
  for (const [client_id, decision] of [
    ['chat-app', 'deny'],
    ['console', 'deny'],
    ['console', 'approve'],
  ]) {
    await alice('put', `/me/consents/${client_id}`, { decision });
  }
  const after = await read();
  expect(after.body.denied_clients).toEqual([{ user_id: 'user_alice', client_id: 'chat-app' }]);
  expect(after.headers.etag).not.toBe(before.headers.etag);
});

it('contains the status of a suspended organization, and no connector', async () => {
  await newConnector();
  const { body } = await acme('get', '/organization');
  await acme('delete', `/organization?confirm=${body.name}`);
  const res = await read();
  expect([res.status, res.body]).toEqual([
    200,
    {
      organization: {
        id: organizationId,
        name: organizationId,
        status: 'suspended',
        plan: 'free',
        requests_per_minute: 60,
        agent_policy: 'any',
        role_source: 'local',
      },
      connectors: [],
      agents: [],
      roles: { user_alice: 'owner' },
      removed_users: [],
      denied_clients: [],
      agent_clients: [],
    },
  ]);
});

it.each(['org_nobody_knows', 'org%00', 'a:b'])('returns 404 for the organization %s', async (id) => {
  const res = await read({}, id);
  expect([res.status, res.body.code]).toEqual([404, 'organization_not_found']);
});

describe('the ETag', () => {
  const etag = async () => (await read()).get('ETag') ?? '';

  it('leads to 304 while nothing has changed, without any secret', async () => {
    await newConnector();
    const res = await read({ 'If-None-Match': await etag() });
    expect([res.status, res.text, res.get('ETag')]).toEqual([304, '', await etag()]);
  });

  it.each<[string, (connector: string, agent: string) => Promise<unknown>]>([
    ['a secret', (id) => acme('put', `/connectors/${id}/secret`, { secret: 'another-secret' })],
    ['the same secret, set again', (id) => acme('put', `/connectors/${id}/secret`, { secret: SECRET })],
    ['scopes', (id) => acme('patch', `/connectors/${id}`, { scopes: ['a'] })],
    ['a connector that goes', (id) => acme('delete', `/connectors/${id}`)],
    ['a connector that comes', () => newConnector()],
    ['the status of an agent', (_id, agent) => acme('patch', `/agents/${agent}`, { status: 'disabled' })],
    ['what is bound to an agent', (id, agent) => acme('put', `/agents/${agent}/connectors/${id}`)],
  ])('changes with %s', async (_case, change) => {
    const [{ id }, agent] = [await newConnector(), await newAgent()];
    const before = await etag();
    await change(id, agent);
    expect(await etag()).not.toBe(before);
  });
});

it('marks a secret that cannot be decrypted, contains the others, and then has no ETag', async () => {
  const [broken, good] = [await newConnector(), await newConnector()];
  await api.database.asOwner((owner) =>
    owner.query('UPDATE connectors SET secret = $2 WHERE id = $1', [broken.id, Buffer.from('altered')]),
  );
  const res = await read();
  expect(res.body.connectors).toEqual([
    expect.objectContaining({ id: broken.id, secret: null, secret_unreadable: true }),
    expect.objectContaining({ id: good.id, secret: SECRET, secret_unreadable: false }),
  ]);
  expect(res.get('ETag')).toBeUndefined();
});

describe('access to the document', () => {
  const get = (bearer: string) => request(api.app).get(path()).auth(bearer, { type: 'bearer' });

  it.each<[string, Record<string, unknown>]>([
    ['a user who may read connectors', { scope: 'connectors:read', roles: ['owner'] }],
    ['a user with a token that has the scope', { scope: 'internal:connectors', client_id: 'tool-hub' }],
    ['a user named like the hub', { sub: 'tool-hub', client_id: 'tool-hub', scope: 'internal:connectors' }],
  ])('is refused to %s', async (_case, claims) => {
    await newConnector();
    const res = await get(await api.token(organizationId, { client_id: 'frontend-app', ...claims }));
    expect([res.status, res.body.code]).toEqual([403, 'workload_required']);
    expect(res.text).not.toContain(SECRET);
  });

  it('is refused to a workload without the scope', async () => {
    const res = await get(await api.workloadToken('internal:audit-events'));
    expect([res.status, res.body.code]).toEqual([403, 'insufficient_permission']);
  });

  it('is refused to a workload that is not configured, and to a request without a token', async () => {
    const other = await api.workloadToken('internal:connectors', { sub: 'other', client_id: 'other' });
    expect((await get(other)).body.code).toBe('workload_unknown');
    expect((await request(api.app).get(path())).status).toBe(401);
  });

  it('is all that its token gives: operations for users refuse it', async () => {
    for (const users of ['/sites', '/connectors', '/audit-events', '/organization']) {
      const res = await request(api.app).get(`/api/v1${users}`).auth(token, { type: 'bearer' });
      expect([users, res.status, res.body.code]).toEqual([users, 403, 'service_account_unknown']);
    }
  });

  it("is not possible from a web page, and the API's description does not contain it", async () => {
    const res = await read({ Origin: 'https://console.example' });
    expect(Object.keys(res.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const document = await request(api.app).get('/api/v1/openapi.json');
    expect(Object.keys(document.body.paths).filter((described) => described.includes('internal'))).toEqual(
      [],
    );
    expect(document.text).not.toContain('internal:');
    expect((await request(api.app).get(`/api${path()}`).auth(token, { type: 'bearer' })).status).toBe(404);
  });

  it('is refused with other methods and paths', async () => {
    const post = await request(api.app).post(path()).auth(token, { type: 'bearer' });
    expect([post.status, post.get('Allow')]).toEqual([405, 'GET, HEAD']);
    expect((await request(api.app).get('/internal/v1/x').auth(token, { type: 'bearer' })).status).toBe(404);
    expect((await request(api.app).get('/internal/v1/x')).status).toBe(401);
  });

  it('is limited for each workload', async () => {
    const limiter = createRateLimiter({ clock: () => new Date() });
    const limited = await createTestApi({ beside: api, workloadRequestsPerMinute: 2, limiter });
    others.push(limited);
    const bearer = await limited.workloadToken('internal:connectors');
    const statuses = [];
    for (let i = 0; i < 3; i += 1) {
      const res = await request(limited.app).get(path()).auth(bearer, { type: 'bearer' });
      statuses.push([res.status, res.get('X-RateLimit-Remaining')]);
    }
    expect(statuses).toEqual([
      [404, '1'],
      [404, '0'],
      [429, '0'],
    ]);
  });

  it('is limited for unknown clients separately from registered ones', async () => {
    const limiter = createRateLimiter({ clock: () => new Date() });
    const limited = await createTestApi({ beside: api, workloadRequestsPerMinute: 2, limiter });
    others.push(limited);
    const agent = await newAgent();
    const registration = {
      name: 'Desk',
      redirect_uris: ['https://desk.example/'],
      token_endpoint_auth_method: 'none',
    };
    const known = (await acme('post', `/agents/${agent}/clients`, registration)).body.client_id;
    const unknown = 'lac_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QM';
    const bearer = await limited.workloadToken('internal:connectors');
    const statuses = [];
    for (const id of [unknown, unknown, unknown, known, known, known])
      statuses.push(
        (await request(limited.app).get(`/internal/v1/clients/${id}`).auth(bearer, { type: 'bearer' }))
          .status,
      );
    expect(statuses).toEqual([404, 404, 429, 200, 200, 429]);
  });

  it('is limited separately for each kind of request, so that look-ups of clients block nothing else', async () => {
    const limiter = createRateLimiter({ clock: () => new Date() });
    const limited = await createTestApi({ beside: api, workloadRequestsPerMinute: 2, limiter });
    others.push(limited);
    const bearer = await limited.workloadToken('internal:connectors internal:clients internal:audit-events');
    const send = async (method: 'get' | 'post', where: string) =>
      (await request(limited.app)[method](where).auth(bearer, { type: 'bearer' })).status;
    const client = '/internal/v1/clients/lac_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QM';
    const clients = [await send('get', client), await send('get', client), await send('get', client)];
    expect(clients.slice(2)).toEqual([429]);
    expect(await send('get', path())).not.toBe(429);
    expect(await send('post', '/internal/v1/audit-events')).not.toBe(429);
    expect(await send('post', '/internal/v1/organizations/org_acme/connectors/con_x/listed-tools')).not.toBe(
      429,
    );
  });
});

it.each([
  ['pro', null, 300],
  ['custom', 1234, 1234],
  ['custom', null, 3000],
])('contains the limit of plan %s (own limit %j), with a different ETag', async (plan, own, expected) => {
  await newConnector();
  const before = (await read()).get('ETag') ?? '';
  const statement = 'UPDATE organizations SET plan = $2, rate_limit_per_minute = $3 WHERE id = $1';
  await api.database.asOwner((owner) => owner.query(statement, [organizationId, plan, own]));
  const res = await read({ 'If-None-Match': before });
  expect([res.status, res.body.organization]).toEqual([
    200,
    expect.objectContaining({ plan, requests_per_minute: expected }),
  ]);
});

it('contains the agent policy of the organization', async () => {
  await acme('patch', '/organization', { agent_policy: 'authenticated' });
  expect((await read()).body.organization.agent_policy).toBe('authenticated');
});
