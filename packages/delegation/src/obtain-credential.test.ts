import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { createMemoryBackend, createSecureStore, generateEncryptionKeys } from '@legate/secure-store';
import { Counter, createLogger } from '@legate/service';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { createSingleFlight } from '@legate/single-flight';
import { eventually } from '@legate/testing';
import type { Caller } from './domain/caller.ts';
import type { Delegation, Obtained } from './domain/delegation.ts';
import type { ServedConnector } from './methods/settings.ts';
import { createDelegations, type Delegations } from './obtain-credential.ts';
import type { SharedFlight } from './shared-flight.ts';
import { ALICE, connectorBy, ID_JAG } from './testing/alice.ts';
import { createTokenCache, type TokenCache } from './token-cache/token-cache.ts';

const CONNECTOR = connectorBy(ID_JAG, ['read', 'write']);
const PASSTHROUGH: ServedConnector = {
  ...CONNECTOR,
  methods: [{ method: 'passthrough', acceptedAudiences: [] }],
};

let clock: TestClock;
let cache: TokenCache;
/** Keys of the store that were written, and keys that were deleted */
let written: string[];
let deleted: string[];
/** Lines of the log */
let logged: { method?: string; outcome?: string; msg: string }[];
let delegations: Delegations;
/** Responses to token requests, in order; by default without delay. */
let answers: (() => Promise<Delegation>)[];
/** Shares a flight with other processes; by default there are none. */
let share: SharedFlight['run'];
let isSignedOut: boolean;
let isStoreDown: boolean;
/** Users whose sign-in was saved */
let remembered: string[];
/** Users whose tokens were dropped, and the sign-in that was demanded of them */
let refused: unknown[];
let asked: { scopes: readonly string[]; rejected: string | undefined }[];

beforeEach(() => {
  clock = createTestClock();
  answers = [];
  asked = [];
  share = (_key, work) => work();
  isSignedOut = false;
  isStoreDown = false;
  remembered = [];
  const refuseSignedOut = () => {
    if (isSignedOut) throw new Error('signed out');
  };
  logged = [];
  const destination = { write: (line: string) => void logged.push(JSON.parse(line)) };
  const log = createLogger({ service: 'test', level: 'info', destination });
  written = [];
  deleted = [];
  const backend = createMemoryBackend({ clock });
  const noted: typeof backend = {
    ...backend,
    add(key, ...entry) {
      written.push(key);
      return backend.add(key, ...entry);
    },
    delete(key) {
      deleted.push(key);
      return backend.delete(key);
    },
  };
  cache = createTokenCache({
    store: createSecureStore({ backend: noted, keys: generateEncryptionKeys() }),
    clock,
    log,
    onLookup: () => {},
  });
  refused = [];
  delegations = createDelegations({
    cache: {
      ...cache,
      refuse: async (...args) => void refused.push(args.slice(1)),
      revoke: (tokens) =>
        isStoreDown ? Promise.reject(new Error('connection refused')) : cache.revoke(tokens),
    },
    flights: createSingleFlight<Obtained>(),
    shared: { run: (...flight) => share(...flight) },
    async delegate(_caller, _connector, scopes, onOutcome, rejected) {
      asked.push({ scopes, rejected });
      const answer = await (answers[asked.length - 1] ?? (async () => granted(`token-${asked.length}`)))();
      onOutcome('id-jag', answer);
      return answer;
    },
    signOuts: {
      entryNamesOf: () => [],
      check: refuseSignedOut,
      readAndCheck: async () => refuseSignedOut(),
    },
    rememberSignIn: async ({ userId }) => void remembered.push(userId),
    outcomes: new Counter({ name: 'x', help: 'x', labelNames: ['method', 'outcome'], registers: [] }),
    log,
  });
});

const granted = (
  accessToken: string,
  scopes: readonly string[] = ['read', 'write'],
  method: 'id-jag' | 'passthrough' = 'id-jag',
): Delegation => ({
  outcome: 'granted',
  credential: {
    kind: 'access_token',
    method,
    accessToken,
    expiresAt: clock().getTime() / 1000 + 3600,
    scopes,
  },
});

