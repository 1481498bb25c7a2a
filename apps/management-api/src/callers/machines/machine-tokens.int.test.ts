import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { newSecretToken } from '../../domain/secret-token.ts';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, ISSUER, NOW, type TestApi } from '../../testing/test-api.ts';

/** Each provider's token that a client gets for itself, for this client */
const SHAPES: Readonly<Record<string, (client: string) => Record<string, unknown>>> = {
  'mock-idp': (client) => ({ sub: client, client_id: client, jti: 'j' }),
  Okta: (client) => ({ sub: client, cid: client, ver: 1 }),
  Auth0: (client) => ({ sub: `${client}@clients`, azp: client, gty: 'client-credentials' }),
  'Entra ID': (client) => ({ sub: `oid-of-${client}`, azp: client, idtyp: 'app' }),
  Keycloak: (client) => ({
    sub: `uuid-of-${client}`,
    azp: client,
    client_id: client,
    preferred_username: `service-account-${client}`,
    acr: '1',
  }),
};

let api: TestApi;
let owner: Client;
let organization: string;
let account: string;
let client: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = `org_${++count}`;
  client = `client_${count}`;
  owner = await clientOf(api, organization, { roles: ['owner'] });
  const made = await owner('post', '/service-accounts', { name: 'Terraform', role: 'developer' });
  account = made.body.id;
});

const register = (subject: string, of = account, by = owner) =>
  by('put', `/service-accounts/${of}/client`, { subject });
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const machine = (named: string | undefined, shape = 'mock-idp', on = api) =>
  clientOf(on, named, SHAPES[shape]?.(client) ?? {});
const subjectIn = (shape: string) => String(SHAPES[shape]?.(client).sub);

describe.each(Object.keys(SHAPES))('a machine of %s', (shape) => {
  it('is refused without a registration, does not become a member, and gets the subject to register', async () => {
    const send = await machine(organization, shape);
    const answer = await send('get', '/sites');
    expect(outcome(answer)).toEqual([403, 'service_account_unknown']);
    expect(answer.body.subject).toBe(subjectIn(shape));
    expect((await owner('get', '/members?status=any')).body.pagination.total).toBe(1);
    const nowhere = await (await machine(undefined, shape))('get', '/sites');
    expect(outcome(nowhere)).toEqual([403, 'service_account_unknown']);
  });

  it('acts as its service account if its token names the organization', async () => {
    expect((await register(subjectIn(shape))).status).toBe(200);
    const send = await machine(organization, shape);
    const made = await send('post', '/sites', { name: 'Portal' });
    expect(made.status).toBe(201);
    const [event] = await auditTrailOf(api, made.body.id);
    expect(event).toMatchObject({
      actor: { type: 'service_account', id: account, email: null },
      context: { auth: 'access_token', client_id: client, token_id: expect.any(String) },
    });
    expect((await send('get', '/me')).body).toMatchObject({
      user: { type: 'service_account', id: account, name: 'Terraform' },
      role: 'developer',
    });
    expect((await owner('get', '/members?status=any')).body.pagination.total).toBe(1);
  });

  it('has to confirm its organization if its token names none', async () => {
    const { confirmation } = (await register(subjectIn(shape))).body;
    const send = await machine(undefined, shape);
    expect(outcome(await send('get', '/sites'))).toEqual([403, 'service_account_unknown']);
    const confirmed = await send('post', '/service-accounts/confirm', { confirmation });
    expect([confirmed.status, confirmed.body]).toEqual([
      200,
      {
        organization_id: organization,
        service_account_id: account,
        role: 'developer',
        confirmed_at: new Date(NOW * 1000).toISOString(),
      },
    ]);
    expect((await send('post', '/sites', { name: 'Portal' })).status).toBe(201);
    const shown = (await owner('get', `/service-accounts/${account}`)).body.client;
    expect(shown).toEqual({
      issuer: ISSUER,
      subject: subjectIn(shape),
      confirmed_at: new Date(NOW * 1000).toISOString(),
    });
  });
});

