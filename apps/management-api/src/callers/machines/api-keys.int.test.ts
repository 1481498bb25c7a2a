import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createRateLimiter } from '@legate/rate-limit';
import request from 'supertest';
import { newSecretToken } from '../../domain/secret-token.ts';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, NOW, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let owner: Client;
let organization: string;
let account: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = `org_${++count}`;
  owner = await clientOf(api, organization, { roles: ['owner'] });
  const made = await owner('post', '/service-accounts', { name: 'CI', role: 'developer' });
  account = made.body.id;
});

const makeKey = async (body: object = {}): Promise<{ id: string; key: string }> =>
  (
    await owner('post', `/service-accounts/${account}/keys`, {
      name: 'Actions',
      scopes: ['sites:read', 'sites:write'],
      ...body,
    })
  ).body;
const send = (key: string, method: 'get' | 'post' = 'get', path = '/sites', on = api) =>
  request(on.app)[method](`/api/v1${path}`).auth(key, { type: 'bearer' });
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const row = (id: string) =>
  api.database.asOwner(async (database) => {
    const { rows } = await database.query(
      'SELECT last_used_at, host(last_used_ip) AS ip FROM api_keys WHERE organization_id = $1 AND id = $2',
      [organization, id],
    );
    return rows[0];
  });

it('acts as its service account, which the audit trail names', async () => {
  const { id, key } = await makeKey();
  const made = await send(key, 'post').send({ name: 'Portal' });
  expect(made.status).toBe(201);
  expect(made.headers['x-ratelimit-limit']).toBe('60');
  const [event] = await auditTrailOf(api, made.body.id);
  expect(event).toMatchObject({
    action: 'site.created',
    actor: { type: 'service_account', id: account, email: null },
    context: { auth: 'api_key', client_id: id, token_id: null },
  });
  const shown = (await owner('get', `/audit-events?target_id=${made.body.id}`)).body.data[0];
  expect(shown.actor).toEqual({ type: 'service_account', id: account, name: 'CI', email: null });
  expect(JSON.stringify(shown)).not.toContain(key);
});

it('is shown by /me with its role and the scopes of its key', async () => {
  const { key } = await makeKey({ scopes: ['sites:write', 'agents:write'] });
  expect((await send(key, 'get', '/me')).body).toEqual({
    user: { type: 'service_account', id: account, email: null, name: 'CI' },
    organization: { id: organization, name: organization },
    role: 'developer',
    scopes: ['sites:write', 'agents:write'],
  });
  await owner('patch', `/service-accounts/${account}`, { role: 'viewer' });
  expect((await send(key, 'get', '/me')).body).toMatchObject({ role: 'viewer', scopes: [] });
  expect(outcome(await send(key, 'post').send({ name: 'A' }))).toEqual([403, 'insufficient_permission']);
});

it('does not become a member', async () => {
  const { key } = await makeKey();
  await send(key);
  const { total } = (await owner('get', '/members?status=any')).body.pagination;
  expect(total).toBe(1);
});

