import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SubjectTokenType } from '@legate/identity-providers';
import { OrganizationId, UserId } from '@legate/ids';
import { boundedIdToken, createSigningKeys, type SigningKeys } from '@legate/jwt';
import {
  type Backend,
  createMemoryBackend,
  createSecureStore,
  generateEncryptionKeys,
} from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { createTestClock, START, type TestClock } from '@legate/service/testing';
import { eventually } from '@legate/testing';
import { createLocalJWKSet } from 'jose';
import { createExchangeTokens } from './exchange-token.ts';
import type { Refreshed } from './refresh-tokens.ts';
import { createRenewals } from './renewal.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';
import { createIdTokenVerifier } from './verify-id-token.ts';

/** Replicas of a hub that can crash at any point of a renewal, and an identity provider that detects a reused token */
const ISSUER = 'https://idp.example';
const KEY = 'session:1';
const log = createLogger({ service: 'test', level: 'silent' });

let keys: SigningKeys;
let clock: TestClock;
let store: SessionStore;
/** The identity provider's response to a refresh; undefined: it rotates the token */
let sent: string[];
let answer: (() => Refreshed | Promise<Refreshed>) | undefined;
let revoked: string[];
/** Ends recorded in the audit trail */
let noted: unknown[];
let areKeysDown: boolean;
let subjectTokenType: SubjectTokenType;
let hasPublicSubjects: boolean;
/** Duration of each wait for another replica, in milliseconds */
let waited: number[];
let pause: (ms: number) => Promise<void>;
/** Called before each command that replaces an entry; throws to simulate a crash of the process */
let beforeReplace: (nth: number) => void;

beforeAll(async () => {
  keys = await createSigningKeys({ alg: 'RS256', clock: () => START });
});

