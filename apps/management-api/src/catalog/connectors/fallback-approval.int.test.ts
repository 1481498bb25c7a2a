import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { ulid } from 'ulid';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, NOW, type TestApi } from '../../testing/test-api.ts';

const RESOURCE = 'https://tools.example/mcp';
/** A minute before the time of the API's clock, with which approvals are dated */
const EARLIER_MS = NOW * 1000 - 60_000;
const LATER_MS = NOW * 1000 + 60_000;

let api: TestApi;
let acme: Client;
let organizationId: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  organizationId = `org_${++count}`;
  acme = await clientOf(api, organizationId, { roles: ['owner'] });
});

/** A connector of `oauth-pkce` has no secret, and one of `passthrough` is acknowledged. */
const PUBLIC = { client_id: null, secret: undefined };
const LEGACY = { acknowledge_legacy: true };

const create = async (change: object = {}) => {
  const created = await acme('post', '/connectors', {
    name: 'Tools',
    resource_url: RESOURCE,
    client_id: 'hub',
    secret: 'the-hubs-secret',
    fallback: ['oauth-pkce'],
    ...change,
  });
  expect(created.status).toBe(201);
  return created.body.id as string;
};
const show = async (id: string) => (await acme('get', `/connectors/${id}`)).body;
const approve = async (id: string, client = acme) => {
  const shown = await client('get', `/connectors/${id}`);
  return client('post', `/connectors/${id}/fallback-approval`, undefined, {
    'If-Match': String(shown.get('ETag')),
  });
};
/** Sends an event of a call as the hub does. */
const recordCall = async (connectorId: string, atMs: number, details: object = { used_id_jag: true }) => {
  const event = {
    id: `evt_${ulid(atMs)}`,
    organization_id: organizationId,
    action: 'tool.called',
    occurred_at: new Date(atMs).toISOString(),
    actor: { type: 'user', id: 'user_alice' },
    targets: [{ type: 'connector', id: connectorId }],
    details,
  };
  const answer = await request(api.app)
    .post('/internal/v1/audit-events')
    .auth(await api.workloadToken('internal:audit-events'), { type: 'bearer' })
    .send({ events: [event] });
  expect(answer.body).toMatchObject({ accepted: 1, refused: [] });
};
const forHub = async () => {
  const res = await request(api.app)
    .get(`/internal/v1/organizations/${organizationId}/connectors`)
    .auth(await api.workloadToken('internal:connectors'), { type: 'bearer' });
  const [{ id_jag_used, consent_used, fallback_approval }] = res.body.connectors;
  return { used: id_jag_used, ...(consent_used && { consent: true }), approval: fallback_approval };
};

it("records from the hub's events that ID-JAGs were used", async () => {
  const id = await create();
  expect(await forHub()).toEqual({ used: false, approval: null });
  await recordCall(id, EARLIER_MS, { method: 'service' });
  expect(await forHub()).toEqual({ used: false, approval: null });
  await recordCall(id, EARLIER_MS);
  expect(await forHub()).toEqual({ used: true, approval: null });
  expect((await show(id)).id_jag_used_at).toBe(new Date(EARLIER_MS).toISOString());
});

it('records from consent of users that they could consent, until an approval, and again from their next consent', async () => {
  const consent = { used_consent: true };
  const id = await create({ auth_method: 'oauth-pkce', fallback: ['passthrough'], ...PUBLIC, ...LEGACY });
  expect(await forHub()).toEqual({ used: false, approval: null });
  await recordCall(id, EARLIER_MS, consent);
  expect(await forHub()).toEqual({ used: false, consent: true, approval: null });
  const shown = await show(id);
  expect([shown.id_jag_used_at, shown.consent_used_at]).toEqual([null, new Date(EARLIER_MS).toISOString()]);
  await recordCall(id, EARLIER_MS + 1000, consent);
  expect(await show(id)).toEqual(shown);

  expect((await approve(id)).status).toBe(200);
  expect(await forHub()).toEqual({ used: false, approval: expect.any(String) });
  await recordCall(id, LATER_MS, consent);
  expect(await forHub()).toMatchObject({ used: false, consent: true });
  await acme('delete', `/connectors/${id}`);
  const again = await create({ auth_method: 'oauth-pkce', fallback: ['passthrough'], ...PUBLIC, ...LEGACY });
  expect((await show(again)).consent_used_at).toBe(new Date(LATER_MS).toISOString());
});