const NO_NEED = { scopes: [] };
async function obtain(
  connector: ServedConnector = CONNECTOR,
  need: { scopes: string[]; rejected?: string } = NO_NEED,
  caller: Caller = ALICE,
) {
  const obtained = await delegations.obtain(caller, connector, need);
  if (obtained.outcome !== 'granted' || obtained.credential.kind !== 'access_token') return obtained.outcome;
  return `${obtained.credential.accessToken}${obtained.fromCache ? ' from the cache' : ''}`;
}

describe('a cached token', () => {
  it('is used for the next call', async () => {
    expect([await obtain(), await obtain()]).toEqual(['token-1', 'token-1 from the cache']);
  });

  it.each<[string, Partial<ServedConnector>]>([
    ['has fewer scopes', { scopes: ['read'] }],
    ['is another resource', { resource: 'https://other.example' }],
    ['is used as another client', { methods: [{ ...ID_JAG, clientId: 'other' }] }],
    ['has further scopes', { scopes: ['read', 'write', 'admin'] }],
    ['pins another issuer', { methods: [{ ...ID_JAG, issuer: 'https://other.example' }] }],
    ['names another audience', { methods: [{ ...ID_JAG, audience: 'https://other.example' }] }],
  ])('is not used for a connector that meanwhile %s', async (_case, change) => {
    await obtain();
    expect(await obtain({ ...CONNECTOR, ...change })).toBe('token-2');
  });

  it('is used for a connector of which only the secret or the approval of its fallback has changed', async () => {
    await obtain();
    const methods = [
      { ...ID_JAG, clientAuth: { method: 'client_secret_post', clientSecret: 'another-secret' } },
    ] as const;
    expect(await obtain({ ...CONNECTOR, fallbackApproval: 'fba_2', methods })).toBe('token-1 from the cache');
  });

  it('is not used for an agent with fewer scopes, or for another agent', async () => {
    await obtain();
    const ofAgent = (scopesKey: string): ServedConnector => ({
      ...CONNECTOR,
      scopes: ['read'],
      binding: { scopesKey },
    });
    expect(await obtain(ofAgent('one'))).toBe('token-2');
    expect(await obtain(ofAgent('two'))).toBe('token-3');
  });

  it('of a session that has met claims is used in it after its ID token is renewed, and in no other session', async () => {
    const claimsMet = { fingerprint: 'x', until: 0 };
    const session = { key: 's1', sid: undefined, claimsMet };
    const renewed = { subjectToken: 'renewed', subjectTokenId: 'hash-of-renewed' };
    const by = (caller: Partial<Caller>) => obtain(CONNECTOR, NO_NEED, { ...ALICE, ...caller });
    expect([
      await by({ session }),
      await by({ session, ...renewed }),
      await by({ session: { ...session, key: 's2' } }),
      await by({}),
    ]).toEqual(['token-1', 'token-1 from the cache', 'token-2', 'token-3']);
  });

  it('is replaced after a tool server has rejected it, and not tried again', async () => {
    await obtain();
    answers[1] = async () => ({ outcome: 'unavailable', by: 'idp', reason: 'no answer', retryable: true });
    expect(await obtain(CONNECTOR, { scopes: [], rejected: 'token-1' })).toBe('unavailable');
    expect(asked[1]).toEqual({ scopes: [], rejected: 'token-1' });
    expect(await obtain()).toBe('token-3');
  });

  it('keeps its scopes when a call needs an additional scope', async () => {
    answers[0] = async () => granted('token-1', ['read']);
    await obtain();
    expect(await obtain(CONNECTOR, { scopes: ['write'] })).toBe('token-2');
    expect(asked[1]?.scopes).toEqual(['read', 'write']);
  });

  it('is also deleted when its user signs out, but not those of other users', async () => {
    await obtain();
    const ofAlice = written.filter((key) => key.startsWith('token:'));
    await delegations.obtain({ ...ALICE, userId: UserId.parse('user_bob') }, CONNECTOR, NO_NEED);
    await delegations.signOut(ALICE, [CONNECTOR]);
    expect([ofAlice.length, deleted]).toEqual([1, ofAlice]);
  });

  it('is dropped when its user signs out, even while it is being obtained', async () => {
    await obtain();
    await delegations.signOut(ALICE, [CONNECTOR]);
    let answer = (_delegation: Delegation): void => {};
    answers[1] = () => new Promise((resolve) => (answer = resolve));
    const running = obtain();
    await eventually('the second request', () => asked.length === 2);
    await delegations.signOut(ALICE, [CONNECTOR]);
    answer(granted('token-2'));
    expect(await running).toBe('token-2');
    expect(await obtain()).toBe('token-3');
  });
});