it('ignores the roles of the token and the default role of the organization', async () => {
  await register(client);
  const send = await clientOf(api, organization, { sub: client, client_id: client, roles: ['owner'] });
  expect((await send('get', '/me')).body.role).toBe('developer');
  expect(outcome(await send('get', '/service-accounts'))).toEqual([403, 'insufficient_permission']);
});

it('has only the scopes of its token', async () => {
  await register(client);
  const send = await clientOf(api, organization, { sub: client, client_id: client, scope: 'sites:read' });
  expect((await send('get', '/sites')).status).toBe(200);
  expect(outcome(await send('post', '/sites', { name: 'A' }))).toEqual([403, 'insufficient_permission']);
});

it('is recognized by its registered subject, whatever its tokens look like', async () => {
  await register('no-shape-at-all');
  const send = await clientOf(api, organization, { sub: 'no-shape-at-all' });
  expect((await send('get', '/me')).body.user).toMatchObject({ type: 'service_account', id: account });
});

it('treats a person without an organization as a person', async () => {
  const dave = await clientOf(api, undefined, { sub: 'user_dave', email: 'dave@newco.example' });
  expect(outcome(await dave('get', '/sites'))).toEqual([403, 'organization_id_required']);
  expect((await dave('get', '/me')).body.user.type).toBe('user');
});

describe('a confirmation of a client', () => {
  const confirm = (send: Client, confirmation: unknown) =>
    send('post', '/service-accounts/confirm', { confirmation });

  it.each<[string, () => Promise<[Client, string]>]>([
    [
      'of another client',
      async () => [
        await clientOf(api, undefined, { sub: 'other', client_id: 'other' }),
        (await register(client)).body.confirmation,
      ],
    ],
    ['that is unknown', async () => [await machine(undefined), newSecretToken('clientConfirmation')]],
    ['that is mistyped', async () => [await machine(undefined), 'lgc_x']],
    [
      'that was made anew since',
      async () => {
        const { confirmation } = (await register(client)).body;
        await register(client);
        return [await machine(undefined), confirmation];
      },
    ],
    [
      'of a deleted account',
      async () => {
        const { confirmation } = (await register(client)).body;
        await owner('delete', `/service-accounts/${account}`);
        return [await machine(undefined), confirmation];
      },
    ],
    [
      'that was used',
      async () => {
        const { confirmation } = (await register(client)).body;
        await confirm(await machine(undefined), confirmation);
        return [await machine(undefined), confirmation];
      },
    ],
    [
      "sent with a person's token",
      async () => [
        await clientOf(api, undefined, { sub: client, email: 'dave@newco.example' }),
        (await register(client)).body.confirmation,
      ],
    ],
  ])('%s is refused without a reason', async (_case, arrange) => {
    const [send, confirmation] = await arrange();
    const answer = await confirm(send, confirmation);
    expect(outcome(answer)).toEqual([404, 'not_found']);
    expect(answer.body.detail).toBe('There is no such confirmation for this client.');
  });

  it('is valid for a day', async () => {
    const timed = await createTestApi({ beside: api });
    const { confirmation } = (await register(client)).body;
    timed.advanceSeconds(24 * 3600);
    const send = await machine(undefined, 'mock-idp', timed);
    expect((await confirm(send, confirmation)).status).toBe(404);
  });

  it('is not stored, and its use is recorded with the machine as actor', async () => {
    const { confirmation } = (await register(client)).body;
    await confirm(await machine(undefined), confirmation);
    const events = await auditTrailOf(api, account);
    expect(events.map(({ action }) => action)).toEqual([
      'service_account.created',
      'service_account.client_set',
      'service_account.client_confirmed',
    ]);
    expect(events[2]).toMatchObject({ actor: { type: 'service_account', id: account } });
    expect(JSON.stringify(events)).not.toContain(confirmation);
    const rows = await api.database.asOwner((database) =>
      database.query('SELECT to_jsonb(s)::text AS row FROM service_accounts s'),
    );
    expect(JSON.stringify(rows.rows)).not.toContain(confirmation);
  });

  it('assigns a client to one organization', async () => {
    const first = (await register(client)).body.confirmation;
    const globex = await clientOf(api, `${organization}_b`, { roles: ['owner'], sub: 'user_mallory' });
    const { id } = (await globex('post', '/service-accounts', { name: 'Trap', role: 'admin' })).body;
    const second = (await register(client, id, globex)).body.confirmation;
    const send = await machine(undefined);
    expect((await confirm(send, first)).status).toBe(200);
    expect(outcome(await confirm(send, second))).toEqual([409, 'client_already_confirmed']);
    // Another organization, whose confirmation was not used, receives nothing that the client writes.
    const { id: site } = (await send('post', '/sites', { name: 'Portal' })).body;
    expect((await globex('get', '/sites')).body.data).toEqual([]);
    expect((await owner('get', `/sites/${site}`)).status).toBe(200);
    // The client may still name the other organization in its token.
    const named = await machine(`${organization}_b`);
    expect((await named('get', '/me')).body.user.id).toBe(id);
  });

  it('is refused from an API key', async () => {
    const { confirmation } = (await register(client)).body;
    const made = await owner('post', `/service-accounts/${account}/keys`, {
      name: 'K',
      scopes: ['sites:read'],
    });
    const answer = await request(api.app)
      .post('/api/v1/service-accounts/confirm')
      .auth(made.body.key, { type: 'bearer' })
      .send({ confirmation });
    expect(outcome(answer)).toEqual([404, 'not_found']);
  });
});

