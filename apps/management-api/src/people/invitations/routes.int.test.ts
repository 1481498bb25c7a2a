import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createOnboardingScene } from '../../testing/onboarding-scene.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let org: string;
let owner: Client;
let admin: Client;
beforeAll(async () => {
  ({ api } = await createOnboardingScene());
});
afterAll(() => api.close());
beforeEach(async () => {
  org = `org_${randomUUID()}`;
  owner = await as('user_olga', 'owner');
  admin = await as('user_adam', 'admin');
});

/** A user who has called before, so that the role in their row applies */
async function as(sub: string, role: string): Promise<Client> {
  // Each request gets a new token, since the test advances the time by days.
  const client: Client = async (...call) => {
    const claims = { sub, roles: [role], email: `${sub}@acme.example`, name: sub };
    return (await clientOf(api, org, claims))(...call);
  };
  await client('get', '/me');
  return client;
}

const invite = (client = admin, body: object = {}) =>
  client('post', '/invitations', { email: 'bob@acme.example', role: 'developer', ...body });
const tokenOf = ({ body }: { body: { accept_url: string } }) =>
  new URL(body.accept_url).searchParams.get('token') ?? '';
const sql = (text: string, ...values: unknown[]) =>
  api.database.asOwner(async (database) => (await database.query(text, values)).rows);
const savedHash = async (id: string) =>
  (await sql('SELECT token_hash FROM invitations WHERE id = $1', id))[0]?.token_hash;

