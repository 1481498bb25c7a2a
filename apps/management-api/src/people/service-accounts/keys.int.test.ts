import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, NOW, type TestApi } from '../../testing/test-api.ts';

const DAY_SECONDS = 24 * 3600;
const inSeconds = (seconds: number) => new Date((NOW + seconds) * 1000).toISOString();

let shared: TestApi;
let api: TestApi;
let owner: Client;
let organization: string;
let account: string;
let count = 0;
beforeAll(async () => {
  shared = await createTestApi();
});
afterAll(() => shared.close());
beforeEach(async () => {
  api = shared;
  organization = `org_${++count}`;
  owner = await clientOf(api, organization, { roles: ['owner'], name: 'Alice' });
  const made = await owner('post', '/service-accounts', { name: 'CI', role: 'developer' });
  account = `/service-accounts/${made.body.id}`;
});

const makeKey = (body: object = {}, headers: Record<string, string> = {}, client = owner) =>
  client('post', `${account}/keys`, { name: 'Actions', scopes: ['sites:read'], ...body }, headers);
const rows = () =>
  api.database.asOwner(async (database) => {
    const { rows: found } = await database.query(
      'SELECT to_jsonb(k) AS row FROM api_keys k WHERE organization_id = $1',
      [organization],
    );
    return found.map(({ row }) => row);
  });

it('shows the secret of a new key once, and stores only its hash', async () => {
  const made = await makeKey({ scopes: ['sites:write', 'sites:read', 'sites:read'] });
  const { key, ...shown } = made.body;
  expect(made.status).toBe(201);
  expect(key).toMatch(/^lgt_[0-9A-Za-z]{38}$/);
  expect(shown).toEqual({
    id: expect.stringMatching(/^key_[0-9A-Z]{26}$/),
    name: 'Actions',
    hint: key.slice(-4),
    scopes: ['sites:write', 'sites:read'],
    allowed_ips: [],
    expires_at: inSeconds(90 * DAY_SECONDS),
    revoked_at: null,
    last_used_at: null,
    last_used_ip: null,
    rotated_to: null,
    created_by: { type: 'user', id: 'user_alice', name: 'Alice', status: 'active' },
    created_at: inSeconds(0),
  });
  expect(made.headers['cache-control']).toBe('no-store');
  const one = await owner('get', `${account}/keys/${shown.id}`);
  expect(one.body).toEqual(shown);
  expect((await owner('get', `${account}/keys`)).body.data).toEqual([shown]);
  expect((await owner('get', account)).body.keys).toBe(1);

  const stored = JSON.stringify(await rows());
  expect(stored).not.toContain(key);
  expect(stored).toContain(createHash('sha256').update(key).digest('hex'));
  const trail = await auditTrailOf(api, shown.id);
  expect(trail.map(({ action }) => action)).toEqual(['api_key.created']);
  expect(JSON.stringify(trail)).not.toContain(key);
});

it('does not store the secret for a repeated response', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  const first = await makeKey({}, headers);
  const again = await makeKey({}, headers);
  expect([again.status, again.body]).toEqual([201, { ...first.body, key: null }]);
  expect(again.headers['idempotent-replayed']).toBe('true');
  const stored = await api.database.asOwner((database) =>
    database.query('SELECT answer::text FROM idempotency_keys'),
  );
  expect(JSON.stringify(stored.rows)).not.toContain(first.body.key);
});

it.each([
  ['in the past', 0, 400],
  ['further than the deployment allows', 366 * DAY_SECONDS + 1, 400],
  ['as far as the deployment allows', 366 * DAY_SECONDS, 201],
  ['soon', 1, 201],
])('checks an expiry that is %s', async (_case, seconds, status) => {
  const answer = await makeKey({ expires_at: inSeconds(seconds) });
  expect(answer.status).toBe(status);
  if (status === 400)
    expect(answer.body.errors[0]).toMatchObject({ pointer: '/expires_at', code: 'out_of_range' });
});

it.each([
  ['192.0.2.7', '192.0.2.7/32'],
  ['192.0.2.7/24', '192.0.2.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::1/32', '2001:db8::/32'],
])('stores the block %s as %s', async (block, written) => {
  expect((await makeKey({ allowed_ips: [block] })).body.allowed_ips).toEqual([written]);
});

it.each([
  '',
  'localhost',
  '192.0.2.0/33',
  '192.0.2.0/',
  '192.0.2.0/08',
  '192.0.2.0/8/8',
  'fe80::1%eth0',
  '::/129',
  '192.0.2',
])('refuses the block %j', async (block) => {
  const answer = await makeKey({ allowed_ips: [block] });
  expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, '/allowed_ips/0']);
});

