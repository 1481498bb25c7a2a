import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import type { AuditEvent } from './audit-event.ts';

let api: TestApi;
let owner: Client;
let agent: string;
beforeAll(async () => {
  api = await createTestApi();
  owner = await clientOf(api, 'org_acme', { roles: ['owner'], email: 'alice@acme.example' });
  agent = (await owner('post', '/agents', { name: 'Support desk' })).body.id;
  await api.database.asOwner(async (database) => {
    await database.query(
      `INSERT INTO members (organization_id, user_id, id, role, email, name)
       VALUES ('org_acme', 'user_bob', 'mem_bob', 'developer', 'Bob@acme.example', 'Bob Builder')`,
    );
    const events = [
      ['evt_1', 'tool.called', { rule: 'granted', trace_id: 'trace-1', authorized_party: 'chat-app' }],
      ['evt_2', 'tool.denied', { rule: 'tool_not_bound', caller_trace_id: 'trace-2' }],
      ['evt_3', 'delegation.failed', { rule: 'idp_unavailable', access_token_hash: 'digest' }],
      ['evt_4', 'session.opened', {}],
    ] as const;
    for (const [index, [id, action, details]] of events.entries())
      await database.query(
        `INSERT INTO audit_events (id, organization_id, action, actor, targets, context, details, occurred_at)
         VALUES ($1, 'org_acme', $2, '{"type":"user","id":"user_bob","email":null}', $3, $4, $5, clock_timestamp())`,
        [
          ...[id, action, JSON.stringify([{ type: 'agent', id: agent, name: null }])],
          JSON.stringify({ request_id: `req_${index}`, ip: null, user_agent: null }),
          JSON.stringify(details),
        ],
      );
  });
});
afterAll(() => api.close());

const list = async (query: string): Promise<AuditEvent[]> => {
  const { status, body } = await owner('get', `/audit-events?sort=occurred_at&${query}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
};
const actions = async (query: string) => (await list(query)).map(({ action }) => action);

it.each([
  ['action=tool.called,session.opened', ['tool.called', 'session.opened']],
  ['action=tool.*', ['tool.called', 'tool.denied']],
  ['action=agent.*,delegation.failed', ['agent.created', 'delegation.failed']],
  ['action=too.*', []],
  ['actor_type=system', ['organization.created']],
  ['actor_type=user&action=agent.created', ['agent.created']],
  ['actor_email=BOB@acme.example&outcome=refused', ['tool.denied']],
  ['actor_email=alice@ACME.example', ['member.joined', 'agent.created']],
  ['outcome=allowed', ['tool.called']],
  ['outcome=failed', ['delegation.failed']],
  ['rule=tool_not_bound', ['tool.denied']],
  ['request_id=req_3', ['session.opened']],
  ['trace_id=trace-1', ['tool.called']],
  ['trace_id=trace-2', ['tool.denied']],
  ['token_id=digest', ['delegation.failed']],
  ['client_id=nobody', []],
  ['client_id=chat-app', ['tool.called']],
  ['search=builder&outcome=allowed', ['tool.called']],
  ['search=user_b&outcome=allowed', ['tool.called']],
  ['search=DESK&action=agent.created,tool.called', ['agent.created', 'tool.called']],
  ['search=alice', ['member.joined', 'agent.created']],
  ['search=%25', []],
])('finds by %s', async (query, expected) => {
  expect(await actions(query)).toEqual(expected);
});

it('adds the current names and addresses that the hub does not know, and does not store them', async () => {
  const [call] = await list('outcome=allowed');
  expect(call?.context.client_id).toBe('chat-app');
  expect(call?.actor).toEqual({
    type: 'user',
    id: 'user_bob',
    name: 'Bob Builder',
    email: 'Bob@acme.example',
  });
  expect(call?.targets).toEqual([{ type: 'agent', id: agent, name: 'Support desk' }]);
  await owner('patch', `/agents/${agent}`, { name: 'Renamed' });
  const [again] = await list('outcome=allowed');
  expect(again?.targets[0]?.name).toBe('Renamed');
  const [created] = await list('action=agent.created');
  expect(created?.targets[0]?.name).toBe('Support desk');
  expect((await owner('get', '/audit-events/evt_1')).body).toEqual(again);
  const { rows } = await api.database.asOwner((database) =>
    database.query("SELECT targets, actor FROM audit_events WHERE id = 'evt_1'"),
  );
  expect(rows[0]).toEqual({
    targets: [{ type: 'agent', id: agent, name: null }],
    actor: { type: 'user', id: 'user_bob', email: null },
  });
});

it('names a user who is the target, such as one who was denied access', async () => {
  await api.database.asOwner((database) =>
    database.query(
      `INSERT INTO audit_events (id, organization_id, action, actor, targets) VALUES ('evt_denied', 'org_acme', 'member.denied',
       '{"type":"system","id":"s","email":null}', '[{"type":"user","id":"user_bob","name":null}]')`,
    ),
  );
  const [denied] = await list('action=member.denied');
  expect(denied?.targets).toEqual([{ type: 'user', id: 'user_bob', name: 'Bob Builder' }]);
});

it('returns the start of the range that it searched', async () => {
  const { headers } = await owner('get', '/audit-events');
  const days = (api.now().getTime() - Date.parse(String(headers['legate-from']))) / 86_400_000;
  expect(days).toBe(30);
  const sent = await owner('get', '/audit-events?from=2026-01-01T00:00:00%2B01:00');
  expect(sent.headers['legate-from']).toBe('2025-12-31T23:00:00.000Z');
});

it.each([
  ['action=a,,b', 'action', 'invalid_format'],
  ['action=,', 'action', 'invalid_format'],
  ['actor_type=robot', 'actor_type', 'invalid_enum'],
  ['outcome=maybe', 'outcome', 'invalid_enum'],
  ['search=x&from=2020-01-01T00:00:00Z', 'from', 'out_of_range'],
  ['offset=0&cursor=x', 'offset', 'not_together'],
  ['after=evt_1&cursor=x', 'cursor', 'not_together'],
  ['after=evt_1&sort=occurred_at', 'sort', 'not_together'],
])('refuses %s', async (query, parameter, code) => {
  const { status, body } = await owner('get', `/audit-events?${query}`);
  expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter, code })]]);
});
