import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LentToken } from '@legate/delegation';
import { OrganizationId, UserId } from '@legate/ids';
import {
  type Backend,
  createMemoryBackend,
  createSecureStore,
  generateEncryptionKeys,
} from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { createLendRefreshToken } from './lend-refresh-token.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';

/** Replicas that can crash at any point of an exchange, and a provider that detects a reused refresh token */
const KEY = 'session:1';
const USER = { userId: UserId.parse('user_alice'), organizationId: OrganizationId.parse('org_acme') };
const log = createLogger({ service: 'test', level: 'silent' });

let clock: TestClock;
let store: SessionStore;
let sent: string[];
let revoked: string[];
let pause: (ms: number) => Promise<unknown>;
/** Called before each command that replaces an entry; throws to simulate a crash of the process */
let beforeReplace: (nth: number) => void;

beforeEach(async () => {
  clock = createTestClock();
  sent = [];
  revoked = [];
  // Nobody's patience ends.
  pause = (ms) => new Promise((resolve) => void (ms < 1000 && setImmediate(resolve)));
  beforeReplace = () => undefined;
  let replaced = 0;
  const memory = createMemoryBackend({ clock });
  const backend: Backend = {
    ...memory,
    async replace(...entry) {
      replaced += 1;
      beforeReplace(replaced);
      return memory.replace(...entry);
    },
  };
  store = createSessionStore({
    store: createSecureStore({ backend, keys: generateEncryptionKeys() }),
    idleSeconds: 86_400,
    clock,
    log,
  });
  await store.open(KEY, {
    ...USER,
    ends: [...(await store.endsBefore(USER))],
    clientId: 'tool-hub',
    idToken: 'an-id-token',
    idTokenIssuedAt: now(),
    idTokenExpiresAt: now() + 3600,
    original: { iss: 'https://idp.example', aud: ['tool-hub'] },
    refreshToken: 'refresh-0',
    endsAt: now() + 86_400,
  });
});

const now = () => clock().getTime() / 1000;
const nextOf = (token: string) => `refresh-${Number(token.split('-')[1]) + 1}`;
const recordNow = async () => {
  const found = await store.find(KEY);
  return found.kind === 'found' ? found.session.record : undefined;
};

async function present(token: string): Promise<{ became: LentToken }> {
  if (sent.includes(token)) throw new Error('it was sent again');
  sent.push(token);
  return { became: { kind: 'answered', next: nextOf(token) } };
}

/** @returns what a request of this replica gets, which has just read the session */
function replica() {
  const lend = createLendRefreshToken({
    store,
    refreshTokens: { revoke: async (token) => void revoked.push(token) },
    clock,
    pause: (ms) => pause(ms),
    log,
  });
  return async (send: (token: string) => Promise<{ became: LentToken }> = present) => {
    const found = await store.find(KEY);
    if (found.kind !== 'found') return found.kind;
    const reply = await lend(found.session)(send);
    return 'lack' in reply ? reply.lack : reply.became.kind;
  };
}

/** Returns when the token has been sent, and nothing has been answered. */
async function startPresenting(exchange: ReturnType<typeof replica>) {
  let finish = (): void => undefined;
  let first: Promise<string> | undefined;
  await new Promise<void>((isSent) => {
    first = exchange(async (token) => {
      const answered = new Promise<void>((done) => (finish = done));
      isSent();
      await answered;
      return present(token);
    });
  });
  return { first, finish: () => finish() };
}

it('keeps the token of the response, or the same token if there is none', async () => {
  const exchange = replica();
  expect(await exchange()).toBe('answered');
  expect(await recordNow()).toMatchObject({ refreshToken: 'refresh-1' });
  await exchange(async () => ({ became: { kind: 'answered', next: undefined } }));
  expect(await recordNow()).toMatchObject({ refreshToken: 'refresh-1' });
  expect(await recordNow()).not.toHaveProperty('sentAt');
});