describe('a key never has more rights than', () => {
  it.each(['org:write', 'credentials:write', 'clients:write', 'invitations:write', 'everything', ''])(
    'keys may have: %j',
    async (scope) => {
      const answer = await makeKey({ scopes: [scope] });
      expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, '/scopes/0']);
    },
  );

  it('its account has', async () => {
    const answer = await makeKey({ scopes: ['sites:read', 'members:write'] });
    expect([answer.status, answer.body.code]).toEqual([403, 'role_escalation']);
    expect(answer.body.detail).toContain('members:write');
    expect((await makeKey({ scopes: [] })).status).toBe(400);
  });

  it('the token of its maker has, who cannot rotate a stronger key either', async () => {
    const limited = await clientOf(api, organization, {
      roles: ['owner'],
      scope: 'credentials:write sites:read',
    });
    expect((await makeKey({}, {}, limited)).status).toBe(201);
    const beyond = await makeKey({ scopes: ['sites:write'] }, {}, limited);
    expect([beyond.status, beyond.body.code]).toEqual([403, 'role_escalation']);
    const { id } = (await makeKey({ scopes: ['sites:write'] })).body;
    const rotated = await limited('post', `${account}/keys/${id}/rotate`);
    expect([rotated.status, rotated.body.code]).toEqual([403, 'role_escalation']);
  });

  it('its maker has at this moment, according to the database', async () => {
    const admin = await clientOf(api, organization, { sub: 'user_bob', roles: ['admin'] });
    expect((await makeKey({}, {}, admin)).status).toBe(201);
    await api.database.asOwner((database) =>
      database.query(
        "UPDATE members SET removed_at = now() WHERE organization_id = $1 AND user_id = 'user_bob'",
        [organization],
      ),
    );
    // The process still has the admin cached, since the clock stands still.
    const answer = await makeKey({ scopes: ['sites:write'] }, {}, admin);
    expect([answer.status, answer.body.code]).toEqual([403, 'role_escalation']);
  });
});

it('rotates a key: the new one has its rights, the old one ends after the overlap', async () => {
  api = await createTestApi({ beside: shared });
  const old = (await makeKey({ allowed_ips: ['192.0.2.0/24'], expires_at: inSeconds(30 * DAY_SECONDS) }))
    .body;
  api.advanceSeconds(10 * DAY_SECONDS);
  owner = await clientOf(api, organization, { roles: ['owner'] });
  const rotated = await owner('post', `${account}/keys/${old.id}/rotate`, { overlap_seconds: 3600 });
  const { id, key, expires_at } = rotated.body;
  expect([rotated.status, rotated.body]).toMatchObject([
    201,
    { name: 'Actions', scopes: ['sites:read'], allowed_ips: ['192.0.2.0/24'], rotated_to: null },
  ]);
  expect(key).not.toBe(old.key);
  expect(expires_at).toBe(inSeconds(40 * DAY_SECONDS));
  const before = (await owner('get', `${account}/keys/${old.id}`)).body;
  expect([before.rotated_to, before.expires_at]).toEqual([id, inSeconds(10 * DAY_SECONDS + 3600)]);
  const twice = await owner('post', `${account}/keys/${old.id}/rotate`);
  expect([twice.status, twice.body.code]).toEqual([409, 'key_revoked']);
  const [, event] = await auditTrailOf(api, old.id);
  expect(event).toMatchObject({
    action: 'api_key.rotated',
    details: { rotated_to: id, overlap_seconds: 3600 },
  });
  expect(JSON.stringify(event)).not.toContain(key);
});

it('does not extend the lifetime of a key by rotating it', async () => {
  const old = (await makeKey({ expires_at: inSeconds(60) })).body;
  await owner('post', `${account}/keys/${old.id}/rotate`);
  expect((await owner('get', `${account}/keys/${old.id}`)).body.expires_at).toBe(inSeconds(60));
});

it('revokes a key, which may be repeated, and refuses to rotate it afterwards', async () => {
  const { id } = (await makeKey()).body;
  const path = `${account}/keys/${id}`;
  expect([(await owner('delete', path)).status, (await owner('delete', path)).status]).toEqual([204, 204]);
  expect((await owner('get', path)).body.revoked_at).toBe(inSeconds(0));
  expect((await owner('post', `${path}/rotate`)).body.code).toBe('key_revoked');
  const actions = (await auditTrailOf(api, id)).map(({ action }) => action);
  expect(actions).toEqual(['api_key.created', 'api_key.revoked']);
});

it('lists keys by state and by maker', async () => {
  const names = async (query: string) =>
    (await owner('get', `${account}/keys?${query}`)).body.data.map((key: { name: string }) => key.name);
  const bob = await clientOf(api, organization, { sub: 'user_bob', roles: ['admin'] });
  await makeKey({ name: 'short', expires_at: inSeconds(60) }, {}, bob);
  const { id } = (await makeKey({ name: 'gone' })).body;
  await makeKey({ name: 'good' });
  await owner('delete', `${account}/keys/${id}`);
  api = await createTestApi({ beside: shared });
  api.advanceSeconds(60);
  owner = await clientOf(api, organization, { roles: ['owner'] });
  expect(await names('state=live')).toEqual(['good']);
  expect(await names('state=expired')).toEqual(['short']);
  expect(await names('state=revoked')).toEqual(['gone']);
  expect(await names('sort=-created_at')).toEqual(expect.arrayContaining(['short', 'gone', 'good']));
  expect(await names('created_by=user_bob')).toEqual(['short']);
});

it('allows 10 live keys at most, and still lets all of them be rotated', async () => {
  const made = await Promise.all(Array.from({ length: 12 }, () => makeKey()));
  expect(made.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 409, 409]);
  const keys = made.filter(({ status }) => status === 201).map(({ body }) => body.id);
  for (const id of keys) expect((await owner('post', `${account}/keys/${id}/rotate`)).status).toBe(201);
  for (const id of keys) await owner('delete', `${account}/keys/${id}`);
  expect((await makeKey()).body.code).toBe('quota_exceeded');
});
