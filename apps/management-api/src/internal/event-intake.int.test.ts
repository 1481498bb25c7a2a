import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ulid } from 'ulid';
import { clientOf } from '../testing/client.ts';
import { createTestApi, NOW, type TestApi } from '../testing/test-api.ts';

let api: TestApi;
let token: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
  token = await api.workloadToken('internal:audit-events');
});
afterAll(() => api.close());

const AT_MS = NOW * 1000 - 60_000;
const event = (change: Record<string, unknown> = {}, atMs = AT_MS) => ({
  id: `evt_${ulid(atMs)}`,
  organization_id: 'org_acme',
  action: 'tool.called',
  occurred_at: new Date(atMs).toISOString(),
  actor: { type: 'user', id: 'user_alice', email: 'alice@acme.example' },
  targets: [
    { type: 'connector', id: 'con_a', name: 'Tools' },
    { type: 'tool', id: 'find_orders' },
  ],
  request_id: 'req_1',
  details: { outcome: 'granted', cache: 'hit', duration_ms: 12.5, is_error: false, agent: null },
  ...change,
});
const post = (body: unknown, bearer = token) =>
  request(api.app)
    .post('/internal/v1/audit-events')
    .auth(bearer, { type: 'bearer' })
    .send(body as object);
const send = async (...events: unknown[]) => (await post({ events })).body;
const savedOf = (id: string) =>
  api.database.asOwner(
    async (owner) => (await owner.query('SELECT * FROM audit_events WHERE id = $1', [id])).rows,
  );

it('stores the events of a service, which the organization can then read', async () => {
  const organization_id = `org_${++count}`;
  const sent = event({ organization_id });
  expect(await send(sent)).toEqual({ accepted: 1, known: 0, refused: [] });
  const admin = await clientOf(api, organization_id, { roles: ['admin'] });
  const shown = await admin('get', `/audit-events/${sent.id}`);
  expect([shown.status, shown.body]).toEqual([
    200,
    {
      id: sent.id,
      action: 'tool.called',
      occurred_at: sent.occurred_at,
      recorded_at: expect.any(String),
      actor: { ...sent.actor, name: null },
      targets: [sent.targets[0], { ...sent.targets[1], name: null }],
      changes: null,
      context: {
        request_id: 'req_1',
        ...{ client_request_id: null, trace_id: null, ip: null, user_agent: null },
        ...{ auth: null, client_id: null, token_id: null },
      },
      details: { ...sent.details, recorded_by: 'tool-hub' },
      truncated: null,
    },
  ]);
});

it('stores an event once, however often it arrives', async () => {
  const [first, second] = [event(), event()];
  expect(await send(first, first)).toMatchObject({ accepted: 1, known: 1 });
  expect(await send(first, second)).toMatchObject({ accepted: 1, known: 1 });
  expect(await send(first, second)).toMatchObject({ accepted: 0, known: 2 });
  expect(await send({ ...first, action: 'tool.refused' })).toMatchObject({ accepted: 0, known: 1 });
  expect((await savedOf(first.id)).map(({ action }) => action)).toEqual(['tool.called']);
});

it('stores an event once if two copies arrive at the same time', async () => {
  const sent = event();
  const answers = await Promise.all([send(sent), send(sent), send(sent)]);
  expect(answers.map(({ accepted }) => accepted).sort()).toEqual([0, 0, 1]);
  expect((await savedOf(sent.id)).length).toBe(1);
});

it('stores a batch of several organizations, known or not, each event in its own organization', async () => {
  const [one, other] = [event({ organization_id: 'org_one' }), event({ organization_id: 'org_never_seen' })];
  expect(await send(one, other)).toMatchObject({ accepted: 2 });
  const admin = await clientOf(api, 'org_one', { roles: ['admin'] });
  expect((await admin('get', `/audit-events/${one.id}`)).status).toBe(200);
  expect((await admin('get', `/audit-events/${other.id}`)).status).toBe(404);
});

it('refuses single invalid events and stores the others, so that one cannot block the rest', async () => {
  const body = await send(event({ action: 'site.deleted' }), event(), 'nonsense', event({ actor: {} }));
  expect([body.accepted, body.refused.map(({ index }: { index: number }) => index)]).toEqual([1, [0, 2, 3]]);
  expect(body.refused[0].errors).toEqual([expect.objectContaining({ pointer: '/action' })]);
});

it.each(['prompt', 'resource'])('accepts an event about a %s', async (type) => {
  const about = event({ action: `${type}.read`, targets: [{ type, id: 'notes://1' }] });
  expect(await send(about)).toMatchObject({ accepted: 1, refused: [] });
});

it.each(['EYJABCD.x', 'moneyjar-list.all'])(
  'stores an event with names that resemble a token, or callers could hide their events that way: %s',
  async (name) => {
    const named = { request_id: name, targets: [{ type: 'tool', id: name }], details: { reason: name } };
    expect(await send(event(named))).toMatchObject({ accepted: 1, refused: [] });
  },
);

