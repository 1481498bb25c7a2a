import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageOf } from '@legate/pagination';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { Connector } from './connector.ts';

let api: TestApi;
let acme: Client;
let connector: Connector;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  acme = await clientOf(api, `org_${++count}`, { roles: ['admin'] });
  connector = Connector.parse((await acme('post', '/connectors', BILLING)).body);
});

const SECRET = 'the-hubs-secret';
const BILLING = {
  name: 'Billing tools',
  resource_url: 'https://mcp.acme.com/billing',
  client_id: 'hub-prod',
  scopes: ['mcp:tools:read', 'mcp:tools:call', 'mcp:tools:read'],
  secret: SECRET,
};
const path = () => `/connectors/${connector.id}`;
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
const faults = (answer: { body: { errors: { pointer: string; code: string }[] } }) =>
  answer.body.errors.map((fault) => [fault.pointer, fault.code]);

describe('a connector', () => {
  it('is created with its secret, which no response contains, and is found at its Location', async () => {
    const wanted = { ...BILLING, resource_url: 'https://mcp.acme.com/' };
    const created = await acme('post', '/connectors', wanted, { 'Idempotency-Key': 'k' });
    expect([created.status, created.headers.etag]).toEqual([201, '"1"']);
    expect(Connector.parse(created.body)).toMatchObject({
      id: expect.stringMatching(/^con_/),
      resource_url: 'https://mcp.acme.com/',
      auth_method: 'id-jag',
      service_kind: null,
      issuer: null,
      fallback: [],
      passthrough_audiences: [],
      api_key_header: null,
      ca_certificates: null,
      has_fallback_secret: false,
      scopes: ['mcp:tools:read', 'mcp:tools:call'],
      has_secret: true,
      secret_updated_at: api.now().toISOString(),
      status: 'pending',
      metadata: null,
      last_error: null,
      enabled: true,
      acknowledge_legacy: false,
    });
    const found = await acme('get', (created.headers.location as string).replace('/api/v1', ''));
    expect([found.headers.etag, found.body]).toEqual(['"1"', created.body]);
    const again = await acme('post', '/connectors', wanted, { 'Idempotency-Key': 'k' });
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([created.text, 'true']);
    const other = { ...wanted, secret: 'another secret' };
    expect(code(await acme('post', '/connectors', other, { 'Idempotency-Key': 'k' }))).toEqual([
      422,
      'idempotency_key_reused',
    ]);
    expect(created.text + found.text + again.text).not.toContain(SECRET);
  });

  it('is changed by a merge patch of the version that was read', async () => {
    const patch = { name: 'New', scopes: ['a'], enabled: false };
    const changed = await acme('patch', path(), patch, { 'If-Match': '"1"' });
    expect([changed.status, changed.headers.etag]).toEqual([200, '"2"']);
    expect(changed.body).toEqual({ ...connector, ...patch, updated_at: expect.any(String) });
    const same = await acme('patch', path(), changed.body);
    expect(same.headers.etag).toBe('"2"');
    expect(code(await acme('patch', path(), { name: 'x' }, { 'If-Match': '"1"' }))).toEqual([
      412,
      'version_mismatch',
    ]);
  });

  it.each([
    [{ resource_url: 'mcp.acme.com' }, '/resource_url', 'invalid_format'],
    [{ resource_url: 'https://mcp.acme.com#a', secret: SECRET }, '/resource_url', 'invalid_format'],
    [{ resource_url: 'http://mcp.acme.com', secret: SECRET }, '/resource_url', 'resource_url_forbidden'],
    [{ resource_url: 'https://169.254.169.254', secret: SECRET }, '/resource_url', 'resource_url_forbidden'],
    [{ auth_method: 'basic' }, '/auth_method', 'invalid_enum'],
    [{ auth_method: 'service', secret: SECRET }, '/service_kind', 'required'],
    [{ service_kind: 'mtls', secret: SECRET }, '/service_kind', 'not_applicable'],
    [{ auth_method: 'passthrough' }, '/acknowledge_legacy', 'legacy_not_acknowledged'],
    [{ auth_method: 'oauth-pkce', client_id: null, secret: SECRET }, '/secret', 'secret_not_applicable'],
    [{ client_id: null }, '/client_id', 'required'],
    [{ client_id: '' }, '/client_id', 'too_short'],
    [{ scopes: ['a b'] }, '/scopes/0', 'invalid_format'],
    [{ scopes: Array(101).fill('a') }, '/scopes', 'too_many_items'],
    [{ secret: 'short' }, '/secret', 'too_short'],
    [{ secret: 'x'.repeat(4097) }, '/secret', 'too_long'],
    [{ secret: 'a\u0000bcdefgh' }, '/secret', 'invalid_format'],
    [{ secret: null }, '/secret', 'invalid_type'],
    [{ discovery: { auth: 'none' } }, '/discovery', 'unknown_field'],
    [{ has_secret: false }, '/has_secret', 'field_read_only'],
    [{ status: 'ready' }, '/status', 'field_read_only'],
    [{ secret_ref: 'x' }, '/secret_ref', 'unknown_field'],
  ])('refuses %j', async (body, pointer, fault) => {
    const answer = await acme('patch', path(), body);
    expect([answer.status, faults(answer)]).toContainEqual(
      expect.arrayContaining([expect.arrayContaining([pointer, fault])]),
    );
    expect(answer.status).toBe(400);
    expect((await acme('get', path())).body).toEqual(connector);
  });

  it('cannot be enabled without the secret that its method needs', async () => {
    const { secret: _, ...without } = { ...BILLING, resource_url: 'https://b.acme.com' };
    expect(faults(await acme('post', '/connectors', without))).toEqual([['/secret', 'required']]);
    const disabled = await acme('post', '/connectors', { ...without, enabled: false });
    expect([disabled.status, disabled.body.has_secret]).toEqual([201, false]);
    const its = `/connectors/${disabled.body.id}`;
    expect(faults(await acme('patch', its, { enabled: true }))).toEqual([['/secret', 'required']]);
    expect((await acme('put', `${its}/secret`, { secret: SECRET })).status).toBe(204);
    expect((await acme('patch', its, { enabled: true })).status).toBe(200);
    expect(code(await acme('delete', `${its}/secret`))).toEqual([409, 'secret_required']);
  });

  it.each([
    { resource_url: 'https://mcp.evil.example' },
    { auth_method: 'service', service_kind: 'api_key' },
  ])('loses its secret with a change to %j', async (change) => {
    expect(faults(await acme('patch', path(), change))).toEqual([['/secret', 'required']]);
    const disabled = await acme('patch', path(), { ...change, enabled: false });
    expect(disabled.body).toMatchObject({ has_secret: false, secret_updated_at: null });
    const renewed = await acme('patch', path(), { secret: 'a-new-secret', enabled: true });
    expect(renewed.body).toMatchObject({ has_secret: true, enabled: true });
  });

  it("passes users' tokens through only with an acknowledgement, which each such change needs", async () => {
    const legacy = { auth_method: 'passthrough', acknowledge_legacy: true };
    const changed = await acme('patch', path(), legacy);
    expect(changed.body).toMatchObject({ ...legacy, has_secret: false });
    const back = await acme('patch', path(), { auth_method: 'id-jag', secret: SECRET });
    expect(back.body.acknowledge_legacy).toBe(false);
    expect(faults(await acme('patch', path(), { auth_method: 'passthrough' }))).toEqual([
      ['/acknowledge_legacy', 'legacy_not_acknowledged'],
    ]);
    const [, event] = await auditTrailOf(api, connector.id);
    expect(event?.changes).toEqual({
      auth_method: { from: 'id-jag', to: 'passthrough' },
      acknowledge_legacy: { from: false, to: true },
      secret: { from: '[redacted]', to: null },
    });
  });

  it('is unique for its resource, even if many are created, changed or restored concurrently', async () => {
    const url = 'https://c.acme.com';
    const make = () => acme('post', '/connectors', { ...BILLING, resource_url: url });
    const answers = await Promise.all(Array.from({ length: 5 }, make));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
    const other = answers.find((answer) => answer.status === 201)?.body.id;
    const taken = [409, 'resource_already_registered'];
    expect(code(await acme('patch', path(), { resource_url: url, secret: SECRET }))).toEqual(taken);
    expect((await acme('delete', `/connectors/${other}`)).status).toBe(204);
    expect((await make()).status).toBe(201);
    expect(code(await acme('post', `/connectors/${other}/restore`))).toEqual(taken);
  });

  it('is named when a second one for its resource is created, changed or restored', async () => {
    const second = { ...BILLING, name: 'Second', resource_url: 'https://c.acme.com' };
    const deleted = (await acme('post', '/connectors', { ...second })).body.id;
    await acme('delete', `/connectors/${deleted}`);
    const holder = (await acme('post', '/connectors', second)).body;
    const refused = {
      code: 'resource_already_registered',
      detail: `The connector Second (${holder.id}) has this resource_url.`,
      connector: { id: holder.id, name: 'Second' },
    };
    expect((await acme('post', '/connectors', second)).body).toMatchObject(refused);
    const patch = { resource_url: second.resource_url, secret: SECRET };
    expect((await acme('patch', path(), patch)).body).toMatchObject(refused);
    expect((await acme('post', `/connectors/${deleted}/restore`)).body).toMatchObject(refused);
  });

  it('is not named to a caller who may write connectors but not read them', async () => {
    const claims = { roles: ['admin'], scope: 'connectors:write' };
    const writer = await clientOf(api, `org_${count}`, claims);
    const { body } = await writer('post', '/connectors', BILLING);
    expect(body).toMatchObject({
      code: 'resource_already_registered',
      detail: 'The organization has another connector for this resource_url.',
    });
    expect(body).not.toHaveProperty('connector');
  });

  it('is deleted, can be restored with its secret within 30 days, and cannot be restored afterwards', async () => {
    expect((await acme('delete', path(), undefined, { 'If-Match': '"9"' })).status).toBe(412);
    expect((await acme('delete', path())).status).toBe(204);
    for (const answer of [await acme('get', path()), await acme('delete', path())]) {
      expect(code(answer)).toEqual([404, 'not_found']);
    }
    const restored = await acme('post', `${path()}/restore`);
    expect([restored.status, restored.body.has_secret]).toEqual([200, true]);
    expect((await acme('post', `${path()}/restore`)).headers.etag).toBe(restored.headers.etag);
    await acme('delete', path());
    api.advanceSeconds(30 * 24 * 3600);
    acme = await clientOf(api, `org_${count}`, { roles: ['admin'] });
    expect((await acme('post', `${path()}/restore`)).status).toBe(404);
  });

  it('is listed by method, status, name and by whether it is enabled, in the requested order', async () => {
    const pkce = {
      name: 'Alpha',
      resource_url: 'https://a.acme.com',
      auth_method: 'oauth-pkce',
      client_id: 'x',
    };
    await acme('post', '/connectors', { ...pkce, enabled: false });
    const names = async (query: string) =>
      pageOf(Connector)
        .parse((await acme('get', `/connectors?${query}`)).body)
        .data.map((item) => item.name);
    expect(await names('')).toEqual(['Billing tools', 'Alpha']);
    expect(await names('sort=name')).toEqual(['Alpha', 'Billing tools']);
    expect(await names('auth_method=id-jag')).toEqual(['Billing tools']);
    expect(await names('enabled=false')).toEqual(['Alpha']);
    expect(await names('enabled=true&limit=1')).toEqual(['Billing tools']);
    expect(await names('search=BILLING')).toEqual(['Billing tools']);
    expect(await names('search=tools&status=pending')).toEqual(['Billing tools']);
    expect(await names('status=ready')).toEqual([]);
    expect((await acme('get', '/connectors?enabled=1')).status).toBe(400);
    expect((await acme('get', '/connectors?status=odd')).status).toBe(400);
  });
});

