import { describe, expect, it } from '@jest/globals';
import { createClient } from './index.ts';
import { fakeHub, json, refusal, serveOneTool } from './testing/fake-hub.ts';

const textOf = (outcome: { kind: string; content?: readonly { text?: string }[] }) =>
  outcome.content?.[0]?.text ?? outcome.kind;
const EXPIRED = () => refusal(401, 'token_expired', { reason: 'expired' });

describe('an ID token', () => {
  it('is requested once for all calls while it is valid', async () => {
    let asked = 0;
    const hub = fakeHub(serveOneTool);
    const legate = createClient({ ...hub.options, idToken: async () => `token-${++asked}` });
    const outcomes = await Promise.all([legate.call('notes_create'), legate.call('notes_create')]);
    expect([outcomes.map(textOf), asked]).toEqual([['by token-1', 'by token-1'], 1]);
  });

  it('that has expired is requested once more, for all waiting calls together', async () => {
    let asked = 0;
    const hub = fakeHub((call) => (call.token === 'token-1' ? EXPIRED() : serveOneTool(call)));
    const legate = createClient({ ...hub.options, idToken: () => `token-${++asked}` });
    const outcomes = await Promise.all([1, 2, 3].map(() => legate.call('notes_create')));
    expect([outcomes.map(textOf), asked]).toEqual([['by token-2', 'by token-2', 'by token-2'], 2]);
  });

  it.each([
    ['the same again', () => 'token-1', 'expired'],
    ['none', () => '', 'expired'],
  ])('is not sent again if the application returns %s', async (_case, again, reason) => {
    let asked = 0;
    const hub = fakeHub(EXPIRED);
    const legate = createClient({ ...hub.options, idToken: () => (++asked === 1 ? 'token-1' : again()) });
    const outcome = await legate.call('notes_create');
    expect([outcome, hub.calls.length]).toEqual([
      expect.objectContaining({
        kind: 'sign_in_required',
        reason: again() === '' ? 'no_id_token' : reason,
      }),
      1,
    ]);
  });

  it.each([
    ['has expired twice', EXPIRED, 2],
    ['is refused for another reason', () => refusal(401, 'token_invalid', { reason: 'wrong_audience' }), 1],
  ])('that %s results in sign_in_required', async (_case, answer, requests) => {
    let asked = 0;
    const hub = fakeHub(answer);
    const outcome = await createClient({ ...hub.options, idToken: () => `${++asked}` }).call('notes_create');
    expect([outcome.kind, hub.calls.length]).toEqual(['sign_in_required', requests]);
  });

  it('that the application fails to get results in sign_in_required with the error', async () => {
    const cause = new Error('no session');
    const legate = createClient({ ...fakeHub(serveOneTool).options, idToken: () => Promise.reject(cause) });
    const outcome = await legate.call('notes_create');
    expect(outcome).toMatchObject({ kind: 'sign_in_required', reason: 'no_id_token' });
    expect(outcome).toHaveProperty('cause', cause);
  });
});

it('does not repeat a tool call whose session ended while the tool ran', async () => {
  let asked = 0;
  const hub = fakeHub((call) =>
    call.path.endsWith('/call')
      ? refusal(401, 'session_ended', { reason: 'session_ended' }, { 'Legate-Call-Id': 'evt_1' })
      : serveOneTool(call),
  );
  const legate = createClient({ ...hub.options, idToken: () => `${++asked}` });
  expect(await legate.call('notes_create')).toMatchObject({ reason: 'session_ended', callId: 'evt_1' });
  expect(hub.calls.filter(({ path }) => path.endsWith('/call'))).toHaveLength(1);
});