describe('refuses an event', () => {
  const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyX2FsaWNlIn0.c2lnbmF0dXJl';
  it.each<[string, Record<string, unknown>]>([
    ['with a token in its details', { details: { token: JWT } }],
    ['with a token within a text', { details: { note: `it said ${JWT}!` } }],
    ['with an unsigned token', { details: { note: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.' } }],
    ['with a bearer header', { details: { note: 'Authorization: Bearer abcdefghijkl' } }],
    ['with a token for a name', { targets: [{ type: 'tool', id: 'a', name: JWT }] }],
    ['with a token for an actor', { actor: { type: 'user', id: JWT } }],
    ['with a token for a request id', { request_id: JWT.slice(0, 60) }],
    ['about what only the API does', { action: 'organization.deleted' }],
    ['with a target that only the API has', { targets: [{ type: 'member', id: 'mem_a' }] }],
    ['by somebody else than a user or a service', { actor: { type: 'support', id: 'a' } }],
    ['with nested details', { details: { a: { b: 1 } } }],
    ['with 41 details', { details: Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`a${i}`, i])) }],
    ['with a long text', { details: { a: 'x'.repeat(501) } }],
    ['with U+0000, which PostgreSQL cannot store', { details: { a: 'a\u0000b' } }],
    ['with half a character', { details: { a: '\ud800' } }],
    ['with __proto__ for a name', { details: JSON.parse('{"__proto__x": 1, "__proto__": 2}') }],
    ['with an id that is none', { id: 'evt_1' }],
    ['with an id beyond all times', { id: `evt_${'8'.padEnd(26, '0')}` }],
    ['with an id of another time', { id: `evt_${ulid(AT_MS + 1)}` }],
    ['with an organization that cannot be one', { organization_id: 'org:a' }],
    ['with a time without milliseconds', { occurred_at: '2026-09-21T12:00:00Z' }],
    ['with a member that nobody knows', { changes: {} }],
  ])('%s', async (_case, change) => {
    const body = await send(event(change));
    expect([body.accepted, body.refused.length]).toEqual([0, 1]);
    expect(JSON.stringify(body)).not.toContain('eyJ');
  });

  it.each([
    ['of the future', NOW * 1000 + 301_000],
    ['of long ago', NOW * 1000 - 31 * 86_400_000],
  ])('%s', async (_case, atMs) => {
    expect(await send(event({}, atMs))).toMatchObject({ accepted: 0, refused: [{ index: 0 }] });
  });
});

describe('refuses a batch', () => {
  it.each<[string, unknown]>([
    ['without events', {}],
    ['of none', { events: [] }],
    ['of more than 500', { events: Array.from({ length: 501 }, () => ({})) }],
    ['that is an array', []],
    ['with a member that nobody knows', { events: [{}], more: true }],
  ])('%s', async (_case, body) => {
    const res = await post(body);
    expect([res.status, res.body.code]).toEqual([400, 'validation_failed']);
  });

  it('of more than a megabyte, of another type, for a response of another type, and invalid JSON', async () => {
    const large = await post({ events: ['x'.repeat(1_100_000)] });
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
    const text = await request(api.app)
      .post('/internal/v1/audit-events')
      .auth(token, { type: 'bearer' })
      .type('text/plain')
      .send('{}');
    expect(text.status).toBe(415);
    const unwanted = await request(api.app)
      .post('/internal/v1/audit-events')
      .auth(token, { type: 'bearer' })
      .set('Accept', 'text/html')
      .send({ events: [event()] });
    expect([unwanted.status, unwanted.body.code]).toEqual([406, 'not_acceptable']);
    const broken = await request(api.app)
      .post('/internal/v1/audit-events')
      .auth(token, { type: 'bearer' })
      .type('application/json')
      .send('{');
    expect([broken.status, broken.body.code]).toEqual([400, 'malformed_json']);
  });

  it('but accepts 500 events', async () => {
    const events = Array.from({ length: 500 }, () => event());
    expect(await send(...events)).toEqual({ accepted: 500, known: 0, refused: [] });
  });

  it('of an unauthorized sender, before reading it', async () => {
    const big = { events: ['x'.repeat(1_100_000)] };
    expect((await post(big, await api.workloadToken('internal:connectors'))).status).toBe(403);
    const user = await api.token('org_acme', {
      roles: ['owner'],
      scope: 'audit:write internal:audit-events',
    });
    expect((await post(big, user)).status).toBe(401); // the token names no client
    const withClient = await api.token('org_acme', { client_id: 'tool-hub', scope: 'internal:audit-events' });
    expect((await post(big, withClient)).body.code).toBe('workload_required');
  });
});