describe('the secret', () => {
  it('is replaced and removed separately, and the audit trail records it without its value', async () => {
    const put = await acme('put', `${path()}/secret`, { secret: 'another secret' }, { 'If-Match': '"1"' });
    expect([put.status, put.text]).toEqual([204, '']);
    await acme('patch', path(), { enabled: false });
    expect((await acme('delete', `${path()}/secret`)).status).toBe(204);
    expect(code(await acme('delete', `${path()}/secret`))).toEqual([404, 'not_found']);
    expect((await acme('get', path())).body).toMatchObject({ has_secret: false, secret_updated_at: null });
    const trail = await auditTrailOf(api, connector.id);
    expect(trail.map((event) => [event.action, (event.changes as { secret?: unknown }).secret])).toEqual([
      ['connector.created', { from: null, to: '[redacted]' }],
      ['connector.secret_set', { from: '[redacted]', to: '[redacted]' }],
      ['connector.updated', undefined],
      ['connector.secret_removed', { from: '[redacted]', to: null }],
    ]);
  });

  it('is refused for a method without a secret', async () => {
    await acme('patch', path(), { auth_method: 'oauth-pkce', client_id: null });
    expect(code(await acme('put', `${path()}/secret`, { secret: SECRET }))).toEqual([
      409,
      'secret_not_applicable',
    ]);
  });
});