describe('a session that the client opens', () => {
  /** A hub whose sessions are named `session-1`, `session-2`, …; the first `over` of them have ended */
  function hubWithSessions(over: number) {
    let opened = 0;
    return fakeHub((call) => {
      if (call.path === '/api/v1/sessions') return json({ session: `session-${++opened}` }, 201);
      if (call.path === '/api/v1/sessions/current') return new Response(null, { status: 204 });
      const [, number] = call.token?.split('-') ?? [];
      if (Number(number) <= over) return refusal(401, 'session_ended', { reason: 'session_ended' });
      return serveOneTool(call);
    });
  }
  const opensOf = (hub: ReturnType<typeof fakeHub>) =>
    hub.calls.filter(({ path }) => path === '/api/v1/sessions').map(({ token, body }) => [token, body]);

  it('is opened once, with the ID token and the refresh token, bound to the agent', async () => {
    const hub = hubWithSessions(0);
    const openSession = { refreshToken: 'r1', clientId: 'app' };
    const legate = createClient({ ...hub.options, agentId: 'agt_1', idToken: () => 'id', openSession });
    await Promise.all([legate.tools(), legate.call('notes_create')]);
    expect(textOf(await legate.call('notes_create'))).toBe('by session-1');
    expect(opensOf(hub)).toEqual([['id', { refresh_token: 'r1', client_id: 'app', agent_id: 'agt_1' }]]);
  });

  it('is opened with an access token too, if the application has one', async () => {
    let asked = 0;
    const hub = hubWithSessions(1);
    const openSession = { accessToken: async () => `a${++asked}` };
    const legate = createClient({ ...hub.options, idToken: () => 'id', openSession });
    await legate.call('notes_create');
    expect(opensOf(hub)).toEqual([
      ['id', { access_token: 'a1' }],
      ['id', { access_token: 'a2' }],
    ]);
  });

  it('is not opened if the application fails to get the access token', async () => {
    const hub = hubWithSessions(0);
    const openSession = { accessToken: () => Promise.reject(new Error('the session is gone')) };
    const legate = createClient({ ...hub.options, idToken: () => 'id', openSession });
    expect(await legate.call('notes_create')).toMatchObject({
      kind: 'sign_in_required',
      reason: 'no_id_token',
      cause: expect.objectContaining({ message: 'the session is gone' }),
    });
    expect(opensOf(hub)).toEqual([]);
  });

  it('is opened again with a new refresh token after it has ended', async () => {
    let asked = 0;
    const hub = hubWithSessions(1);
    const openSession = { refreshToken: async () => `r${++asked}` };
    const legate = createClient({ ...hub.options, idToken: () => 'id', openSession });
    const outcomes = await Promise.all([legate.call('notes_create'), legate.call('notes_create')]);
    expect([outcomes.map(textOf), opensOf(hub)]).toEqual([
      ['by session-2', 'by session-2'],
      [
        ['id', { refresh_token: 'r1' }],
        ['id', { refresh_token: 'r2' }],
      ],
    ]);
  });

  it('is not opened again with a refresh token that was already sent to the hub', async () => {
    const hub = hubWithSessions(1);
    const legate = createClient({ ...hub.options, idToken: () => 'id', openSession: { refreshToken: 'r1' } });
    await legate.call('notes_create');
    expect(await legate.call('notes_create')).toMatchObject({
      kind: 'sign_in_required',
      reason: 'session_ended',
    });
    expect(opensOf(hub)).toHaveLength(1);
  });

  it('requires a sign-in if the application has no refresh token', async () => {
    const cause = new Error('signed out');
    const refreshToken = () => Promise.reject(cause);
    const legate = createClient({
      ...hubWithSessions(0).options,
      idToken: () => 'id',
      openSession: { refreshToken },
    });
    const outcome = await legate.call('notes_create');
    expect(outcome).toMatchObject({ reason: 'no_id_token' });
    expect(outcome).toHaveProperty('cause', cause);
  });

  it('is ended by its handle, and no request is sent afterwards', async () => {
    const hub = hubWithSessions(0);
    const legate = createClient({ ...hub.options, idToken: () => 'id', openSession: {} });
    await legate.call('notes_create');
    expect(await legate.end()).toEqual({ kind: 'ended' });
    const { length } = hub.calls;
    expect(await legate.call('notes_create')).toMatchObject({
      kind: 'sign_in_required',
      reason: 'session_ended',
    });
    expect([hub.calls.at(-1), hub.calls.length]).toEqual([
      expect.objectContaining({ method: 'DELETE', path: '/api/v1/sessions/current', token: 'session-1' }),
      length,
    ]);
  });
});

it.each([
  ['a handle', { session: 'handle' }, '/api/v1/sessions/current'],
  ['an ID token', { idToken: () => 'id' }, '/api/v1/tokens'],
])('signs out with %s', async (_case, credential, path) => {
  const hub = fakeHub(() => new Response(null, { status: 204 }));
  expect(await createClient({ ...hub.options, ...credential }).end()).toEqual({ kind: 'ended' });
  expect(hub.calls).toMatchObject([{ method: 'DELETE', path }]);
});

it('reports a session that is already over as ended, and keeps a client whose session may still exist', async () => {
  const over = fakeHub(() => refusal(401, 'session_ended', { reason: 'session_ended' }));
  expect(await createClient({ ...over.options, session: 'handle' }).end()).toEqual({ kind: 'ended' });
  const away = fakeHub((call) =>
    call.method === 'DELETE' ? refusal(503, 'session_store_unavailable') : serveOneTool(call),
  );
  const legate = createClient({ ...away.options, session: 'handle' });
  expect(await legate.end()).toMatchObject({ kind: 'unavailable', code: 'session_store_unavailable' });
  expect(textOf(await legate.call('notes_create'))).toBe('by handle');
});
