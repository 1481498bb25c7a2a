import { beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { createMemoryBackend, createSecureStore, generateEncryptionKeys } from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { createEndSession } from './end-session.ts';
import { createEnterSession } from './enter-session.ts';
import { createPendingSessions } from './pending-sessions.ts';
import { digestOf } from './refresh-tokens.ts';
import type { SessionRecord } from './session-record.ts';
import { createSessionSlots, type SessionSlots } from './session-slots.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';

const OWNER = { userId: UserId.parse('user_alice'), organizationId: OrganizationId.parse('org_acme') };
const PENDING_SECONDS = 120;

let clock: TestClock;
let names: Set<string>;
let store: SessionStore;
let slots: SessionSlots;
let opened: SessionRecord[];
let pending: ReturnType<typeof createPendingSessions>;
let ending: ReturnType<typeof createEndSession>;
let revoked: string[];
let count: number;

beforeEach(() => {
  clock = createTestClock();
  names = new Set();
  opened = [];
  count = 0;
  const memory = createMemoryBackend({ clock });
  const backend = {
    ...memory,
    set: (key: string, value: Buffer, ttlSeconds: number) => {
      names.add(key);
      return memory.set(key, value, ttlSeconds);
    },
    add: (key: string, value: Buffer, ttlSeconds: number) => {
      names.add(key);
      return memory.add(key, value, ttlSeconds);
    },
  };
  const secure = createSecureStore({ backend, keys: generateEncryptionKeys() });
  const log = createLogger({ service: 'test', level: 'silent' });
  store = createSessionStore({ store: secure, idleSeconds: 86_400, clock, log });
  slots = createSessionSlots({ store: secure, maxPerUser: 2, clock });
  pending = createPendingSessions({
    store,
    prepare: async (idToken, { refreshToken, grant }) => {
      count += 1;
      const record: SessionRecord = {
        ...OWNER,
        ...{ clientId: 'hub', sid: 'sid_1', idToken, refreshToken, grant, ends: [] },
        ...{ idTokenIssuedAt: 0, idTokenExpiresAt: 0, original: { iss: 'i', aud: ['hub'] } },
        endsAt: Math.floor(clock().getTime() / 1000) + 30 * 86_400,
      };
      return { key: `session:${count}`, handle: 'none', endsAt: record.endsAt, record };
    },
    enter: createEnterSession({ store, slots, clock }),
    ...{ marks: secure, pendingSeconds: PENDING_SECONDS, clock },
    notes: { noteOpening: (record) => void opened.push(record as SessionRecord) },
  });
  revoked = [];
  ending = createEndSession({
    ...{ store, slots, allSlots: [slots], log, announce: async () => undefined },
    endings: { end: async () => undefined },
    refreshTokens: { revoke: async (token) => void revoked.push(token) },
    notes: { noteEnd: () => undefined },
  });
  left = async () => {
    const found = await Promise.all([...names].map(async (name) => ((await memory.get(name)) ? [name] : [])));
    return found.flat();
  };
});
/** Returns the names of all stored entries. */
let left: () => Promise<readonly string[]>;

const open = (refreshToken = `rt-${count}`) =>
  pending.open('id-token', { refreshToken, grant: { clientId: 'c', resource: 'r' } });
/** Ends a session as a caller does that has read it before `meanwhile`. */
async function end(key: string, meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
  const found = await store.find(key);
  await meanwhile();
  if (found.kind !== 'absent') await ending.removeForGood(found.session, 'token_reused');
}
const keysThatCount = async () => (await slots.occupantsOf(OWNER)).map(({ key }) => key);

describe('a session that is pending', () => {
  it('leaves nothing in the store when it expires: no refresh token, no slot, no mark', async () => {
    await open();
    await open();
    expect(await keysThatCount()).toEqual([]);
    clock.advanceSeconds(PENDING_SECONDS);
    expect(await left()).toEqual([]);
    expect(opened).toEqual([]);
  });

  it('counts once it is redeemed, and lives as long as its record says', async () => {
    const { key } = await open();
    expect(await pending.redeem(key)).toEqual([]);
    expect(await keysThatCount()).toEqual([key]);
    clock.advanceSeconds(PENDING_SECONDS + 1);
    const found = await store.find(key);
    expect(found.kind === 'found' && found.session.record).toMatchObject({ refreshToken: 'rt-0', slot: {} });
    expect(found.kind === 'found' && 'pendingSince' in found.session.record).toBe(false);
    expect(opened).toHaveLength(1);
  });

  it('returns the keys of the sessions that it displaces, the oldest first', async () => {
    const keys = [];
    for (let i = 0; i < 3; i += 1) {
      keys.push((await open()).key);
      clock.advanceSeconds(1);
    }
    const displaced = [];
    for (const key of [...keys].reverse()) {
      displaced.push(...(await pending.redeem(key)));
      clock.advanceSeconds(1);
    }
    expect(displaced).toEqual([keys[2]]);
  });

  it('is not restored, and takes no slot, if it ends while it is being redeemed', async () => {
    const { key } = await open();
    const { keep } = store;
    store.keep = async (...args) => {
      await store.remove(key);
      return keep(...args);
    };
    await expect(pending.redeem(key)).rejects.toMatchObject({ status: 401 });
    expect([await store.find(key), await keysThatCount()]).toEqual([{ kind: 'absent' }, []]);
    await expect(pending.redeem(key)).rejects.toMatchObject({ status: 401 });
    expect(opened).toEqual([]);
  });

  it('is redeemed although its ID token is renewed at the same time', async () => {
    const { key } = await open();
    const { keep } = store;
    let isFirst = true;
    store.keep = async (session, record) => {
      if (isFirst) await store.replace(session, { ...session.record, idToken: 'renewed' });
      isFirst = false;
      return keep(session, record);
    };
    await pending.redeem(key);
    const found = await store.find(key);
    expect(found.kind === 'found' && found.session.record.idToken).toBe('renewed');
  });

  it('is not redeemed if another session has the same refresh token', async () => {
    await pending.redeem((await open('shared')).key);
    const { key } = await open('shared');
    await expect(pending.redeem(key)).rejects.toMatchObject({ code: 'refresh_token_in_use' });
    expect(await keysThatCount()).toHaveLength(1);
  });

  it.each(['keep', 'find'] as const)('keeps no slot and no refresh token if `%s` fails', async (failing) => {
    const { key } = await open();
    const { keep, find } = store;
    const fail = () => Promise.reject(new Error('timeout'));
    store.keep = async (session, record) => {
      if (failing === 'keep') return fail();
      await store.replace(session, { ...session.record, idToken: 'renewed' });
      store.find = fail;
      return keep(session, record);
    };
    await expect(pending.redeem(key)).rejects.toThrow('timeout');
    Object.assign(store, { keep, find });
    expect(await keysThatCount()).toEqual([]);
    expect(await pending.redeem(key)).toEqual([]);
    expect(await keysThatCount()).toEqual([key]);
  });

  it.each(['holdRefreshToken', 'keep'] as const)(
    'of a client that is removed before `%s` does not live',
    async (step) => {
      const { key } = await open();
      const original = store[step] as (...args: unknown[]) => Promise<boolean>;
      Object.assign(store, {
        async [step](...args: unknown[]) {
          await pending.remove(OWNER, 'c');
          for (const each of await keysThatCount()) await end(each);
          return original(...args);
        },
      });
      await expect(pending.redeem(key)).rejects.toMatchObject({ status: 401 });
      expect(await keysThatCount()).toEqual([]);
      expect(opened).toEqual([]);
    },
  );

  it('leaves no slot and no refresh token if it is redeemed while another request ends it', async () => {
    const { key } = await open('rt');
    await end(key, () => pending.redeem(key));
    expect([await store.find(key), await keysThatCount(), revoked]).toEqual([{ kind: 'absent' }, [], ['rt']]);
    expect(await store.holdRefreshToken(digestOf('rt'))).toBe(true);
  });

  it('has its refresh token revoked when it ends, unless another session has the same', async () => {
    await pending.redeem((await open('shared')).key);
    await end((await open('shared')).key);
    expect(revoked).toEqual([]);
    expect(await store.holdRefreshToken(digestOf('shared'))).toBe(false);
    await end((await open('own')).key);
    expect(revoked).toEqual(['own']);
    expect(await store.holdRefreshToken(digestOf('own'))).toBe(true);
  });
});
