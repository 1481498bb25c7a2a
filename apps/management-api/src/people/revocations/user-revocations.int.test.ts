import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@legate/service';
import type { Response } from 'supertest';
import { createDelivery, type Delivery } from '../../hub/delivery.ts';
import { createRevocationFollowUp } from '../../hub/follow-up.ts';
import { HubFailure } from '../../hub/notify-hub.ts';
import { createOutbox } from '../../hub/outbox.ts';
import type { Revocation } from '../../hub/revocation.ts';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let delivery: Delivery;
let org: string;
let olga: Client;
let adam: Client;
let notified: Revocation[];
let seconds: number[];
let isAway: boolean;

beforeAll(async () => {
  api = await createTestApi({
    hub({ tenants, clock }) {
      const outbox = createOutbox({ tenants, clock });
      const notify = async (revocation: Revocation) => {
        if (isAway) throw new HubFailure(true, 'away');
        notified.push(revocation);
      };
      delivery = createDelivery({
        outbox,
        notifyHub: notify,
        clock,
        log: createLogger({ service: 'test', level: 'silent' }),
        onEvent: () => {},
        onDelivered: (after) => seconds.push(after),
      });
      return { notify, followUp: createRevocationFollowUp({ outbox, delivery }) };
    },
  });
});
afterAll(() => api.close());
beforeEach(async () => {
  await delivery.idle();
  [org, notified, seconds, isAway] = [`org_${randomUUID()}`, [], [], false];
  olga = await joined('olga', 'owner');
  adam = await joined('adam', 'admin');
  await joined('dora', 'developer');
});

async function joined(sub: string, role: string): Promise<Client> {
  const client = await clientOf(api, org, { sub, roles: [role] });
  expect((await client('get', '/me')).status).toBe(200);
  return client;
}
const memberId = async (user: string): Promise<string> =>
  (await olga('get', '/members?status=any')).body.data.find(
    ({ user_id }: { user_id: string }) => user_id === user,
  ).id;
const code = ({ status, body }: Response) => [status, body.code];
const revoke = (client: Client, body: object) => client('post', '/revocations', body);

describe('revoking the access of a user', () => {
  it('notifies the hub, waits for its confirmation, and keeps the membership', async () => {
    const { status, body } = await revoke(adam, {
      member_id: await memberId('dora'),
      reason: 'Laptop stolen',
    });
    const delivered = { user_id: 'dora', status: 'delivered', attempts: expect.any(Number) };
    expect([status, body]).toMatchObject([200, { ...delivered, confirmed_at: expect.any(String) }]);
    expect(notified).toMatchObject([{ userId: 'dora', reason: 'member.access_revoked' }]);
    expect(seconds).toEqual([0]);
    expect((await olga('get', `/revocations/${body.id}`)).body).toMatchObject({
      ...delivered,
      confirmed_at: null,
    });
    expect((await olga('get', '/members')).body.pagination.total).toBe(3);
    expect((await auditTrailOf(api, await memberId('dora'))).at(-1)).toMatchObject({
      action: 'member.access_revoked',
      actor: { id: 'adam' },
      details: { reason: 'Laptop stolen' },
    });
  });

  it('refuses earlier tokens in this API too, at once, but not those of a later sign-in', async () => {
    const [dora, other] = [await joined('dora', 'developer'), await joined('dirk', 'developer')];
    api.advanceSeconds(1);
    expect((await dora('get', '/sites')).status).toBe(200);
    await revoke(adam, { user_id: 'dora' });
    const refused = await dora('get', '/sites');
    expect([...code(refused), refused.body.detail]).toEqual([
      ...[401, 'token_invalid'],
      'Your access was revoked after this token was issued. Sign in again.',
    ]);
    expect(refused.get('WWW-Authenticate')).toContain('error="invalid_token"');
    expect((await other('get', '/sites')).status).toBe(200);
    api.advanceSeconds(2);
    const later = await joined('dora', 'owner');
    expect((await later('get', '/me')).body.role).toBe('developer');
  });

  it('works for a user whom only the hub knows', async () => {
    const { status, body } = await revoke(adam, { user_id: 'stranger' });
    expect([status, body.user_id, body.status]).toEqual([200, 'stranger', 'delivered']);
    expect(notified).toMatchObject([{ userId: 'stranger' }]);
    expect((await olga('get', '/members?status=any')).body.pagination.total).toBe(3);
  });

  it('notifies nobody about a user whom the hub never serves', async () => {
    const { status, body } = await revoke(adam, { user_id: 'idp:carol' });
    expect([status, body.status, notified]).toEqual([200, 'not_served', []]);
  });

  it('is pending while the hub is unavailable, and delivered once it is back', async () => {
    isAway = true;
    const { status, body } = await revoke(adam, { user_id: 'dora' });
    expect([status, body]).toMatchObject([202, { status: 'pending', attempts: 1, confirmed_at: null }]);
    isAway = false;
    api.advanceSeconds(2);
    await delivery.run();
    expect((await adam('get', `/revocations/${body.id}`)).body.status).toBe('delivered');
    expect(seconds).toEqual([2]);
  });

  it('is refused for an owner, without a user, and for two users at once', async () => {
    expect(code(await revoke(adam, { user_id: 'olga' }))).toEqual([403, 'role_escalation']);
    expect(code(await revoke(adam, { member_id: 'mem_unknown' }))).toEqual([404, 'not_found']);
    expect((await revoke(adam, {})).status).toBe(400);
    expect((await revoke(adam, { user_id: 'dora', member_id: await memberId('dora') })).status).toBe(400);
    expect(notified).toEqual([]);
  });
});

describe.each([
  ['deactivate', (id: string) => olga('post', `/members/${id}/deactivate`)],
  ['deny', () => olga('post', '/members/deny', { user_id: 'dora' })],
  ['remove', (id: string) => olga('delete', `/members/${id}`)],
] as const)('to %s', (_name, end) => {
  it('notifies the hub once, and returns the id of the revocation', async () => {
    const id = await memberId('dora');
    const answer = await end(id);
    const revocation = String(answer.headers['legate-revocation']);
    await delivery.idle();
    expect(notified.map(({ userId }) => userId)).toEqual(['dora']);
    expect((await olga('get', `/revocations/${revocation}`)).body).toMatchObject({
      id: revocation,
      user_id: 'dora',
      status: 'delivered',
    });
    expect((await end(id)).headers['legate-revocation']).toBeUndefined();
    await delivery.idle();
    expect(notified).toHaveLength(1);
  });
});

it('does not return revocations of another organization, or events that are not revocations', async () => {
  const { body } = await revoke(adam, { user_id: 'dora' });
  const stranger = await clientOf(api, `org_${randomUUID()}`, { sub: 'mallory', roles: ['owner'] });
  const [event] = (await olga('get', '/audit-events?action=member.joined')).body.data;
  for (const [client, id] of [
    [stranger, body.id],
    [olga, event.id.replace('evt_', 'rev_')],
    [olga, 'rev_unknown'],
  ] as const) {
    expect(code(await client('get', `/revocations/${id}`))).toEqual([404, 'not_found']);
  }
});

it('returns 409 without a hub', async () => {
  const alone = await createTestApi({ beside: api });
  const owner = await clientOf(alone, org, { sub: 'olga' });
  expect(code(await revoke(owner, { user_id: 'dora' }))).toEqual([409, 'tool_hub_not_configured']);
  expect(
    (await owner('delete', `/members/${await memberId('dora')}`)).headers['legate-revocation'],
  ).toBeUndefined();
});
