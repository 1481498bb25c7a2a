import { beforeEach, expect, it } from '@jest/globals';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { createIdentityProvider, type IdentityProvider } from './identity-provider.ts';

const ISSUER = 'https://idp.example';

let clock: TestClock;
let isAway: boolean;
let reads: number;
let identityProvider: () => Promise<IdentityProvider>;

beforeEach(() => {
  clock = createTestClock();
  isAway = false;
  reads = 0;
  identityProvider = createIdentityProvider({
    issuer: ISSUER,
    clientId: 'tool-hub',
    clientAuth: { method: 'client_secret_post', clientSecret: 'secret' },
    fetch: async () => {
      reads += 1;
      if (isAway) throw new TypeError('fetch failed');
      return Response.json({ issuer: ISSUER, token_endpoint: `${ISSUER}/token` });
    },
    clock,
  });
});

const kind = async () => (await identityProvider()).kind;

it('is read once for concurrent callers, and again after an hour', async () => {
  expect(await Promise.all([kind(), kind()])).toEqual(['found', 'found']);
  expect([await kind(), reads]).toEqual(['found', 1]);
  clock.advanceSeconds(3600);
  expect([await kind(), reads]).toEqual(['found', 2]);
});

it('stays in use while it cannot be read again, without a wait for every delegation', async () => {
  await kind();
  isAway = true;
  clock.advanceSeconds(3600);
  expect([await kind(), await kind(), await kind(), reads]).toEqual(['found', 'found', 'found', 2]);
  clock.advanceSeconds(60);
  isAway = false;
  expect([await kind(), await kind(), reads]).toEqual(['found', 'found', 3]);
  clock.advanceSeconds(3599);
  expect([await kind(), reads]).toEqual(['found', 3]);
});

it('is requested again at once if it has never been read', async () => {
  isAway = true;
  expect(await kind()).toBe('unavailable');
  isAway = false;
  expect(await kind()).toBe('found');
});