it('keeps a token with more scopes for the operation that needs them', async () => {
  answers[0] = async () => granted('token-1', ['read']);
  await obtain();
  const need = { scopes: ['write'], operation: 'create_note' };
  await delegations.obtain(ALICE, CONNECTOR, need);
  expect(await obtain()).toBe('token-1 from the cache');
  expect(await delegations.obtain(ALICE, CONNECTOR, need)).toMatchObject({ fromCache: true });
});

describe('a refusal', () => {
  const refusal = (change: object): Delegation => ({
    ...({ outcome: 'denied', by: 'idp', scopes: [], reason: 'access_denied' } as const),
    ...change,
  });

  it.each([
    ['by the identity provider', {}],
    ['by the tool server', { by: 'tool_server' }],
    ['for a sign-in that is over', { outcome: 'expired' }],
  ])('%s drops the cached tokens of the application', async (_case, change) => {
    answers[0] = async () => refusal(change);
    await obtain();
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject([{ client: 'frontend-app' }, {}]);
  });

  it.each([
    ['for another audience', { by: 'audience' }],
    ['by an outage', { outcome: 'unavailable', retryable: true }],
    ['for want of a connected account', { outcome: 'expired', connect: 'con_tools' }],
  ])('%s drops no tokens', async (_case, change) => {
    answers[0] = async () => refusal(change);
    await obtain();
    expect(refused).toEqual([]);
  });

  it('is logged, while a granted delegation is not', async () => {
    answers[1] = async () => refusal({});
    await obtain();
    expect(logged).toEqual([]);
    await obtain(CONNECTOR, { scopes: [], rejected: 'token-1' });
    expect(logged).toMatchObject([{ method: 'id-jag', outcome: 'denied', msg: 'delegation refused' }]);
  });

  it('of additional scopes drops no tokens', async () => {
    answers[0] = async () => refusal({});
    await obtain(CONNECTOR, { scopes: ['write'] });
    expect(refused).toEqual([]);
  });

  it('of additional scopes is remembered if it demands claims', async () => {
    answers[0] = async () => ({ outcome: 'expired', reason: 'any', claims: '{}' });
    await obtain(CONNECTOR, { scopes: ['write'] });
    expect(refused).toEqual([[ALICE.authentication, expect.objectContaining({ claims: '{}' })]]);
  });
});

