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

it('ends only the oldest session if there are too many', async () => {
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

it('has a free slot when a session has ended or expired', async () => {
  const { slot } = await open('a');
  await open('b', ALICE, 10);
  await open('c');
  await slots.free(slot);
  expect((await open('d')).displaced).toEqual([]);
  clock.advanceSeconds(10);
  expect((await open('e')).displaced).toEqual([]);
  expect((await open('f')).displaced).toEqual(['c']);
});

it("does not release another session's slot", async () => {
  const { slot } = await open('a');
  await open('b');
  await open('c');
  await open('d');
  await slots.free(slot); // the slot of a session that was displaced
  expect((await open('e')).displaced).toEqual(['b']);
});

it('has a separate slot for each concurrently opened session', async () => {
  const taken = await Promise.all(['a', 'b', 'c'].map((key) => slots.take(ALICE, key, 3600)));
  expect(new Set(taken.map(({ slot }) => slot.name)).size).toBe(3);
  expect(taken.flatMap(({ displaced }) => displaced)).toEqual([]);
});

it('ends as many sessions as were opened concurrently beyond the limit', async () => {
  const taken = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => slots.take(ALICE, key, 3600)));
  expect(taken.flatMap(({ displaced }) => displaced)).toHaveLength(2);
});

it('releases slots that cannot be read any more', async () => {
  for (const key of ['a', 'b', 'c']) await open(key);
  slots = slotsOn(createSecureStore({ backend, keys: generateEncryptionKeys() }));
  expect((await open('d')).displaced).toEqual([]);
});

it('stops trying if others always take the slot first', async () => {
  for (const key of ['a', 'b', 'c']) await open(key);
  slots = slotsOn({ ...store, replace: async () => false });
  await expect(open('d')).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
});
