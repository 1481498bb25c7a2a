import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import {
  type Backend,
  createMemoryBackend,
  createSecureStore,
  generateEncryptionKeys,
} from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { createTestClock, type TestClock } from '@legate/service/testing';
import type { CallStep } from '../domain/call-step.ts';
import type { Caller } from '../domain/caller.ts';
import { Presence } from '../domain/presence.ts';
import { type Reach, reachName } from '../domain/reach.ts';
import { connectorNotFound, membershipRevoked } from '../refusals/connector-problems.ts';
import { hubBusy } from '../refusals/limit-problems.ts';
import { sessionEnded } from '../refusals/sign-in-problems.ts';
import { createEndings, type EndedBy, type Endings, untilEnded } from './endings.ts';
import type { EndHow } from './session-record.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const ALICE: Caller = {
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'token',
  subjectTokenId: 'hash-of-it',
  audiences: ['app'],
  authentication: { client: 'app' },
};
const KEY = 'session:1';
const IN_SESSION: Caller = { ...ALICE, session: { key: KEY, sid: 'sign-in-1' } };
const TOOLS = { connectorId: 'con_tools' };

let clock: TestClock;
let store: SessionStore;
let endings: Endings;
let isDown: boolean;

beforeEach(async () => {
  clock = createTestClock();
  isDown = false;
  const memory = createMemoryBackend({ clock });
  const backend: Backend = {
    ...memory,
    getMany: (keys) => (isDown ? Promise.reject(new Error('down')) : memory.getMany(keys)),
  };
  store = createSessionStore({
    store: createSecureStore({ backend, keys: generateEncryptionKeys() }),
    idleSeconds: 86_400,
    clock,
    log,
  });
  endings = createEndings({ store, clock, log });
  const now = clock().getTime() / 1000;
  await store.open(KEY, {
    ends: [
      ...(await store.endsBefore({
        userId: UserId.parse('user_alice'),
        organizationId: OrganizationId.parse('org_acme'),
        sid: 'sign-in-1',
      })),
    ],
    userId: UserId.parse('user_alice'),
    organizationId: OrganizationId.parse('org_acme'),
    sid: 'sign-in-1',
    clientId: 'app',
    idToken: 'token',
    idTokenIssuedAt: now,
    idTokenExpiresAt: now + 300,
    original: { iss: 'https://idp.example', aud: ['app'] },
    endsAt: now + 86_400,
  });
});

/** Starts a request, and records why it was ended. */
function run(caller: Caller, at?: { connectorId: string }) {
  const ended: EndedBy[] = [];
  const over = endings.watch(caller, (why) => ended.push(why), at);
  return { ended, over };
}
async function end(reach: Exclude<Reach, { key: string }>, how?: EndHow): Promise<void> {
  await store.end(reach, how);
  await endings.end(reachName(reach));
}

describe('a running request is ended', () => {
  it.each<[string, Exclude<Reach, { key: string }>, EndedBy]>([
    ['its organization', { organizationId: OrganizationId.parse('org_acme') }, 'caller'],
    [
      'its user there',
      { organizationId: OrganizationId.parse('org_acme'), userId: UserId.parse('user_alice') },
      'caller',
    ],
    ['its user everywhere', { userId: UserId.parse('user_alice') }, 'caller'],
    [
      'its connector',
      { organizationId: OrganizationId.parse('org_acme'), connectorId: ConnectorId.parse('con_tools') },
      'connector',
    ],
  ])('with %s', async (_case, reach, why) => {
    const { ended } = run(ALICE, TOOLS);
    await end(reach);
    expect(ended).toEqual([why]);
    await end(reach);
    expect(ended).toEqual([why]);
  });

  it('with its sign-in, and with its session', async () => {
    const first = run(IN_SESSION);
    await end({ sid: 'sign-in-1' });
    expect(first.ended).toEqual(['caller']);
    const second = run({ ...IN_SESSION, session: { key: 'session:gone' } });
    await endings.end(reachName({ key: 'session:gone' }));
    expect(second.ended).toEqual(['caller']);
  });

  it.each<[string, Exclude<Reach, { key: string }>]>([
    ['organization', { organizationId: OrganizationId.parse('org_globex') }],
    ['user', { organizationId: OrganizationId.parse('org_acme'), userId: UserId.parse('user_bob') }],
    [
      'user elsewhere',
      { organizationId: OrganizationId.parse('org_globex'), userId: UserId.parse('user_alice') },
    ],
    [
      'connector',
      { organizationId: OrganizationId.parse('org_acme'), connectorId: ConnectorId.parse('con_other') },
    ],
    [
      'connector of the same id',
      { organizationId: OrganizationId.parse('org_globex'), connectorId: ConnectorId.parse('con_tools') },
    ],
    ['sign-in', { sid: 'sign-in-2' }],
  ])('with no other %s', async (_case, reach) => {
    const [bare, inSession] = [run(ALICE, TOOLS), run(IN_SESSION, TOOLS)];
    await end(reach);
    await endings.recheck();
    expect([bare.ended, inSession.ended]).toEqual([[], []]);
  });

  it('not once it has finished', async () => {
    const { ended, over } = run(ALICE);
    over();
    await end({ organizationId: OrganizationId.parse('org_acme') });
    expect(ended).toEqual([]);
  });

  it('not by an end that happened before it began', async () => {
    await store.end({ organizationId: OrganizationId.parse('org_acme') });
    clock.advanceSeconds(1);
    const { ended } = run(ALICE);
    await endings.end(reachName({ organizationId: OrganizationId.parse('org_acme') }));
    await endings.recheck();
    expect(ended).toEqual([]);
  });

  it('not before its grace time is over', async () => {
    const { ended } = run(ALICE, TOOLS);
    await end(
      { organizationId: OrganizationId.parse('org_acme'), connectorId: ConnectorId.parse('con_tools') },
      { graceMs: 30_000 },
    );
    clock.advanceSeconds(29);
    await endings.recheck();
    expect(ended).toEqual([]);
    clock.advanceSeconds(1);
    await endings.recheck();
    expect(ended).toEqual(['connector']);
  });
});

