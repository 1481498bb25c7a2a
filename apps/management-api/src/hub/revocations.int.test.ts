import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import { type ActiveRequest, activeRequest, createLogger } from '@legate/service';
import { APPLICATION_ROLE } from '../storage/database.ts';
import { auditTrailOf, type Client, clientOf } from '../testing/client.ts';
import { createTestApi, NOW, type TestApi } from '../testing/test-api.ts';
import { createDelivery, type Delivery, type DeliveryEvent } from './delivery.ts';
import { createRevocationFollowUp } from './follow-up.ts';
import { createNotifyHub, HubFailure } from './notify-hub.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Revocation } from './revocation.ts';

let api: TestApi;
let tenants: TenantDatabase;
let outbox: Outbox;
let delivery: Delivery;
let acme: Client;
let organizationId: string;
let notified: Revocation[];
let within: (ActiveRequest | undefined)[];
let events: DeliveryEvent[];
let answer: () => Promise<void>;
let seconds: number;
let count = 0;

const clock = () => new Date(seconds * 1000);
const log = createLogger({ service: 'test', level: 'silent' });
const notify = async (revocation: Revocation) => {
  await answer();
  notified.push(revocation);
  within.push(activeRequest());
};
const deliveryOf = (of: Outbox) =>
  createDelivery({ outbox: of, notifyHub: notify, clock, log, onEvent: (event) => events.push(event) });

beforeAll(async () => {
  api = await createTestApi({
    hub(deps) {
      tenants = deps.tenants;
      outbox = createOutbox({ tenants, clock });
      delivery = deliveryOf(outbox);
      const soon = () => delivery.soon();
      return {
        notify: createNotifyHub({
          hubUrl: 'https://hub.example',
          fetchAsService: (_url, init) => hubAnswer(init.body),
        }),
        followUp: createRevocationFollowUp({ outbox, delivery: { ...delivery, soon } }),
      };
    },
  });
});
afterAll(() => api.close());

let hubAnswer: (body: string) => Promise<Response>;
beforeEach(async () => {
  seconds = NOW;
  notified = [];
  within = [];
  events = [];
  answer = async () => {};
  hubAnswer = async () => Response.json({ revoked: true });
  await delivery.idle();
  await rows('DELETE FROM pending_revocations RETURNING id');
  organizationId = `org_${++count}`;
  acme = await clientOf(api, organizationId, { roles: ['owner'] });
});

const rows = (text: string, values: unknown[] = []) =>
  api.database.asOwner(async (owner) => (await owner.query(text, values)).rows);
const pending = () => rows('SELECT * FROM pending_revocations WHERE organization_id = $1', [organizationId]);
const newConnector = async (client = acme): Promise<string> => {
  const body = {
    name: 'C',
    resource_url: `https://c${++count}.example`,
    client_id: 'hub',
    secret: 'the-hubs-secret',
  };
  return (await client('post', '/connectors', body)).body.id;
};
const away = () => Promise.reject(new HubFailure(true, 'the tool hub cannot be reached'));

describe('the revocation of a change that ends tokens', () => {
  it('is delivered to the hub once, as soon as it is saved', async () => {
    const id = await newConnector();
    const { headers } = await acme('patch', `/connectors/${id}`, { enabled: false });
    await delivery.idle();
    expect(notified).toEqual([
      expect.objectContaining({ organizationId, connectorId: id, reason: 'connector.updated' }),
    ]);
    expect(headers['retry-after']).toBeUndefined();
    expect(notified[0]?.userId ?? notified[0]?.agentId).toBeUndefined();
    expect(await pending()).toEqual([]);
    expect(events).toEqual(['delivered']);
    expect(within).toEqual([undefined]); // no request: a delivery serves all of them
  });

  it('contains the user of a member', async () => {
    await acme('get', '/organization');
    await rows(
      `INSERT INTO members (organization_id, user_id, id, role)
       VALUES ($1, 'user_bob', $2, 'developer'), ($1, 'idp:carol', $3, 'developer') RETURNING id`,
      [organizationId, `mem_b${count}`, `mem_c${count}`],
    );
    await acme('delete', `/members/mem_b${count}`);
    await acme('delete', `/members/mem_c${count}`); // a user whom the hub has never served
    await delivery.idle();
    expect(notified).toEqual([
      expect.objectContaining({ organizationId, userId: 'user_bob', reason: 'member.removed' }),
    ]);
  });

  it.each([
    ['suspended', () => acme('post', '/organization/suspend')],
    ['deleted', () => acme('delete', `/organization?confirm=${organizationId}`)],
  ])('of an organization that is %s contains no other id', async (what, end) => {
    await acme('get', '/organization');
    await end();
    await delivery.idle();
    expect(notified).toEqual([expect.objectContaining({ organizationId, reason: `organization.${what}` })]);
    expect(notified[0]?.connectorId).toBeUndefined();
  });

  it('is not delivered if the change is not saved', async () => {
    const id = await newConnector();
    const refused = await acme('patch', `/connectors/${id}`, { enabled: false }, { 'If-Match': '"7"' });
    expect(refused.status).toBe(412);
    await delivery.idle();
    expect([notified, await pending()]).toEqual([[], []]);
  });

  it('is saved while the hub is down, and delivered once it is back', async () => {
    const id = await newConnector();
    answer = away;
    const { status, headers } = await acme('delete', `/connectors/${id}`);
    expect([status, headers['retry-after']]).toEqual([204, '30']);
    await delivery.idle();
    expect((await pending()).length).toBe(1);
    answer = async () => {};
    await delivery.run();
    expect(notified).toEqual([]); // the pause has not ended
    seconds += 1;
    await delivery.run();
    expect(notified).toEqual([expect.objectContaining({ connectorId: id })]);
    expect(await pending()).toEqual([]);
  });
});