describe('registering a client', () => {
  it('in place of another one ends the first one, and requires a new confirmation', async () => {
    const { confirmation } = (await register(client)).body;
    const send = await machine(undefined);
    await send('post', '/service-accounts/confirm', { confirmation });
    const again = await register(client);
    expect(again.body.client.confirmed_at).not.toBeNull();
    const other = await register('another-client');
    expect(other.body.client).toEqual({ issuer: ISSUER, subject: 'another-client', confirmed_at: null });
    expect(outcome(await send('get', '/sites'))).toEqual([403, 'service_account_unknown']);
  });

  it('twice in an organization is refused', async () => {
    await register(client);
    const { id } = (await owner('post', '/service-accounts', { name: 'Two', role: 'viewer' })).body;
    expect(outcome(await register(client, id))).toEqual([409, 'client_already_registered']);
    await owner('delete', `/service-accounts/${account}`);
    expect((await register(client, id)).status).toBe(200);
  });

  it('requires the rights that the account has', async () => {
    const limited = await clientOf(api, organization, { roles: ['owner'], scope: 'credentials:write' });
    expect(outcome(await register(client, account, limited))).toEqual([403, 'role_escalation']);
  });

  it('is checked against the version in If-Match', async () => {
    const path = `/service-accounts/${account}/client`;
    const stale = await owner('put', path, { subject: client }, { 'If-Match': '"0.0"' });
    expect(outcome(stale)).toEqual([412, 'version_mismatch']);
  });
});