describe('without an announcement', () => {
  it('a request ends at the next check', async () => {
    const { ended } = run(ALICE);
    await store.end({ userId: UserId.parse('user_alice') });
    expect(ended).toEqual([]);
    await endings.recheck();
    expect(ended).toEqual(['caller']);
  });

  it('a request continues while its session exists', async () => {
    const { ended } = run(IN_SESSION);
    await endings.recheck();
    expect(ended).toEqual([]);
    await store.remove(KEY);
    await endings.recheck();
    expect(ended).toEqual(['caller']);
  });
});

describe('while the store is down', () => {
  it('a request ends when an end is announced', async () => {
    const { ended } = run(ALICE, TOOLS);
    isDown = true;
    await endings.end(
      reachName({
        organizationId: OrganizationId.parse('org_acme'),
        connectorId: ConnectorId.parse('con_tools'),
      }),
    );
    expect(ended).toEqual(['connector']);
  });

  it('a request continues without an announcement', async () => {
    const { ended } = run(ALICE);
    isDown = true;
    await endings.recheck();
    expect(ended).toEqual([]);
  });
});

it('notifies listeners of every end', async () => {
  const names: string[] = [];
  endings.onEnd((name) => names.push(name));
  await endings.end('one');
  await endings.end('two');
  expect(names).toEqual(['one', 'two']);
});

it('announces an end at once, and again when running requests are cancelled', async () => {
  const seen: string[] = [];
  endings.onEnd(() => seen.push('caches'));
  endings.onCancelled(() => seen.push('sessions at tool servers'));
  endings.watch(ALICE, () => seen.push('request'));
  await end({ userId: ALICE.userId });
  expect(seen).toEqual(['caches', 'request', 'sessions at tool servers']);
});

describe('work of a caller', () => {
  const steps: CallStep[] = [];
  beforeEach(() => void steps.splice(0));
  const by = (change: { caller?: Caller; counted?: Promise<void> } = {}) => ({
    caller: ALICE,
    presence: new Presence(),
    observer: { report: (step: CallStep) => void steps.push(step) },
    at: TOOLS,
    ...change,
  });
  const endUser = () => end({ userId: ALICE.userId });

  it('returns its result, and is no longer watched', async () => {
    const waiting = by({ counted: Promise.resolve() });
    expect(await untilEnded(endings.watch, waiting, async () => 'done')).toBe('done');
    await endUser();
    expect([waiting.presence.hasLeft, steps]).toEqual([false, []]);
  });

  it.each<[string, Caller, Exclude<Reach, { key: string }>, string]>([
    ['when the session that it is in ends', IN_SESSION, { sid: 'sign-in-1' }, 'session_ended'],
    ['when its user, who has no session, loses access', ALICE, { userId: ALICE.userId }, 'access_revoked'],
    [
      'when its connector is revoked',
      IN_SESSION,
      { organizationId: ALICE.organizationId, connectorId: ConnectorId.parse('con_tools') },
      'access_revoked',
    ],
  ])('is cancelled %s, and its result is dropped', async (_case, caller, reach, code) => {
    const waiting = by({ caller });
    const running = untilEnded(endings.watch, waiting, async () => {
      await end(reach);
      return 'done';
    });
    await expect(running).rejects.toMatchObject({ code });
    expect(steps).toEqual([{ step: 'cut', why: waiting.presence.cutBy }]);
  });

  it.each([
    [401, sessionEnded()],
    [403, membershipRevoked()],
  ])('throws its refusal with %d, which may have ended the session', async (_status, refusal) => {
    const running = untilEnded(endings.watch, by(), async () => {
      await endUser();
      throw refusal;
    });
    await expect(running).rejects.toBe(refusal);
    expect(steps).toEqual([]);
  });

  it.each([
    ['another refusal', connectorNotFound(false)],
    ['an error', Object.assign(new Error('of ours'), { status: 401 })],
  ])('throws the reason of its cancellation, and not %s', async (_case, thrown) => {
    const running = untilEnded(endings.watch, by(), async () => {
      await endUser();
      throw thrown;
    });
    await expect(running).rejects.toMatchObject({ code: 'access_revoked' });
  });

  it('throws its error if nothing has ended', async () => {
    const thrown = new Error('of ours');
    await expect(untilEnded(endings.watch, by(), () => Promise.reject(thrown))).rejects.toBe(thrown);
    expect(steps).toEqual([]);
  });

  it('throws the refusal of the count, whatever the work returned or threw', async () => {
    const refusal = hubBusy();
    const counted = () => by({ counted: Promise.reject(refusal) });
    await expect(untilEnded(endings.watch, counted(), async () => 'done')).rejects.toBe(refusal);
    const failing = untilEnded(endings.watch, counted(), () => Promise.reject(membershipRevoked()));
    await expect(failing).rejects.toBe(refusal);
  });
});
