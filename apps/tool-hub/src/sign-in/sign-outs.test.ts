import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { createMemoryBackend, createSecureStore, generateEncryptionKeys } from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { createTestClock } from '@legate/service/testing';
import { createSessionStore } from './session-store.ts';
import { isSignedOut, signOutReaches } from './sign-outs.ts';

const ALICE = {
  organizationId: OrganizationId.parse('org_acme'),
  userId: UserId.parse('user_alice'),
};

function createStore() {
  const clock = createTestClock();
  const log = createLogger({ service: 'test', level: 'silent' });
  const store = createSecureStore({
    backend: createMemoryBackend({ clock }),
    keys: generateEncryptionKeys(),
  });
  return createSessionStore({ store, idleSeconds: 60, clock, log });
}

async function judge(store: ReturnType<typeof createStore>, id: string, issuedAt: number): Promise<boolean> {
  return isSignedOut({ id, issuedAt }, ALICE, await store.endsOf(signOutReaches(ALICE)));
}

it('ends ID tokens that were issued before, and the presented one', async () => {
  const store = createStore();
  await store.end(ALICE, { signedOutAt: 100, tokenId: 'one' });
  expect(await judge(store, 'one', 100)).toBe(true);
  expect(await judge(store, 'another', 99)).toBe(true);
  expect(await judge(store, 'another', 100)).toBe(false);
});

it('is not undone by a later revocation, nor by a sign-out with an older ID token', async () => {
  const store = createStore();
  await store.end(ALICE, { signedOutAt: 100, tokenId: 'one' });
  await store.end(ALICE);
  await store.end(ALICE, { signedOutAt: 90, tokenId: 'older' });
  for (const [id, issuedAt] of [
    ['one', 100],
    ['older', 90],
    ['another', 99],
  ] as const)
    expect([id, await judge(store, id, issuedAt)]).toEqual([id, true]);
  expect(await judge(store, 'later', 100)).toBe(false);
});

it('is not recorded if only access was revoked', async () => {
  const store = createStore();
  await store.end(ALICE);
  expect(await judge(store, 'one', 1)).toBe(false);
});