describe('users and machines are kept apart:', () => {
  it('neither a member nor a user who is kept out can be registered', async () => {
    const olga = await clientOf(api, organization, { sub: 'user_olga', roles: ['owner'] });
    await olga('get', '/me');
    const admin = await clientOf(api, organization, { sub: 'user_adam', roles: ['admin'] });
    expect(outcome(await register('user_olga', account, admin))).toEqual([409, 'client_is_member']);
    await owner('post', '/members/deny', { user_id: 'user_denied' });
    expect(outcome(await register('user_denied'))).toEqual([409, 'client_is_member']);
  });

  it('a registered user who becomes a member acts as a member', async () => {
    await register('user_future');
    await api.database.asOwner((database) =>
      database.query(
        "INSERT INTO members (organization_id, user_id, id, role) VALUES ($1, 'user_future', 'mem_f', 'owner')",
        [organization],
      ),
    );
    const send = await clientOf(api, organization, { sub: 'user_future' });
    expect((await send('get', '/me')).body).toMatchObject({ user: { type: 'user' }, role: 'owner' });
  });

  it('a client that was denied stays out', async () => {
    await register(client);
    await owner('post', '/members/deny', { user_id: client });
    const send = await machine(organization);
    expect(outcome(await send('get', '/sites'))).toEqual([403, 'membership_revoked']);
  });

  it('a client that is a member can be removed, and registered', async () => {
    await api.database.asOwner((database) =>
      database.query(
        "INSERT INTO members (organization_id, user_id, id, role) VALUES ($1, $2::text, 'mem_c', 'developer')",
        [organization, client],
      ),
    );
    const send = await machine(organization);
    expect(outcome(await send('get', '/sites'))).toEqual([403, 'service_account_unknown']);
    expect(outcome(await register(client))).toEqual([409, 'client_is_member']);
    await owner('delete', '/members/mem_c');
    expect((await register(client)).status).toBe(200);
    expect((await send('get', '/sites')).status).toBe(200);
  });
});

it.each([
  [
    'a disabled account',
    () => owner('patch', `/service-accounts/${account}`, { status: 'disabled' }),
    'service_account_disabled',
  ],
  ['a deleted account', () => owner('delete', `/service-accounts/${account}`), 'service_account_unknown'],
  [
    'an account without a client',
    () => owner('delete', `/service-accounts/${account}/client`),
    'service_account_unknown',
  ],
])('refuses the client of %s: here at once, in other processes within a second', async (_case, end, code) => {
  const other = await createTestApi({ beside: api });
  const { confirmation } = (await register(client)).body;
  const named = [await machine(organization), await machine(organization, 'mock-idp', other)] as const;
  const unnamed = [await machine(undefined), await machine(undefined, 'mock-idp', other)] as const;
  await unnamed[0]('post', '/service-accounts/confirm', { confirmation });
  for (const send of [...named, ...unnamed]) expect((await send('get', '/sites')).status).toBe(200);
  await end();
  for (const [here] of [named, unnamed]) expect(outcome(await here('get', '/sites'))).toEqual([403, code]);
  other.advanceSeconds(1.001);
  for (const [, there] of [named, unnamed])
    expect(outcome(await there('get', '/sites'))).toEqual([403, code]);
});

it('a machine can neither leave nor create an organization', async () => {
  await register(client);
  const send = await machine(organization);
  expect(outcome(await send('post', '/me/leave'))).toEqual([403, 'insufficient_permission']);
});

describe('when the maker of keys leaves', () => {
  it.each([
    ['deactivated', (id: string) => owner('post', `/members/${id}/deactivate`)],
    ['removed', (id: string) => owner('delete', `/members/${id}`)],
    ['denied', () => owner('post', '/members/deny', { user_id: 'user_bob' })],
  ])('by being %s, the audit trail names each live key once', async (_case, end) => {
    const bob = await clientOf(api, organization, { sub: 'user_bob', roles: ['admin'] });
    const make = async () =>
      (await bob('post', `/service-accounts/${account}/keys`, { name: 'K', scopes: ['sites:read'] })).body;
    const [live, revoked] = [await make(), await make()];
    await bob('delete', `/service-accounts/${account}/keys/${revoked.id}`);
    const members = (await owner('get', '/members')).body.data;
    const { id } = members.find((member: { user_id: string }) => member.user_id === 'user_bob');
    await end(id);
    await end(id);
    const left = async (key: string) =>
      (await auditTrailOf(api, key)).filter(({ action }) => action === 'api_key.maker_left').length;
    expect([await left(live.id), await left(revoked.id)]).toEqual([1, 0]);
    // The key of CI still works.
    const answer = await request(api.app).get('/api/v1/sites').auth(live.key, { type: 'bearer' });
    expect(answer.status).toBe(200);
    const { created_by } = (await owner('get', `/service-accounts/${account}/keys/${live.id}`)).body;
    expect(created_by).toMatchObject({ id: 'user_bob', status: _case });
  });
});
