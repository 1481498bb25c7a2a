import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { MAX_CONSENTS } from './decide.ts';

let api: TestApi;
/** Another process, which is not notified of changes made in the first one */
let other: TestApi;
let organization: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
  other = await createTestApi({ beside: api });
});
afterAll(() => Promise.all([api.close(), other.close()]));
beforeEach(() => {
  organization = `org_${++count}`;
});

/** Alice, calling through an application; undefined: the token names no application */
const through = (client_id: string | undefined, claims: object = {}, at = api): Promise<Client> =>
  clientOf(at, organization, { ...(client_id !== undefined && { client_id }), ...claims });
const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const put = (client: Client, id: string, decision: string) =>
  client('put', `/me/consents/${encodeURIComponent(id)}`, { decision });
const recorded = async () =>
  (await auditTrailOf(api, organization))
    .filter(({ action }) => action.startsWith('organization.consent_'))
    .map(({ action, details }) => [action, details]);
const listed = async (client: Client) => {
  const { body } = await client('get', '/me/consents?limit=100');
  return body.data.map((consent: Record<string, string>) => [consent.client_id, consent.decision]);
};

describe('an application that is denied', () => {
  it('is refused every request for the user, until another application allows it', async () => {
    const [denied, console_] = [await through('chat-app'), await through('console')];
    expect((await denied('get', '/sites')).status).toBe(200);
    const answer = await put(console_, 'chat-app', 'deny');
    expect([answer.status, answer.body]).toEqual([
      200,
      { client_id: 'chat-app', decision: 'deny', decided_at: expect.any(String) },
    ]);
    for (const path of ['/sites', '/me', '/me/consents'])
      expect(code(await denied('get', path))).toEqual([403, 'consent_denied']);
    expect((await console_('get', '/sites')).status).toBe(200);
    const bob = await through('chat-app', { sub: 'user_bob' });
    expect((await bob('get', '/sites')).status).toBe(200);
    expect(await listed(console_)).toEqual([['chat-app', 'deny']]);

    expect((await put(console_, 'chat-app', 'approve')).status).toBe(200);
    expect((await denied('get', '/sites')).status).toBe(200);
    expect(await listed(console_)).toEqual([['chat-app', 'approve']]);
    expect(await recorded()).toEqual([
      ['organization.consent_denied', { client_id: 'chat-app' }],
      ['organization.consent_given', { client_id: 'chat-app' }],
    ]);
  });

  it.each(['client_id', 'azp', 'cid', 'appid'])('is recognized by the claim %s', async (claim) => {
    await put(await through('console'), 'chat-app', 'deny');
    const denied = await clientOf(api, organization, { [claim]: 'chat-app' });
    expect(code(await denied('get', '/sites'))).toEqual([403, 'consent_denied']);
  });

  it('cannot lift its own denial, not even in a process that has it cached as allowed', async () => {
    const late = await through('chat-app', {}, other);
    expect((await late('get', '/sites')).status).toBe(200);
    await put(await through('console'), 'chat-app', 'deny');
    for (const id of ['chat-app', 'its-twin'])
      expect(code(await put(late, id, 'approve'))).toEqual([403, 'consent_denied']);
    expect(await listed(await through('console'))).toEqual([['chat-app', 'deny']]);
  });

  it('cannot lift its own denial with a token that names no application', async () => {
    const unnamed = await through(undefined);
    expect((await put(unnamed, 'chat-app', 'deny')).status).toBe(200);
    expect(code(await put(unnamed, 'chat-app', 'approve'))).toEqual([409, 'client_unknown']);
    expect((await put(await through('console'), 'chat-app', 'approve')).status).toBe(200);
  });

  it('may deny itself', async () => {
    const own = await through('chat-app');
    expect((await put(own, 'chat-app', 'deny')).status).toBe(200);
    expect(code(await own('get', '/me'))).toEqual([403, 'consent_denied']);
  });

  it('is denied once by ten concurrent decisions, and stays denied', async () => {
    const clients = [await through('console'), await through('console', {}, other)];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => put(clients[index % 2] as Client, 'chat-app', 'deny')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await recorded()).toHaveLength(1);
  });
});

it('is no longer recorded once the member is removed', async () => {
  const admin = await through('console', { sub: 'user_admin', roles: ['admin'] });
  const alice = await through('console');
  await put(alice, 'chat-app', 'deny');
  const { body } = await admin('get', '/members?search=');
  const members = body.data ?? (await admin('get', '/members')).body.data;
  const { id } = members.find(({ user_id }: { user_id: string }) => user_id === 'user_alice');
  await admin('post', `/members/${id}/deactivate`);
  await admin('post', `/members/${id}/reinstate`);
  expect(await listed(alice)).toEqual([['chat-app', 'deny']]);
  await admin('delete', `/members/${id}`);
  await admin('post', `/members/${id}/reinstate`);
  expect(await listed(alice)).toEqual([]);
});

it('is kept up to a limit: old approvals are deleted for new decisions, and denials are not', async () => {
  const client = await through('console');
  expect((await put(client, 'first', 'approve')).status).toBe(200);
  for (let n = 1; n < MAX_CONSENTS; n += 1) await put(client, `app-${n}`, 'deny');
  expect((await put(client, 'one-more', 'deny')).status).toBe(200);
  expect(code(await put(client, 'too-many', 'deny'))).toEqual([409, 'quota_exceeded']);
  const consents = await listed(client);
  expect(consents).toHaveLength(MAX_CONSENTS);
  expect(consents).not.toContainEqual(['first', 'approve']);
  expect((await put(client, 'app-1', 'approve')).status).toBe(200);
});

it.each([
  ['x'.repeat(256), 'deny', 'client_id'],
  ['a\u0000', 'deny', 'client_id'],
])('refuses an application named %j', async (id, decision, parameter) => {
  const answer = await put(await through('console'), id, decision);
  expect([answer.status, answer.body.errors]).toMatchObject([400, [{ parameter }]]);
});

it('accepts any name that a provider may assign, and returns it unchanged', async () => {
  const client = await through('console');
  for (const id of ['https://app.example/client.json', 'a b', 'ä|%2F'])
    expect((await put(client, id, 'approve')).body.client_id).toBe(id);
});

it('cannot be decided about with a token that is limited to reading', async () => {
  const reader = await through('console', { scope: 'members:read' });
  expect((await reader('get', '/me/consents')).status).toBe(200);
  expect(code(await put(reader, 'chat-app', 'deny'))).toEqual([403, 'insufficient_permission']);
});