it('is hidden from another organization, on every path', async () => {
  const globex = await clientOf(api, 'org_globex', { roles: ['admin'] });
  const calls = [
    globex('get', path()),
    globex('patch', path(), { name: 'x' }),
    globex('delete', path()),
    globex('post', `${path()}/restore`),
    globex('put', `${path()}/secret`, { secret: SECRET }),
    globex('delete', `${path()}/secret`),
    globex('post', `${path()}/check`),
    acme('get', '/connectors/%00'),
  ];
  for (const answer of await Promise.all(calls)) expect(code(answer)).toEqual([404, 'not_found']);
  expect((await globex('get', '/connectors')).body.data).toEqual([]);
});

it('can be read by developers, and written by administrators whose token allows it', async () => {
  const developer = await clientOf(api, `org_${count}`, { sub: 'user_dora', roles: ['developer'] });
  const limited = await clientOf(api, `org_${count}`, { roles: ['admin'], scope: 'connectors:read' });
  for (const caller of [developer, limited]) {
    const answers = [
      await caller('post', '/connectors', BILLING),
      await caller('patch', path(), {}),
      await caller('delete', path()),
      await caller('post', `${path()}/restore`),
      await caller('put', `${path()}/secret`, {}),
      await caller('delete', `${path()}/secret`),
      await caller('post', `${path()}/check`),
    ];
    expect(answers.map((answer) => answer.body.required_scope)).toEqual(Array(7).fill('connectors:write'));
    expect((await caller('get', path())).status).toBe(200);
  }
});