beforeEach(async () => {
  clock = createTestClock();
  sent = [];
  revoked = [];
  noted = [];
  areKeysDown = false;
  subjectTokenType = 'id_token';
  hasPublicSubjects = false;
  waited = [];
  pause = async (ms) => {
    waited.push(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  answer = undefined;
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
  const issuedAt = now();
  await store.open(KEY, {
    ends: [
      ...(await store.endsBefore({
        userId: UserId.parse('user_alice'),
        organizationId: OrganizationId.parse('org_acme'),
      })),
    ],
    userId: UserId.parse('user_alice'),
    organizationId: OrganizationId.parse('org_acme'),
    clientId: 'app',
    idToken: await idTokenNow(),
    idTokenIssuedAt: issuedAt,
    idTokenExpiresAt: issuedAt + 300,
    original: { iss: ISSUER, aud: ['app'] },
    refreshToken: 'refresh-0',
    endsAt: issuedAt + 86_400,
  });
});

const now = () => clock().getTime() / 1000;
const idTokenNow = () =>
  keys.sign(
    { iss: ISSUER, sub: 'user_alice', aud: 'app', organization_id: 'org_acme', iat: now(), exp: now() + 300 },
    { typ: 'JWT' },
  );

async function rotate(refreshToken: string): Promise<Refreshed> {
  const generation = Number(refreshToken.split('-')[1]);
  if (sent.filter((token) => token === refreshToken).length > 1) throw new Error('it was sent again');
  return {
    kind: 'refreshed',
    tokens: { idToken: await idTokenNow(), refreshToken: `refresh-${generation + 1}` },
  };
}

function replica() {
  const renew = createRenewals({
    store,
    exchangeTokens: createExchangeTokens({
      type: subjectTokenType,
      terms: { issuer: ISSUER, audiences: ['app'], hubClientId: 'app' },
      lend: () => () => Promise.reject(new Error('nothing is exchanged')),
      now,
    }),
    refreshTokens: {
      async refresh(refreshToken) {
        sent.push(refreshToken);
        return answer ? answer() : rotate(refreshToken);
      },
      hasPublicSubjects: async () => hasPublicSubjects,
      async revoke(refreshToken) {
        revoked.push(refreshToken);
      },
    },
    verifyIdToken: createIdTokenVerifier({
      organizationRule: { claim: 'organization_id' },
      userClaim: 'sub',
      profile: boundedIdToken(),
      issuer: {
        issuer: ISSUER,
        keys: async (...wanted) => {
          if (areKeysDown) throw new Error('connection refused');
          return createLocalJWKSet(keys.publicJwks())(...wanted);
        },
      },
      audiences: ['app'],
      clock,
    }),
    clock,
    log,
    noteEnd: (_record, how, reason) => noted.push([how, reason]),
    pause: (ms) => pause(ms),
  });
  return async () => {
    const found = await store.find(KEY);
    if (found.kind !== 'found') return found.kind;
    const renewal = await renew(found.session);
    return renewal.kind === 'usable' ? renewal.session.record : renewal.kind;
  };
}

const untilEnd = (seconds: number) => clock.advanceSeconds(300 - seconds);

it("starts in the last fifth of the ID token's lifetime, and not before", async () => {
  const renew = replica();
  untilEnd(61);
  expect(await renew()).toMatchObject({ refreshToken: 'refresh-0' });
  untilEnd(299);
  expect(await renew()).toMatchObject({ refreshToken: 'refresh-1', idTokenExpiresAt: now() + 300 });
});

it('happens once for three replicas that all read the session before any of them renewed it', async () => {
  clock.advanceSeconds(400);
  const outcomes = await Promise.all([replica()(), replica()(), replica()()]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ refreshToken: 'refresh-1' });
  expect(sent).toEqual(['refresh-0']);
});

it('delays no caller while the ID token is valid', async () => {
  let finish: ((answered: Refreshed) => void) | undefined;
  answer = () => new Promise((resolve) => (finish = resolve));
  untilEnd(30);
  const renewing = replica()();
  const answerRenewal = await eventually('a request for a renewal', () => finish);
  expect(await replica()()).toMatchObject({ idTokenExpiresAt: now() + 30 });
  answerRenewal(await rotate('refresh-0'));
  expect(await renewing).toMatchObject({ refreshToken: 'refresh-1' });
  expect(sent).toEqual(['refresh-0']);
});

describe('another replica', () => {
  /** Starts a replica that has sent the token, and has no response yet. */
  async function startRenewing() {
    let finish = (_refreshed: Refreshed): void => undefined;
    const isSent = new Promise<void>((resolve) => {
      answer = () => {
        resolve();
        return new Promise((done) => (finish = done));
      };
    });
    const renewing = replica()();
    await isSent;
    answer = undefined;
    return async () => {
      finish(await rotate('refresh-0'));
      return renewing;
    };
  }

  it('waits a tenth of a second at a time for the new ID token', async () => {
    untilEnd(0);
    const finish = await startRenewing();
    pause = async (ms) => {
      waited.push(ms);
      if (waited.length === 3) await finish();
    };
    expect(await replica()()).toMatchObject({ refreshToken: 'refresh-1' });
    expect([waited, sent]).toEqual([[100, 100, 100], ['refresh-0']]);
  });

  it('waits no longer than a response may take, even if the clock stands still', async () => {
    untilEnd(0);
    await startRenewing();
    expect(await replica()()).toBe('unavailable');
    expect(waited.reduce((sum, ms) => sum + ms, 0)).toBe(15_000);
    expect(sent).toEqual(['refresh-0']);
  });

  it('ends the session as soon as that time has passed by the clock of the hub', async () => {
    untilEnd(0);
    await startRenewing();
    pause = async (ms) => {
      waited.push(ms);
      clock.advanceSeconds(5);
    };
    expect(await replica()()).toBe('ended');
    expect(waited).toHaveLength(3);
  });
});

it('waits for an exchange of the refresh token, and then sends the one that the exchange returned', async () => {
  untilEnd(0);
  const found = await store.find(KEY);
  if (found.kind !== 'found') throw new Error('there is no session');
  const { record } = found.session;
  const marked = await store.replace(found.session, { ...record, sentAt: now() });
  pause = async (ms) => {
    waited.push(ms);
    if (waited.length === 2 && marked) await store.replace(marked, { ...record, refreshToken: 'refresh-7' });
  };
  expect(await replica()()).toMatchObject({ refreshToken: 'refresh-8', idTokenExpiresAt: now() + 300 });
  expect([waited, sent]).toEqual([[100, 100], ['refresh-7']]);
});

describe('when a replica crashes', () => {
  const CRASH = new Error('the process ends here');

  it('before it sets the mark, another replica renews', async () => {
    beforeReplace = () => {
      throw CRASH;
    };
    untilEnd(30);
    await expect(replica()()).rejects.toThrow(CRASH);
    beforeReplace = () => undefined;
    expect(await replica()()).toMatchObject({ refreshToken: 'refresh-1' });
  });

  it.each<[string, () => void]>([
    [
      'with the mark, before or after it sent the token',
      () => {
        answer = () => Promise.reject(CRASH);
      },
    ],
    [
      'with an answer that it has not stored',
      () => {
        beforeReplace = (nth) => {
          if (nth >= 2) throw CRASH;
        };
      },
    ],
  ])(
    '%s, the token is never sent again, and the session ends with its ID token',
    async (_case, arrange) => {
      arrange();
      untilEnd(30);
      await expect(replica()()).rejects.toThrow(CRASH);
      beforeReplace = () => undefined;
      answer = undefined;
      clock.advanceSeconds(20);
      expect(await replica()()).toMatchObject({ refreshToken: 'refresh-0' });
      clock.advanceSeconds(20);
      expect(await replica()()).toBe('ended');
      expect(await replica()()).toBe('absent');
      expect(sent).toEqual(['refresh-0']);
    },
    15_000,
  );
});

it('survives a store that fails while the response is being stored', async () => {
  beforeReplace = (nth) => {
    if (nth === 2) throw new Error('connection refused');
  };
  untilEnd(30);
  expect(await replica()()).toMatchObject({ refreshToken: 'refresh-1' });
  expect(await replica()()).toMatchObject({ refreshToken: 'refresh-1' });
  expect(sent).toEqual(['refresh-0']);
});

it('does not restore a session that ended meanwhile, and revokes the new tokens', async () => {
  answer = async () => {
    await store.remove(KEY);
    return rotate('refresh-0');
  };
  untilEnd(30);
  expect(await replica()()).toBe('ended');
  expect((await store.find(KEY)).kind).toBe('absent');
  expect(revoked).toEqual(['refresh-1']);
});

it('ends the session if the renewed ID token is for another user, and revokes the new tokens', async () => {
  const ofBob = await keys.sign(
    { iss: ISSUER, sub: 'user_bob', aud: 'app', organization_id: 'org_acme', iat: now(), exp: now() + 600 },
    { typ: 'JWT' },
  );
  answer = () => ({ kind: 'refreshed', tokens: { idToken: ofBob, refreshToken: 'refresh-1' } });
  untilEnd(30);
  expect(await replica()()).toBe('ended');
  expect((await store.find(KEY)).kind).toBe('absent');
  expect(revoked).toEqual(['refresh-1']);
  expect(noted).toEqual([['not_renewed', 'renewed ID token: sub']]);
});

it('revokes the sent refresh token if a wrong ID token came without a new one', async () => {
  answer = () => ({ kind: 'refreshed', tokens: { idToken: 'rubbish', refreshToken: undefined } });
  untilEnd(30);
  expect(await replica()()).toBe('ended');
  expect(revoked).toEqual(['refresh-0']);
});

it('happens once, and again only when the new ID token is about to expire', async () => {
  untilEnd(30);
  await replica()();
  clock.advanceSeconds(200); // the new ID token has 100 s left
  expect(await replica()()).toMatchObject({ refreshToken: 'refresh-1' });
  expect(sent).toEqual(['refresh-0']);
});

it('keeps the new refresh token if the new ID token cannot be verified for lack of keys', async () => {
  areKeysDown = true;
  untilEnd(30);
  expect(await replica()()).toMatchObject({ refreshToken: 'refresh-1', idTokenExpiresAt: now() + 30 });
  expect(revoked).toEqual([]);
});

it('reports an outage while the old ID token has expired and the new one cannot be verified', async () => {
  areKeysDown = true;
  untilEnd(0);
  expect(await replica()()).toBe('unavailable');
});

it('is retried after five seconds if the provider has not processed it', async () => {
  answer = () => ({ kind: 'untouched', failure: 'it cannot be reached' });
  const renew = replica();
  untilEnd(30);
  expect(await renew()).toMatchObject({ refreshToken: 'refresh-0' });
  clock.advanceSeconds(4);
  await renew();
  expect(sent).toHaveLength(1);
  clock.advanceSeconds(1);
  sent = [];
  answer = undefined;
  expect(await renew()).toMatchObject({ refreshToken: 'refresh-1' });
});

it('is not retried if the client must not refresh, and the session ends with its ID token', async () => {
  answer = () => ({ kind: 'refused', error: 'unauthorized_client', failure: 'unauthorized_client' });
  untilEnd(30);
  expect(await replica()()).toMatchObject({ refreshToken: undefined });
  untilEnd(0);
  expect(await replica()()).toBe('ended');
  expect(sent).toHaveLength(1);
});

describe('after the response to it was lost', () => {
  beforeEach(() => {
    answer = () => ({ kind: 'in_doubt', failure: 'no response' });
    untilEnd(30);
  });

  it('costs no further look at the store while the ID token is valid', async () => {
    await replica()();
    const find = jest.spyOn(store, 'find');
    expect(await replica()()).toMatchObject({ refreshToken: 'refresh-0', sentAt: 0 });
    expect(find).toHaveBeenCalledTimes(1); // that of the request itself
  });

  it('lets nobody wait who needs an access token, and ends the session', async () => {
    subjectTokenType = 'access_token';
    await replica()();
    expect([await replica()(), waited, sent]).toEqual(['ended', [], ['refresh-0']]);
  });
});

describe('of a refresh token that is exchanged, and that an application has presented,', () => {
  beforeEach(() => {
    subjectTokenType = 'refresh_token';
  });
  const withoutIdToken = (): Refreshed => ({
    kind: 'refreshed',
    tokens: { idToken: undefined, refreshToken: 'refresh-1' },
  });

  it('happens once at its first use, which shows whose it is', async () => {
    const renew = replica();
    expect(await renew()).toMatchObject({ refreshToken: 'refresh-1', isProven: true });
    clock.advanceSeconds(100);
    await renew();
    expect(sent).toEqual(['refresh-0']);
  });

  it('stops using it if the response has no ID token', async () => {
    answer = withoutIdToken;
    expect(await replica()()).toMatchObject({ refreshToken: undefined, idTokenExpiresAt: now() + 300 });
  });

  it('keeps it if the user of each ID-JAG is compared', async () => {
    answer = withoutIdToken;
    hasPublicSubjects = true;
    expect(await replica()()).toMatchObject({ refreshToken: 'refresh-1', isProven: true });
    await replica()();
    expect(sent).toEqual(['refresh-0']);
  });

  it('lets nobody use it who has not seen whose it is', async () => {
    answer = () => ({ kind: 'untouched', failure: 'it cannot be reached' });
    expect(await replica()()).not.toHaveProperty('isProven');
    sent = [];
    areKeysDown = true;
    answer = undefined;
    expect(await replica()()).not.toHaveProperty('isProven');
  });

  it('is not needed after a sign-in at the hub', async () => {
    const found = await store.find(KEY);
    if (found.kind !== 'found') throw new Error('there is no session');
    const grant = { clientId: 'an-mcp-client', resource: 'https://hub.example/mcp' };
    await store.replace(found.session, { ...found.session.record, grant });
    await replica()();
    expect(sent).toEqual([]);
  });
});

it('stops using the refresh token if the response has no ID token', async () => {
  answer = () => ({ kind: 'refreshed', tokens: { idToken: undefined, refreshToken: 'refresh-1' } });
  untilEnd(30);
  expect(await replica()()).toMatchObject({ refreshToken: undefined, idTokenExpiresAt: now() + 30 });
});