describe('an invitation', () => {
  it('is returned with its link, which appears nowhere else', async () => {
    const made = await invite(admin, { email: ' Bob@ACME.example' });
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'private, no-store']);
    expect(made.headers.location).toBe(`/api/v1/invitations/${made.body.id}`);
    const expires_at = new Date(api.now().getTime() + 7 * 24 * 3_600_000).toISOString();
    expect(made.body).toMatchObject({
      id: expect.stringMatching(/^inv_/),
      email: 'bob@acme.example',
      role: 'developer',
      state: 'pending',
      expires_at,
      invited_by: { type: 'user', id: 'user_adam', name: 'user_adam' },
      accept_url: expect.stringMatching(/^https:\/\/api\.example\/onboarding\/invitation\?token=lgi_\w{38}$/),
    });
    const token = tokenOf(made);
    expect(await savedHash(made.body.id)).toEqual(createHash('sha256').update(token).digest());

    const found = await admin('get', `/invitations/${made.body.id}`);
    expect([found.status, found.body]).toEqual([200, { ...made.body, accept_url: null }]);
    expect(found.headers.etag).toBe(made.headers.etag);
    const { body: list } = await admin('get', '/invitations');
    expect(list.data).toEqual([{ ...made.body, accept_url: null }]);
    const [event, ...more] = await auditTrailOf(api, made.body.id);
    expect([event, more]).toMatchObject([
      {
        action: 'invitation.created',
        targets: [{ type: 'invitation', id: made.body.id, name: 'bob@acme.example' }],
        changes: { role: { from: null, to: 'developer' } },
      },
      [],
    ]);
    const everything = await sql(
      'SELECT to_jsonb(i) AS row FROM invitations i UNION ALL SELECT to_jsonb(e) FROM audit_events e',
    );
    expect(JSON.stringify(everything)).not.toContain(token);
  });

  it('is created once per Idempotency-Key, and its link is not stored for replays', async () => {
    const key = { 'Idempotency-Key': 'once' };
    const body = { email: 'bob@acme.example', role: 'viewer' };
    const first = await admin('post', '/invitations', body, key);
    const again = await admin('post', '/invitations', body, key);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(again.body).toEqual({ ...first.body, accept_url: null });
    const [kept] = await sql('SELECT answer FROM idempotency_keys WHERE organization_id = $1', org);
    expect(JSON.stringify(kept)).not.toContain(tokenOf(first).slice(4));
  });

  it.each([
    ['no address', { email: 'bob' }, '/email', 'invalid_format'],
    ['no role of ours', { role: 'king' }, '/role', 'invalid_enum'],
    ['less than a day', { expires_in_days: 0 }, '/expires_in_days', 'out_of_range'],
    ['more than 30 days', { expires_in_days: 31 }, '/expires_in_days', 'out_of_range'],
    ['a message of the inviter', { message: 'Click!' }, '/message', 'unknown_field'],
  ])('is refused with %s', async (_case, body, pointer, code) => {
    const refused = await invite(admin, body);
    expect([refused.status, refused.body.errors[0]]).toMatchObject([400, { pointer, code }]);
  });

  it('as an owner can be made, sent again and revoked only by owners', async () => {
    expect((await invite(admin, { role: 'owner' })).body.code).toBe('role_escalation');
    const made = await invite(owner, { role: 'owner' });
    expect(made.status).toBe(201);
    api.advanceSeconds(61);
    const answers = [
      await admin('post', `/invitations/${made.body.id}/resend`),
      await admin('delete', `/invitations/${made.body.id}`),
      await owner('post', `/invitations/${made.body.id}/resend`),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'role_escalation'],
      [403, 'role_escalation'],
      [200, undefined],
    ]);
  });

  it('does not depend on whether the address has an account elsewhere', async () => {
    const elsewhere = await clientOf(api, `org_${randomUUID()}`, {
      sub: 'user_known',
      email: 'known@acme.example',
    });
    await elsewhere('get', '/me');
    const shape = async (email: string) => {
      const { status, body } = await invite(admin, { email });
      return [status, Object.keys(body), body.state];
    };
    expect(await shape('known@acme.example')).toEqual(await shape('unknown@acme.example'));
  });

  it.each(['user_adam@acme.example', 'User_Adam@ACME.example'])(
    'is refused for a member: %s',
    async (email) => {
      const refused = await invite(owner, { email });
      expect([refused.status, refused.body.code]).toEqual([409, 'already_member']);
    },
  );

  it('can be made for a former member', async () => {
    const { body } = await owner('get', '/members?search=user_adam');
    await owner('delete', `/members/${body.data[0].id}`);
    expect((await invite(owner, { email: 'user_adam@acme.example' })).status).toBe(201);
  });

  it('is made once for an address: the refusal names the open invitation', async () => {
    const first = await invite();
    const second = await invite(owner, { email: 'BOB@acme.example' });
    expect([second.status, second.body]).toMatchObject([
      409,
      { code: 'invitation_pending', id: first.body.id },
    ]);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => invite(admin, { email: 'eve@acme.example' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('no longer blocks another one after it has expired', async () => {
    const first = await invite(admin, { expires_in_days: 1 });
    api.advanceSeconds(24 * 3600);
    expect((await admin('get', `/invitations/${first.body.id}`)).body.state).toBe('expired');
    expect((await admin('get', '/invitations?state=expired')).body.data).toHaveLength(1);
    const second = await invite();
    expect(second.status).toBe(201);
    const { body } = await admin('get', '/invitations?sort=-created_at');
    expect(body.data.map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual([
      [second.body.id, 'pending'],
      [first.body.id, 'expired'],
    ]);
  });

  it('has an ETag that changes when it expires', async () => {
    const { body, headers } = await invite(admin, { expires_in_days: 1 });
    api.advanceSeconds(24 * 3600);
    const later = await admin('get', `/invitations/${body.id}`, undefined, {
      'If-None-Match': headers.etag ?? '',
    });
    expect([later.status, later.body.state]).toEqual([200, 'expired']);
  });
});

describe('a list of invitations', () => {
  it('can be filtered by state and whole address', async () => {
    const bob = await invite();
    await invite(admin, { email: 'eve@acme.example' });
    const idsOf = async (query: string) => {
      const { body } = await admin('get', `/invitations?${query}`);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await idsOf('email=BOB@acme.example')).toEqual([bob.body.id]);
    expect(await idsOf('state=accepted')).toEqual([]);
    expect((await idsOf('state=pending')).length).toBe(2);
    expect((await admin('get', '/invitations?email=bob')).status).toBe(400);
  });
});

describe('limits on invitations', () => {
  const fill = (number: number, sentAt: Date) =>
    sql(
      `INSERT INTO invitations (id, organization_id, email, role, valid_days, token_hash, sent_at, expires_at,
         invited_by_type, invited_by_id)
       SELECT $1 || '_' || n, $1, n || '@acme.example', 'viewer', 30, sha256(($1 || n)::bytea), $3,
         $3::timestamptz + interval '30 days', 'user', 'user_olga' FROM generate_series(1, $2::int) n`,
      org,
      number,
      sentAt,
    );

  it('allow 100 open ones', async () => {
    await fill(100, new Date(api.now().getTime() - 2 * 3_600_000));
    const refused = await invite();
    expect([refused.status, refused.body.code]).toEqual([409, 'quota_exceeded']);
    await sql("UPDATE invitations SET state = 'revoked' WHERE id = $1", `${org}_1`);
    expect((await invite()).status).toBe(201);
  });

  it('allow 50 an hour, revoked ones included', async () => {
    await fill(50, api.now());
    await sql("UPDATE invitations SET state = 'revoked' WHERE organization_id = $1", org);
    const refused = await invite();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
    api.advanceSeconds(3600);
    expect((await invite()).status).toBe(201);
  });
});

describe('a new link for an invitation', () => {
  const resend = (id: string, client = admin, headers = {}) =>
    client('post', `/invitations/${id}/resend`, undefined, headers);

  it('replaces the old link, and restarts the time until it expires', async () => {
    const made = await invite(admin, { expires_in_days: 2 });
    const before = await savedHash(made.body.id);
    api.advanceSeconds(24 * 3600);
    const sent = await resend(made.body.id, owner);
    const expires_at = new Date(api.now().getTime() + 2 * 24 * 3_600_000).toISOString();
    expect([sent.status, sent.body]).toMatchObject([
      200,
      { id: made.body.id, state: 'pending', expires_at, invited_by: { id: 'user_olga' } },
    ]);
    expect(tokenOf(sent)).not.toBe(tokenOf(made));
    expect(await savedHash(made.body.id)).not.toEqual(before);
    expect((await auditTrailOf(api, made.body.id)).map(({ action }) => action)).toEqual([
      'invitation.created',
      'invitation.resent',
    ]);
  });

  it('can be made once a minute', async () => {
    const { body } = await invite();
    const refused = await resend(body.id);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    api.advanceSeconds(60);
    expect((await resend(body.id)).status).toBe(200);
  });

  it('can be made for an expired invitation, unless the address has a newer one', async () => {
    const first = await invite(admin, { expires_in_days: 1 });
    api.advanceSeconds(2 * 24 * 3600);
    expect((await resend(first.body.id)).body.state).toBe('pending');
    api.advanceSeconds(2 * 24 * 3600);
    await invite();
    const refused = await resend(first.body.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'invitation_pending']);
  });

  it('is left out when the response is repeated for the same idempotency key', async () => {
    const { body } = await invite();
    api.advanceSeconds(60);
    const key = { 'Idempotency-Key': 'again' };
    const sent = await resend(body.id, admin, key);
    const replay = await resend(body.id, admin, key);
    expect([replay.status, replay.body]).toEqual([200, { ...sent.body, accept_url: null }]);
  });

  it.each(['accepted', 'declined', 'revoked'])(
    'cannot be made for an invitation that was %s',
    async (state) => {
      const { body } = await invite();
      await sql(
        'UPDATE invitations SET state = $2, user_id = $3 WHERE id = $1',
        body.id,
        state,
        state === 'accepted' ? 'user_bob' : null,
      );
      api.advanceSeconds(60);
      const refused = await resend(body.id);
      expect([refused.status, refused.body.code]).toEqual([409, 'invitation_closed']);
    },
  );
});

describe('revoking an invitation', () => {
  it('keeps it visible, and may be repeated', async () => {
    const { body } = await invite();
    const first = await admin('delete', `/invitations/${body.id}`);
    const second = await admin('delete', `/invitations/${body.id}`);
    expect([first.status, second.status]).toEqual([204, 204]);
    expect((await admin('get', `/invitations/${body.id}`)).body.state).toBe('revoked');
    expect((await auditTrailOf(api, body.id)).map(({ action }) => action)).toEqual([
      'invitation.created',
      'invitation.revoked',
    ]);
  });

  it('requires its current version', async () => {
    const { body, headers } = await invite();
    api.advanceSeconds(60);
    await admin('post', `/invitations/${body.id}/resend`);
    const stale = await admin('delete', `/invitations/${body.id}`, undefined, {
      'If-Match': headers.etag ?? '',
    });
    expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
  });

  it('is refused once it was accepted: the member is removed instead', async () => {
    const { body } = await invite();
    await sql("UPDATE invitations SET state = 'accepted', user_id = 'user_bob' WHERE id = $1", body.id);
    const refused = await admin('delete', `/invitations/${body.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'invitation_closed']);
  });
});

describe('an inviter who can no longer grant the role', () => {
  const stateOf = async (id: string) => (await owner('get', `/invitations/${id}`)).body.state;
  const idOf = async (name: string) =>
    (await owner('get', `/members?search=${name}&status=any`)).body.data[0].id;

  it.each([
    ['was removed', (id: string) => owner('delete', `/members/${id}`)],
    ['was deactivated', (id: string) => owner('post', `/members/${id}/deactivate`)],
    ['became a developer', (id: string) => owner('patch', `/members/${id}`, { role: 'developer' })],
  ])('because they %s leaves no open invitation', async (_case, change) => {
    const { body } = await invite();
    expect((await change(await idOf('user_adam'))).status).toBeLessThan(300);
    expect(await stateOf(body.id)).toBe('revoked');
    // Another person may invite the address, or change the invitation.
    expect((await owner('post', `/invitations/${body.id}/resend`)).status).toBe(429);
    api.advanceSeconds(60);
    expect((await owner('post', `/invitations/${body.id}/resend`)).body.state).toBe('pending');
  });

  it('no longer blocks another invitation', async () => {
    const { body } = await invite();
    await owner('delete', `/members/${await idOf('user_adam')}`);
    expect((await invite(owner)).status).toBe(201);
    expect(await stateOf(body.id)).toBe('revoked');
  });

  it('because they are no longer an owner leaves invitations as a developer open', async () => {
    const second = await as('user_second', 'owner');
    const asOwner = await invite(second, { role: 'owner' });
    const asDeveloper = await invite(second, { email: 'eve@acme.example' });
    await owner('patch', `/members/${await idOf('user_second')}`, { role: 'admin' });
    expect([await stateOf(asOwner.body.id), await stateOf(asDeveloper.body.id)]).toEqual([
      'revoked',
      'pending',
    ]);
  });
});

it('may be a service account, whose invitations depend on it too', async () => {
  const { body: machine } = await owner('post', '/service-accounts', { name: 'HR', role: 'admin' });
  const { body } = await invite();
  await sql(
    "UPDATE invitations SET invited_by_type = 'service_account', invited_by_id = $2 WHERE id = $1",
    body.id,
    machine.id,
  );
  const shown = async () => (await owner('get', `/invitations/${body.id}`)).body;
  expect(await shown()).toMatchObject({
    state: 'pending',
    invited_by: { type: 'service_account', id: machine.id, name: 'HR' },
  });
  await owner('patch', `/service-accounts/${machine.id}`, { status: 'disabled' });
  expect((await shown()).state).toBe('revoked');
});

it('returns 404 without onboarding, even without a token', async () => {
  const without = await createTestApi({ beside: api });
  const client = await clientOf(without, org, { roles: ['owner'] });
  for (const [method, path] of [
    ['get', '/invitations'],
    ['post', '/invitations'],
    ['get', '/invitations/inv_a'],
  ] as const) {
    expect((await client(method, path)).status).toBe(404);
  }
});