it('records that access tokens were exchanged, until an approval, and from the next one again', async () => {
  const exchange = {
    ...{ auth_method: 'token-exchange', exchange_audience: 'api://tools', acknowledge_shared_audience: true },
    ...{ fallback: ['passthrough'], ...PUBLIC, ...LEGACY },
  };
  const usedForHub = async () => {
    const res = await request(api.app)
      .get(`/internal/v1/organizations/${organizationId}/connectors`)
      .auth(await api.workloadToken('internal:connectors'), { type: 'bearer' });
    return res.body.connectors[0].token_exchange_used;
  };
  const id = await create(exchange);
  expect(await usedForHub()).toBe(false);
  await recordCall(id, EARLIER_MS, { used_token_exchange: true });
  expect(await usedForHub()).toBe(true);
  expect((await approve(id)).status).toBe(200);
  expect(await usedForHub()).toBe(false);
  await recordCall(id, LATER_MS, { used_token_exchange: true });
  expect(await usedForHub()).toBe(true);
  await acme('delete', `/connectors/${id}`);
  expect((await show(await create(exchange))).token_exchange_used_at).toBe(new Date(LATER_MS).toISOString());
});

it('records ID-JAGs and consent of one batch separately', async () => {
  const id = await create();
  await recordCall(id, EARLIER_MS, { used_id_jag: true, used_consent: true });
  expect(await show(id)).toMatchObject({
    id_jag_used_at: new Date(EARLIER_MS).toISOString(),
    consent_used_at: new Date(EARLIER_MS).toISOString(),
  });
});

it('does not change the hub’s document when they are used again', async () => {
  const id = await create();
  await recordCall(id, EARLIER_MS);
  const before = await show(id);
  await recordCall(id, EARLIER_MS + 1000);
  expect(await show(id)).toEqual(before);
});

it('lets an administrator approve the fallback, which is audited, until ID-JAGs are used again', async () => {
  const id = await create();
  await recordCall(id, EARLIER_MS);
  const approved = await approve(id);
  expect([approved.status, approved.body.fallback_approved_at]).toEqual([
    200,
    new Date(NOW * 1000).toISOString(),
  ]);
  expect(approved.get('ETag')).toBeDefined();
  expect(await forHub()).toEqual({ used: false, approval: expect.any(String) });
  const trail = await auditTrailOf(api, id);
  expect(trail.find(({ action }) => action === 'connector.fallback_approved')).toMatchObject({
    targets: [{ type: 'connector', id, name: 'Tools' }],
    changes: { fallback_approved_at: { from: null, to: approved.body.fallback_approved_at } },
  });
  // An event that is older than the approval arrives late.
  await recordCall(id, EARLIER_MS + 2000);
  expect((await forHub()).used).toBe(false);
  await recordCall(id, LATER_MS);
  expect((await forHub()).used).toBe(true);
});

it.each([
  ['its fallback', { fallback: [] }, { fallback: ['oauth-pkce'] }],
  [
    'its method',
    { auth_method: 'oauth-pkce', fallback: [] },
    {
      auth_method: 'id-jag',
      fallback: ['oauth-pkce'],
      secret: 'the-hubs-secret',
    },
  ],
])('requires another approval after a change of %s', async (_what, ...changes) => {
  const id = await create();
  await recordCall(id, EARLIER_MS);
  expect((await approve(id)).status).toBe(200);
  for (const change of changes) expect((await acme('patch', `/connectors/${id}`, change)).status).toBe(200);
  expect(await show(id)).toMatchObject({ fallback_approved_at: null });
  expect(await forHub()).toEqual({ used: true, approval: null });
});

it('starts over for another tool server, but not for the same one registered again', async () => {
  const id = await create();
  await recordCall(id, EARLIER_MS);
  await acme('patch', `/connectors/${id}`, {
    resource_url: 'https://other.example/mcp',
    secret: 'the-hubs-secret',
  });
  expect((await show(id)).id_jag_used_at).toBeNull();
  await recordCall(id, EARLIER_MS);
  await acme('delete', `/connectors/${id}`);
  const again = await create({ resource_url: 'https://other.example/mcp' });
  expect((await show(again)).id_jag_used_at).toBe(new Date(EARLIER_MS).toISOString());
  const elsewhere = await create();
  expect((await show(elsewhere)).id_jag_used_at).toBeNull();
});

it('refuses an approval of a missing or changed connector, and a request of a developer', async () => {
  const id = await create({ fallback: [] });
  const none = await approve(id);
  expect([none.status, none.body.code]).toEqual([409, 'fallback_not_used']);
  const stale = await acme('post', `/connectors/${id}/fallback-approval`, undefined, { 'If-Match': '"0"' });
  expect(stale.status).toBe(412);
  const developer = await clientOf(api, organizationId, { sub: 'user_dora', roles: ['developer'] });
  expect((await approve(id, developer)).status).toBe(403);
});