it.each([
  ['unknown', () => newSecretToken('apiKey')],
  ['with a wrong checksum', (key: string) => key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
  ['of another kind', () => newSecretToken('invitation')],
  ['too short', (key: string) => key.slice(0, -1)],
  ['written in small letters', (key: string) => key.toLowerCase()],
])('refuses a key that is %s, always with the same response', async (_case, alter) => {
  const { key } = await makeKey();
  const answer = await send(alter(key));
  expect(outcome(answer)).toEqual([401, 'token_invalid']);
  expect(answer.body.detail).toBe('The token is not valid for this API.');
  expect(answer.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token"/);
  expect(answer.text).not.toContain(key.slice(4, 20));
});

it.each([
  [
    'revoked',
    (id: string) => owner('delete', `/service-accounts/${account}/keys/${id}`),
    [401, 'token_invalid'],
  ],
  ['of a deleted account', () => owner('delete', `/service-accounts/${account}`), [401, 'token_invalid']],
  [
    'of a disabled account',
    () => owner('patch', `/service-accounts/${account}`, { status: 'disabled' }),
    [403, 'service_account_disabled'],
  ],
  [
    'of a deleted organization',
    () => owner('delete', `/organization?confirm=${organization}`),
    [403, 'organization_deleted'],
  ],
])(
  'refuses a key that is %s: here at once, in other processes within a second',
  async (_case, end, expected) => {
    const other = await createTestApi({ beside: api });
    const { id, key } = await makeKey();
    expect([(await send(key)).status, (await send(key, 'get', '/sites', other)).status]).toEqual([200, 200]);
    await end(id);
    expect(outcome(await send(key))).toEqual(expected);
    other.advanceSeconds(1.001);
    expect(outcome(await send(key, 'get', '/sites', other))).toEqual(expected);
  },
);

it('accepts a key again once its account is active again', async () => {
  const { key } = await makeKey();
  await owner('patch', `/service-accounts/${account}`, { status: 'disabled' });
  await owner('patch', `/service-accounts/${account}`, { status: 'active' });
  expect((await send(key)).status).toBe(200);
});

it('refuses an expired key as expired', async () => {
  const { key } = await makeKey({ expires_at: new Date((NOW + 60) * 1000).toISOString() });
  const timed = await createTestApi({ beside: api });
  timed.advanceSeconds(59);
  expect((await send(key, 'get', '/me', timed)).status).toBe(200);
  timed.advanceSeconds(1);
  expect(outcome(await send(key, 'get', '/me', timed))).toEqual([401, 'token_expired']);
});

describe('a key with allowed addresses', () => {
  const from = (key: string, address: string) => send(key).set('X-Forwarded-For', address);

  it.each([
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.0/24', '::ffff:192.0.2.1', true],
    ['192.0.2.0/24', '2001:db8::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '192.0.2.1', false],
  ])('with %s, %s is allowed: %s', async (block, address, isAllowed) => {
    const { key } = await makeKey({ allowed_ips: ['198.51.100.0/24', block] });
    const answer = await from(key, address);
    expect(outcome(answer)).toEqual(isAllowed ? [200, undefined] : [403, 'address_not_allowed']);
  });

  it('is not counted as used from another address', async () => {
    const { id, key } = await makeKey({ allowed_ips: ['192.0.2.0/24'] });
    await from(key, '192.0.3.1');
    expect((await row(id)).last_used_at).toBeNull();
  });
});

it('records the last use once a minute, and the first use in the audit trail', async () => {
  const { id, key } = await makeKey();
  const timed = await createTestApi({ beside: api });
  const use = (address: string) => send(key, 'get', '/me', timed).set('X-Forwarded-For', address);
  await Promise.all(['192.0.2.1', '192.0.2.1', '192.0.2.1'].map(use));
  expect(await row(id)).toEqual({ last_used_at: new Date(NOW * 1000), ip: '192.0.2.1' });
  timed.advanceSeconds(59);
  await use('192.0.2.2');
  expect(await row(id)).toMatchObject({ ip: '192.0.2.1' });
  timed.advanceSeconds(1);
  await use('192.0.2.3');
  expect(await row(id)).toEqual({ last_used_at: new Date((NOW + 60) * 1000), ip: '192.0.2.3' });
  const events = await auditTrailOf(api, id);
  expect(events.map(({ action }) => action)).toEqual(['api_key.created', 'api_key.first_used']);
  expect(events[1]).toMatchObject({ actor: { type: 'service_account', id: account } });
});

it('records the first use once, however many processes see it', async () => {
  const { id, key } = await makeKey();
  const processes = await Promise.all([1, 2, 3].map(() => createTestApi({ beside: api })));
  await Promise.all(processes.map((process) => send(key, 'get', '/sites', process)));
  const actions = (await auditTrailOf(api, id)).map(({ action }) => action);
  expect(actions.filter((action) => action === 'api_key.first_used')).toHaveLength(1);
});

describe('a key outside of the API of its organization', () => {
  it.each([
    ['/internal/v1/organizations/org_1/connectors', 401],
    ['/internal/v1/audit-events', 401],
  ])('is refused at %s', async (path, status) => {
    const { key } = await makeKey();
    expect((await request(api.app).get(path).auth(key, { type: 'bearer' })).status).toBe(status);
  });

  it('is not a workload, so that it cannot act for a user with a transaction token', async () => {
    const { key } = await makeKey();
    const answer = await send(key).set('Txn-Token', await api.txnToken());
    expect(outcome(answer)).toEqual([401, 'token_invalid']);
  });

  it('cannot leave, since only people can', async () => {
    await owner('patch', `/service-accounts/${account}`, { role: 'admin' });
    const { key } = await makeKey({ scopes: ['members:read', 'members:write'] });
    expect(outcome(await send(key, 'post', '/me/leave'))).toEqual([403, 'insufficient_permission']);
  });
});

it('reads the part of the audit trail that its role may read, and its own events', async () => {
  await owner('patch', `/service-accounts/${account}`, { role: 'viewer' });
  const { key } = await makeKey({ scopes: ['audit:read'] });
  await send(key, 'get', '/audit-events');
  const { body } = await send(key, 'get', '/audit-events');
  expect(body.data.map(({ action }: { action: string }) => action)).toEqual(['api_key.first_used']);
});

it('counts unknown keys against their address, and still accepts known ones from there', async () => {
  const clock = () => limited.now();
  const limited: TestApi = await createTestApi({ beside: api, limiter: createRateLimiter({ clock }) });
  const { key } = await makeKey();
  const from = (bearer: string) => send(bearer, 'get', '/me', limited).set('X-Forwarded-For', '203.0.113.9');
  expect((await from(key)).status).toBe(200);
  const statuses: number[] = [];
  for (let i = 0; i < 140; i++) statuses.push((await from(newSecretToken('apiKey'))).status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(125);
  expect((await from(key)).status).toBe(200);
});
