import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectRedis } from '@legate/secure-store';
import { createRedisNotes } from './redis-store.ts';
import { createMemoryNotes, MAX_NOTES_PER_USER, type NoteStore } from './store.ts';

/** Two replicas that share their notes: in Redis if available, otherwise in the memory of one process. */

const url = process.env.TEST_REDIS_URL;
const keyPrefix = `test-notes-${randomUUID()}:`;
let now = 1_790_000_000_000;
const clock = () => {
  now += 1;
  return new Date(now);
};
let redis: Awaited<ReturnType<typeof connectRedis>> | undefined;
let replicas: [NoteStore, NoteStore];

beforeAll(async () => {
  const client =
    url === undefined
      ? undefined
      : await connectRedis(url, { keyPrefix, onError: () => {}, commandTimeoutMs: 5000 });
  redis = client;
  const memory = createMemoryNotes({ clock });
  const replica = () => (client ? createRedisNotes({ redis: client, clock }) : memory);
  replicas = [replica(), replica()];
});
afterAll(async () => {
  for (const owner of ['alice', 'bob', 'carol']) await redis?.del(`notes:${owner}`);
  redis?.disconnect();
});

it('shows a note at every replica, oldest first, only to its owner', async () => {
  const [here, there] = replicas;
  const first = await here.create('alice', 'one');
  const second = await there.create('alice', 'two: "ü"\n');
  expect(await here.list('alice')).toEqual([first, second]);
  expect(await there.list('alice')).toEqual([first, second]);
  expect(await there.list('bob')).toEqual([]);
});

it('deletes a note at every replica once, and only for its owner', async () => {
  const [here, there] = replicas;
  const note = await here.create('bob', 'mine');
  const id = note?.id ?? '';
  expect(await there.delete('alice', id)).toBe(false);
  expect(await there.delete('bob', id)).toBe(true);
  expect(await here.delete('bob', id)).toBe(false);
  expect(await here.list('bob')).toEqual([]);
});

it('stores no more notes than the limit, however many are written concurrently', async () => {
  const [here, there] = replicas;
  const written = await Promise.all(
    Array.from({ length: MAX_NOTES_PER_USER + 10 }, (_, i) => (i % 2 ? here : there).create('carol', `${i}`)),
  );
  expect(written.filter((note) => note !== undefined)).toHaveLength(MAX_NOTES_PER_USER);
  expect(await there.list('carol')).toHaveLength(MAX_NOTES_PER_USER);
});