it('lets one request at a time present it, in all replicas, so that no token is sent twice', async () => {
  const replicas = [replica(), replica()];
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => replicas.map((exchange) => exchange())).flat(),
  );
  expect(new Set(outcomes)).toEqual(new Set(['answered']));
  expect(sent).toEqual(Array.from({ length: 20 }, (_, index) => `refresh-${index}`));
  expect(await recordNow()).toMatchObject({ refreshToken: 'refresh-20' });
});

describe('while another request has the token, a request', () => {
  let finish: () => void;
  beforeEach(async () => {
    ({ finish } = await startPresenting(replica()));
  });

  it('of another replica waits for its turn', async () => {
    let pauses = 0;
    pause = async () => {
      pauses += 1;
      if (pauses === 3) finish();
      await new Promise((resolve) => setImmediate(resolve));
    };
    expect(await replica()()).toBe('answered');
    expect([pauses >= 3, sent]).toEqual([true, ['refresh-0', 'refresh-1']]);
  });

  it('waits for ten seconds at most, even if the clock stands still', async () => {
    let waitedMs = 0;
    pause = async (ms) => {
      waitedMs += ms;
    };
    expect(await replica()()).toBe('turn');
    expect([waitedMs, sent]).toEqual([10_000, []]);
  });
});

it('gives up a turn in its own process after ten seconds, and lets the next one have it', async () => {
  const exchange = replica();
  const { first, finish } = await startPresenting(exchange);
  const patience: number[] = [];
  let isPatient = false;
  pause = async (ms) => {
    patience.push(ms);
    if (isPatient) await new Promise(() => undefined);
  };
  expect(await exchange()).toBe('turn');
  isPatient = true;
  const third = exchange();
  await new Promise((resolve) => setImmediate(resolve));
  finish();
  expect(await Promise.all([first, third])).toEqual(['answered', 'answered']);
  expect([patience, sent]).toEqual([
    [10_000, 10_000],
    ['refresh-0', 'refresh-1'],
  ]);
});

describe('after a crash', () => {
  it('before the mark, another replica presents the token', async () => {
    beforeReplace = () => {
      throw new Error('the process ends here');
    };
    await expect(replica()()).rejects.toThrow();
    beforeReplace = () => undefined;
    expect([await replica()(), sent]).toEqual(['answered', ['refresh-0']]);
  });

  it('between sending and keeping, the token is never sent again', async () => {
    await expect(
      replica()(async (token) => {
        await present(token);
        throw new Error('the process ends here');
      }),
    ).rejects.toThrow();
    pause = async () => undefined;
    expect(await replica()()).toBe('turn');
    clock.advanceSeconds(15);
    expect([await replica()(), await replica()(), sent]).toEqual(['lost', 'lost', ['refresh-0']]);
  });
});

it('keeps the response of a provider although the store fails meanwhile', async () => {
  beforeReplace = (nth) => {
    if (nth === 2) throw new Error('connection refused');
  };
  expect([await replica()(), await replica()()]).toEqual(['answered', 'answered']);
  expect(sent).toEqual(['refresh-0', 'refresh-1']);
});

it.each<[string, LentToken, string, string | undefined]>([
  [
    'is presented again after a refusal of the exchange',
    { kind: 'refused', error: 'access_denied' },
    'answered',
    'refresh-1',
  ],
  ['is presented again if it was not used', { kind: 'untouched' }, 'answered', 'refresh-1'],
  ['is dropped if it is no longer valid', { kind: 'refused', error: 'invalid_grant' }, 'session', undefined],
  ['is lost without a response, for which nobody waits', { kind: 'lost' }, 'lost', 'refresh-0'],
])('%s', async (_case, became, then, kept) => {
  const exchange = replica();
  expect(await exchange(async () => ({ became }))).toBe(became.kind);
  pause = () => Promise.reject(new Error('it waits'));
  expect(await exchange()).toBe(then);
  expect((await recordNow())?.refreshToken).toBe(kept);
});

it('revokes the new token of a session that has ended meanwhile', async () => {
  await replica()(async (token) => {
    await store.remove(KEY);
    return present(token);
  });
  expect([revoked, await recordNow()]).toEqual([['refresh-1'], undefined]);
});