describe('calls at the same time', () => {
  it('use the token that another process has cached meanwhile', async () => {
    share = async (_key, work, found) => {
      await work(); // the work of the other process
      const result = await found();
      if (!result) throw new Error('nothing was found');
      return result;
    };
    expect([await obtain(), asked.length]).toEqual(['token-1 from the cache', 1]);
  });

  it('do not use a token of another process that does not meet their needs', async () => {
    const found: unknown[] = [];
    share = async (_key, work, find) => {
      found.push(await find());
      return work();
    };
    answers[0] = async () => granted('token-1', ['read']);
    await obtain();
    await obtain(CONNECTOR, { scopes: ['write'] });
    await obtain(CONNECTOR, { scopes: [], rejected: 'token-1' });
    expect(found).toEqual([undefined, undefined, undefined]);
  });

  it('share one token request', async () => {
    expect(await Promise.all([obtain(), obtain(), obtain()])).toEqual(['token-1', 'token-1', 'token-1']);
  });

  it('share one token request for any purpose, unless a purpose needs additional scopes', async () => {
    const forBoth = (scopes: string[]) =>
      Promise.all(
        ['read_note', 'list_notes'].map((operation) =>
          delegations.obtain(ALICE, CONNECTOR, { scopes, operation }),
        ),
      );
    answers[0] = async () => granted('token-1', ['read']);
    await forBoth([]);
    expect(asked).toHaveLength(1);
    await forBoth(['write']);
    expect(asked).toHaveLength(3);
  });

  it.each<[string, () => Promise<void>]>([
    ['the organization', () => cache.revoke({ organizationId: OrganizationId.parse('org_acme') })],
    [
      'the connector',
      () =>
        cache.revoke({
          organizationId: OrganizationId.parse('org_acme'),
          connectorId: ConnectorId.parse('con_tools'),
        }),
    ],
    [
      'the user',
      () =>
        cache.revoke({
          organizationId: OrganizationId.parse('org_acme'),
          userId: UserId.parse('user_alice'),
        }),
    ],
  ])('do not share a token request from before a revocation of %s', async (_whose, revoke) => {
    let answer = (_delegation: Delegation): void => {};
    answers[0] = () => new Promise((resolve) => (answer = resolve));
    const before = obtain();
    await eventually('a request', () => asked.length === 1);
    await revoke();
    expect(await obtain()).toBe('token-2');
    answer(granted('token-1'));
    expect(await before).toBe('token-1');
    expect(await obtain()).not.toContain('token-1');
  });

  it('do not share or cache a token from before a sign-out, even if the sign-out cannot be recorded', async () => {
    let answer = (_delegation: Delegation): void => {};
    answers[0] = () => new Promise((resolve) => (answer = resolve));
    const before = obtain();
    await eventually('a request', () => asked.length === 1);
    isStoreDown = true;
    await expect(delegations.signOut(ALICE, [CONNECTOR])).rejects.toThrow('connection refused');
    expect(await obtain()).toBe('token-2');
    answer(granted('token-1'));
    expect([await before, await obtain()]).toEqual(['token-1', 'token-2 from the cache']);
  });

  it('do not share a token request for another ID token, other scopes or another rejected token', async () => {
    const outcomes = await Promise.all([
      obtain(),
      delegations.obtain({ ...ALICE, subjectToken: 'another' }, CONNECTOR, NO_NEED),
      obtain(CONNECTOR, { scopes: ['read'] }),
      obtain(CONNECTOR, { scopes: [], rejected: 'an-old-token' }),
    ]);
    expect([outcomes.length, asked.length]).toEqual([4, 4]);
  });
});

it('refuses a scope that is not bound to the agent, without any request', async () => {
  const connector: ServedConnector = {
    ...CONNECTOR,
    scopes: ['read'],
    binding: { scopesKey: 'read' },
  };
  const obtained = await delegations.obtain(ALICE, connector, { scopes: ['write'] });
  expect(obtained).toMatchObject({ outcome: 'denied', by: 'binding', scopes: ['write'] });
  expect(asked).toEqual([]);
});

it.each<[string, ServedConnector]>([
  ['kept tokens', CONNECTOR],
  ['tokens that callers bring along', PASSTHROUGH],
])('returns no credential to a user who has signed out, with %s', async (_case, connector) => {
  await obtain(connector);
  isSignedOut = true;
  await expect(obtain(connector)).rejects.toThrow('signed out');
  expect(asked).toHaveLength(1);
});

it('caches no credential of a method that issues no tokens', async () => {
  expect([await obtain(PASSTHROUGH), await obtain(PASSTHROUGH)]).toEqual(['token-1', 'token-2']);
});

it('saves no sign-in for the own token of the caller', async () => {
  answers[0] = async () => granted('own-token', [], 'passthrough');
  expect(await obtain(PASSTHROUGH)).toBe('own-token');
  expect(remembered).toEqual([]);
});

it('saves the sign-in of a new token, and does not save it again for a cached token', async () => {
  await obtain();
  await obtain();
  expect(remembered).toEqual(['user_alice']);
});