describe('an undelivered revocation', () => {
  const add = (id: string) =>
    tenants.withTenant(organizationId, (connection) =>
      outbox.add(
        connection,
        OrganizationId.parse(organizationId),
        { kind: 'connector', id },
        'connector.updated',
        `rev_${id}`,
      ),
    );

  it('is retried after increasing pauses of at most a minute', async () => {
    answer = away;
    await add('con_a');
    const pauses = [];
    for (let i = 0; i < 9; i += 1) {
      await delivery.run();
      const [row] = await pending();
      pauses.push((row.due_at.getTime() - clock().getTime()) / 1000);
      seconds = row.due_at.getTime() / 1000;
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('is retried for a year, longer than any connected account lasts, and then dropped', async () => {
    answer = away;
    await add('con_a');
    seconds += 365 * 86_400 - 1;
    await delivery.run();
    expect([(await pending()).length, events]).toEqual([1, ['failed']]);
    seconds += 60;
    await delivery.run();
    expect([await pending(), events]).toEqual([[], ['failed', 'given_up']]);
  });

  it('is delivered by only one of two processes', async () => {
    for (const id of ['con_a', 'con_b', 'con_c']) await add(id);
    await Promise.all([deliveryOf(outbox).run(), deliveryOf(createOutbox({ tenants, clock })).run()]);
    expect(notified.map(({ connectorId }) => connectorId).sort()).toEqual(['con_a', 'con_b', 'con_c']);
  });

  it('is delivered by another process when the one that took it has died', async () => {
    await add('con_a');
    expect((await outbox.takeDue(10, 30_000)).length).toBe(1);
    await delivery.run();
    expect(notified).toEqual([]);
    seconds += 30;
    await delivery.run();
    expect(notified.length).toBe(1);
  });

  it('is delivered even if many others are pending', async () => {
    for (let i = 0; i < 25; i += 1) await add(`con_${i}`);
    await delivery.run();
    expect(notified.length).toBe(25);
  });

  it('of another organization cannot be read, taken or removed', async () => {
    await add('con_a');
    const [mine] = await pending();
    const other = createTenantDatabase(api.database.pool, { role: APPLICATION_ROLE });
    for (const text of [
      'SELECT id FROM pending_revocations',
      'DELETE FROM pending_revocations RETURNING id',
    ]) {
      for (const tenant of ['org_other', '']) {
        expect(await other.queryAsTenant(tenant, { name: `t_${text.length}`, text })).toEqual([]);
      }
    }
    expect((await pending()).map(({ id }) => id)).toEqual([mine.id]);
  });
});

describe('POST /connectors/{id}/revoke-tokens', () => {
  it('calls the hub, returns when the hub has finished, and is recorded in the audit trail', async () => {
    const id = await newConnector();
    let sent = '';
    hubAnswer = async (body) => {
      sent = body;
      return Response.json({ revoked: true });
    };
    const res = await acme('post', `/connectors/${id}/revoke-tokens`);
    expect([res.status, res.body]).toEqual([200, { revoked: true }]);
    expect(JSON.parse(sent)).toEqual({
      organization_id: organizationId,
      connector_id: id,
      reason: 'connector.tokens_revoked',
    });
    expect((await auditTrailOf(api, id)).map(({ action }) => action)).toEqual([
      'connector.created',
      'connector.tokens_revoked',
    ]);
  });

  it.each<[string, () => Promise<Response>, number, string]>([
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed')), 503, 'tool_hub_unavailable'],
    ['has no store', async () => new Response('{}', { status: 503 }), 503, 'tool_hub_unavailable'],
    ['has too much to do', async () => new Response('{}', { status: 429 }), 503, 'tool_hub_unavailable'],
    ['refuses us', async () => new Response('{}', { status: 403 }), 502, 'tool_hub_error'],
    ['is something else', async () => new Response('<html>', { status: 404 }), 502, 'tool_hub_error'],
  ])(
    'returns an error if the hub %s, and records nothing in the audit trail',
    async (_case, how, status, code) => {
      const id = await newConnector();
      hubAnswer = how;
      const res = await acme('post', `/connectors/${id}/revoke-tokens`);
      expect([res.status, res.body.code]).toEqual([status, code]);
      expect((await auditTrailOf(api, id)).length).toBe(1);
    },
  );

  it('needs the scope to write connectors, and finds only connectors of the organization', async () => {
    const id = await newConnector();
    const developer = await clientOf(api, organizationId, { sub: 'user_dora', roles: ['developer'] });
    expect((await developer('post', `/connectors/${id}/revoke-tokens`)).status).toBe(403);
    const globex = await clientOf(api, 'org_globex', { roles: ['owner'] });
    expect((await globex('post', `/connectors/${id}/revoke-tokens`)).status).toBe(404);
  });

  it('returns an error without a hub', async () => {
    const alone = await createTestApi({ beside: api });
    const owner = await clientOf(alone, 'org_acme', { roles: ['owner'] });
    const res = await owner('post', `/connectors/${await newConnector(owner)}/revoke-tokens`);
    expect([res.status, res.body.code]).toEqual([409, 'tool_hub_not_configured']);
    await alone.close();
  });
});
