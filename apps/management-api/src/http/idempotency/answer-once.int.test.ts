import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let acme: Client;
let organization = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  acme = await clientOf(api, `org_${++organization}`);
});

const create = (key: string, body: unknown = { name: 'Once' }, client = acme) =>
  client('post', '/sites', body, { 'Idempotency-Key': key });
const total = async () => (await acme('get', '/sites')).body.pagination.total;

it('repeats exactly the same response, headers included, and executes nothing again', async () => {
  const first = await create('"8e03978e-40d5-43e8-bc93-6894a57f9324"');
  const again = await create('8e03978e-40d5-43e8-bc93-6894a57f9324'); // the unquoted key is equivalent
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect([again.headers.location, again.headers.etag]).toEqual([first.headers.location, first.headers.etag]);
  expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
    undefined,
    'true',
  ]);
  expect(await total()).toBe(1);
});

it('recognizes a retry with members in another order, and one that contains a default', async () => {
  const first = await create('order', { name: 'Once', allowed_origins: [] });
  for (const body of [{ allowed_origins: [], name: 'Once' }, { name: ' Once' }]) {
    const again = await create('order', body);
    expect([again.status, again.text]).toEqual([201, first.text]);
  }
  expect(await total()).toBe(1);
});

it('recognizes a retry under the path without a version', async () => {
  const first = await create('alias');
  const token = await api.token(`org_${organization}`);
  const again = await request(api.app)
    .post('/api/sites')
    .auth(token, { type: 'bearer' })
    .set('Idempotency-Key', 'alias')
    .send({ name: 'Once' });
  expect([again.status, again.text]).toEqual([201, first.text]);
});

it.each([
  ['another body', '/sites', { name: 'Twice' }],
  ['another path', '/sites/site_x/origins', { origin: 'https://a.acme.com' }],
])('refuses a key that was used for %s', async (_case, path, body) => {
  await create('reused');
  const answer = await acme('post', path, body, { 'Idempotency-Key': 'reused' });
  expect([answer.status, answer.body.code]).toEqual([422, 'idempotency_key_reused']);
  expect(await total()).toBe(1);
});

it('separates the keys of each user and organization', async () => {
  const bob = await clientOf(api, `org_${organization}`, { sub: 'user_bob' });
  const globex = await clientOf(api, 'org_other');
  const answers = [
    await create('same'),
    await create('same', { name: 'B' }, bob),
    await create('same', { name: 'C' }, globex),
  ];
  expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201]);
});

it('creates once for many concurrent requests; the others get 409 or the result', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => create('at-once')));
  const created = answers.filter((answer) => answer.status === 201);
  expect(created.length).toBeGreaterThan(0);
  expect(new Set(created.map((answer) => answer.text)).size).toBe(1);
  for (const answer of answers.filter((other) => other.status !== 201)) {
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
      409,
      'idempotency_in_progress',
      '1',
    ]);
  }
  expect(await total()).toBe(1);
});

it('expires after 24 hours', async () => {
  const first = await create('old');
  api.advanceSeconds(24 * 3600 - 1);
  acme = await clientOf(api, `org_${organization}`);
  expect((await create('old')).text).toBe(first.text);
  api.advanceSeconds(1);
  acme = await clientOf(api, `org_${organization}`);
  const later = await create('old', { name: 'Another' });
  expect([later.status, later.body.name]).toEqual([201, 'Another']);
  expect((await create('old', { name: 'Another' })).text).toBe(later.text);
});

describe('a refusal', () => {
  it('is repeated too, and leaves nothing behind', async () => {
    const { body: site } = await acme('post', '/sites', {
      name: 'Full',
      allowed_origins: Array.from({ length: 50 }, (_, i) => `https://n${i}.acme.com`),
    });
    const add = () =>
      acme(
        'post',
        `/sites/${site.id}/origins`,
        { origin: 'https://x.acme.com' },
        { 'Idempotency-Key': 'full' },
      );
    expect([(await add()).status, (await add()).status]).toEqual([409, 409]);
    await acme('patch', `/sites/${site.id}`, { allowed_origins: [] });
    const again = await add();
    expect([again.status, again.body.code, again.headers['idempotent-replayed']]).toEqual([
      409,
      'origin_limit_reached',
      'true',
    ]);
    expect(again.body.request_id).toBe(again.headers['x-request-id']);
  });

  it('for an invalid body does not use up the key', async () => {
    expect((await create('typo', { name: '' })).status).toBe(400);
    expect((await create('typo')).status).toBe(201);
  });

  it('with status 500 is not stored: the retry is executed', async () => {
    await api.database.asOwner((owner) =>
      owner.query(
        "ALTER TABLE audit_events ADD CONSTRAINT broken CHECK (action <> 'site.created') NOT VALID",
      ),
    );
    const failed = await create('outage');
    await api.database.asOwner((owner) => owner.query('ALTER TABLE audit_events DROP CONSTRAINT broken'));
    expect([failed.status, failed.body.code]).toEqual([500, 'internal_error']);
    expect(await total()).toBe(0); // no site without its audit event
    expect((await create('outage')).status).toBe(201);
  });
});

it.each(['x'.repeat(256), 'a b', '""', '"a', 'ä'])('refuses the key %j', async (key) => {
  const answer = await create(key);
  expect([answer.status, answer.body.errors]).toEqual([
    400,
    [expect.objectContaining({ header: 'Idempotency-Key', code: 'invalid_format' })],
  ]);
});
