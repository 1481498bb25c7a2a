import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, ISSUER, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let org: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  org = `org_${++count}`;
  await sql('INSERT INTO organizations (id, name) VALUES ($1::text, $1::text)', [org]);
  await sql(
    `INSERT INTO members (organization_id, user_id, id, role, email, name)
     VALUES ($1::text, 'user_alice', 'mem_' || $1, 'owner', 'old@acme.example', 'Alice')`,
    [org],
  );
});

const sql = (text: string, values: unknown[] = []) =>
  api.database.asOwner(async (owner) => (await owner.query(text, values)).rows);
const row = async () =>
  (await sql('SELECT email, name, version FROM members WHERE organization_id = $1', [org]))[0];
const signedIn = (claims: Record<string, unknown>): Promise<Client> => clientOf(api, org, claims);
const BEFORE = { email: 'old@acme.example', name: 'Alice', version: 1 };

it('saves the data of a member in their token, once', async () => {
  const alice = await signedIn({ email: 'new@acme.example', name: 'Alice Liddell' });
  for (let i = 0; i < 3; i++) expect((await alice('get', '/sites')).status).toBe(200);
  api.advanceSeconds(31); // the membership is read again
  await alice('get', '/sites');
  expect(await row()).toEqual({ email: 'new@acme.example', name: 'Alice Liddell', version: 2 });
  expect((await alice('get', `/members/mem_${org}`)).body).toMatchObject({ email: 'new@acme.example' });
});

it('does not save missing or repeated data', async () => {
  const silent = await signedIn({});
  const same = await signedIn({ email: 'old@acme.example', name: 'Alice' });
  for (const client of [silent, same]) expect((await client('get', '/sites')).status).toBe(200);
  expect(await row()).toEqual(BEFORE);
  const half = await signedIn({ name: 'Alice L.' });
  await half('get', '/sites');
  expect(await row()).toEqual({ email: 'old@acme.example', name: 'Alice L.', version: 2 });
});

it('records the issuer of a member without a new version, since the issuer is not shown', async () => {
  const issuer = async () => (await sql('SELECT issuer FROM members WHERE organization_id = $1', [org]))[0];
  expect(await issuer()).toEqual({ issuer: null });
  const before = await (await signedIn({}))('get', `/members/mem_${org}`);
  expect(await issuer()).toEqual({ issuer: ISSUER });
  api.advanceSeconds(31);
  const after = await (await signedIn({}))('get', `/members/mem_${org}`);
  expect([after.body, after.headers.etag]).toEqual([before.body, before.headers.etag]);
});

it('does not change the row with each request when two tokens differ', async () => {
  const [one, other] = [await signedIn({ name: 'One' }), await signedIn({ name: 'Other' })];
  for (let i = 0; i < 3; i++) {
    await one('get', '/sites');
    await other('get', '/sites');
  }
  expect((await row()).version).toBe(2);
});

it('does not store characters that the database refuses, and serves the request even if storing fails', async () => {
  const hostile = await signedIn({ name: 'A\u0000\ud800lice!' });
  expect((await hostile('get', '/sites')).status).toBe(200);
  expect(await row()).toMatchObject({ name: 'Alice!' });
  await sql(`ALTER TABLE members ADD CONSTRAINT no_more CHECK (name <> 'Refused')`);
  api.advanceSeconds(31);
  const refused = await signedIn({ name: 'Refused' });
  expect((await refused('get', '/sites')).status).toBe(200);
  expect(await row()).toMatchObject({ name: 'Alice!' });
});

it('does not restore a removed member, and stores nothing from their token', async () => {
  await sql('UPDATE members SET removed_at = now() WHERE organization_id = $1', [org]);
  const alice = await signedIn({ name: 'Again' });
  expect((await alice('get', '/sites')).status).toBe(403);
  expect(await row()).toEqual(BEFORE);
});
