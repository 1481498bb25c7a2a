import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import type { AuditEvent } from './audit-event.ts';

const TOKEN_ID = createHash('sha256').update('token-of-owner').digest('base64url');

let api: TestApi;
let as: Record<'owner' | 'admin' | 'developer' | 'viewer', Client>;
let site: string;
beforeAll(async () => {
  api = await createTestApi();
  const client = (role: string, claims: object = {}) =>
    clientOf(api, 'org_acme', {
      ...{ sub: `user_${role}`, roles: [role], email: `${role}@acme.example`, client_id: 'console' },
      ...{ jti: `token-of-${role}`, ...claims },
    });
  as = {
    owner: await client('owner'),
    admin: await client('admin'),
    developer: await client('developer'),
    viewer: await client('viewer', { azp: 'console' }),
  };
  site = (await as.owner('post', '/sites', { name: 'By the owner' })).body.id;
  await as.owner('patch', '/organization', { name: 'Acme' });
  await as.developer('post', '/agents', { name: 'By the developer' });
  // Calls of a viewer and of the developer, as the hub records them
  await api.database.asOwner(async (owner) => {
    for (const [id, user, seconds] of [
      ['evt_viewer', 'user_viewer', 1],
      ['evt_developer', 'user_developer', 2],
    ])
      await owner.query(
        `INSERT INTO audit_events (id, organization_id, action, actor, targets, context, details, occurred_at)
         VALUES ($1, 'org_acme', 'tool.called', jsonb_build_object('type', 'user', 'id', $2::text, 'email', null), '[]',
         '{"request_id":"req_1"}', '{"id_token_hash":"a-digest","caller_request_id":"theirs","trace_id":"4bf9"}',
         now() + make_interval(secs => $3))`,
        [id, user, seconds],
      );
  });
});
afterAll(() => api.close());

/** All actions except those of joining */
const ACTIONS = '&action=site.*,organization.updated,agent.*,tool.*';

const list = async (client: Client, query = ''): Promise<AuditEvent[]> =>
  (await client('get', `/audit-events?sort=occurred_at${query || ACTIONS}`)).body.data;
const seenBy = async (client: Client, query = '') =>
  (await list(client, query)).map(({ action, actor }) => `${action} ${actor.id}`);

const ALL = [
  'site.created user_owner',
  'organization.updated user_owner',
  'agent.created user_developer',
  'tool.called user_viewer',
  'tool.called user_developer',
];

it.each<[keyof typeof as, string[]]>([
  ['owner', ALL],
  ['admin', ALL],
  ['developer', ALL.filter((line) => /^(site|agent)\.|developer$/.test(line))],
  ['viewer', ALL.filter((line) => line.endsWith('viewer'))],
])('shows the %s their part of the audit trail, and counts only that', async (role, expected) => {
  const { body } = await as[role]('get', `/audit-events?sort=occurred_at${ACTIONS}`);
  expect(body.data.map(({ action, actor }: AuditEvent) => `${action} ${actor.id}`)).toEqual(expected);
  expect(body.pagination.total).toBe(expected.length);
});

it('hides a single event if the list does not contain it', async () => {
  const [changed] = await list(as.owner, '&action=organization.updated');
  expect((await as.developer('get', `/audit-events/${changed?.id}`)).status).toBe(404);
  expect((await as.viewer('get', '/audit-events/evt_developer')).status).toBe(404);
  expect((await as.viewer('get', '/audit-events/evt_viewer')).status).toBe(200);
  expect((await as.viewer('get', `/audit-events?after=${changed?.id}`)).body.code).toBe('cursor_invalid');
});

it('returns client and token of each event, with the same digest that the hub uses', async () => {
  const [created] = await list(as.owner, `&target_id=${site}`);
  expect(created?.context).toMatchObject({
    request_id: expect.stringMatching(/^req_/),
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    ...{ auth: 'access_token', client_id: 'console' },
    token_id: TOKEN_ID,
  });
  expect(created?.actor).toMatchObject({ id: 'user_owner', email: 'owner@acme.example' });
  const [call] = await list(as.owner, '&token_id=a-digest&actor_id=user_viewer');
  expect(call?.context).toMatchObject({
    ...{ request_id: 'req_1', client_request_id: 'theirs', trace_id: '4bf9', token_id: 'a-digest' },
  });
});

it('shows a developer neither addresses nor clients of other people, in the event or through a filter', async () => {
  const [created] = await list(as.developer, `&target_id=${site}`);
  expect(created?.actor).toMatchObject({ id: 'user_owner', email: null });
  expect(created?.context).toMatchObject({ ip: null, user_agent: null, client_id: null, token_id: null });
  expect(JSON.stringify(created)).not.toContain('acme.example');
  const own = await list(as.developer, '&action=agent.created');
  expect(own[0]?.context).toMatchObject({ client_id: 'console', ip: expect.any(String) });
  expect(own[0]?.actor.email).toBe('developer@acme.example');
  expect(await seenBy(as.developer, `${ACTIONS}&client_id=console`)).toEqual([
    'agent.created user_developer',
  ]);
  expect(await seenBy(as.developer, `&token_id=${TOKEN_ID}`)).toEqual([]);
  expect(await seenBy(as.admin, `&token_id=${TOKEN_ID}&action=site.created`)).toEqual([
    'site.created user_owner',
  ]);
});

describe('refuses developers and viewers the filter', () => {
  it.each(['actor_email=owner@acme.example', 'search=owner'])('%s', async (query) => {
    for (const client of [as.developer, as.viewer]) {
      const answer = await client('get', `/audit-events?${query}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'not_permitted']);
    }
    expect((await as.admin('get', `/audit-events?${query}`)).status).toBe(200);
  });
});
