import { beforeEach, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import {
  createMemoryBackend,
  createSecureStore,
  generateEncryptionKeys,
  type SecureStore,
} from '@legate/secure-store';
import { createTestClock } from '@legate/service/testing';
import { createSessionSlots, type SessionSlots } from './session-slots.ts';

const ALICE = {
  organizationId: OrganizationId.parse('org_acme'),
  userId: UserId.parse('user_alice'),
};
const clock = createTestClock();
let backend: ReturnType<typeof createMemoryBackend>;
let store: SecureStore;
let slots: SessionSlots;

const slotsOn = (on: SecureStore) => createSessionSlots({ store: on, maxPerUser: 3, clock });

beforeEach(() => {
  backend = createMemoryBackend({ clock });
  store = createSecureStore({ backend, keys: generateEncryptionKeys() });
  slots = slotsOn(store);
});

async function open(key: string, owner = ALICE, ttlSeconds = 3600) {
  clock.advanceSeconds(1);
  return slots.take(owner, key, ttlSeconds);
}

it('lets the session go that was opened first when there are too many, and no other', async () => {
  for (const key of ['a', 'b', 'c']) expect((await open(key)).displaced).toEqual([]);
  expect((await open('d')).displaced).toEqual(['a']);
  expect((await open('e')).displaced).toEqual(['b']);
});

it('counts each user in each organization separately', async () => {
  for (const key of ['a', 'b', 'c']) await open(key);
  expect(
    (await open(OrganizationId.parse('x'), { ...ALICE, userId: UserId.parse('user_bob') })).displaced,
  ).toEqual([]);
  expect(
    (await open(OrganizationId.parse('y'), { ...ALICE, organizationId: OrganizationId.parse('org_globex') }))
      .displaced,
  ).toEqual([]);
});

it('has a place for the next when a session has ended, or is over', async () => {
  const { slot } = await open('a');
  await open('b', ALICE, 10);
  await open('c');
  await slots.free(slot);
  expect((await open('d')).displaced).toEqual([]);
  clock.advanceSeconds(10);
  expect((await open('e')).displaced).toEqual([]);
  expect((await open('f')).displaced).toEqual(['c']);
});

it("does not give up another session's place", async () => {
  const { slot } = await open('a');
  await open('b');
  await open('c');
  await open('d');
  await slots.free(slot); // of a session that has made way
  expect((await open('e')).displaced).toEqual(['b']);
});

it('has a place of its own for each of those that are opened at the same time', async () => {
  const taken = await Promise.all(['a', 'b', 'c'].map((key) => slots.take(ALICE, key, 3600)));
  expect(new Set(taken.map(({ slot }) => slot.name)).size).toBe(3);
  expect(taken.flatMap(({ displaced }) => displaced)).toEqual([]);
});

it('lets as many go as came too many at the same time', async () => {
  const taken = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => slots.take(ALICE, key, 3600)));
  expect(taken.flatMap(({ displaced }) => displaced)).toHaveLength(2);
});

it('gives places away that cannot be read any more', async () => {
  for (const key of ['a', 'b', 'c']) await open(key);
  slots = slotsOn(createSecureStore({ backend, keys: generateEncryptionKeys() }));
  expect((await open('d')).displaced).toEqual([]);
});

it('gives up when others are always faster', async () => {
  for (const key of ['a', 'b', 'c']) await open(key);
  slots = slotsOn({ ...store, replace: async () => false });
  await expect(open('d')).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
});
