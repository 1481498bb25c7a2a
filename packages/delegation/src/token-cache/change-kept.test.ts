import { beforeEach, expect, it } from '@jest/globals';
import {
  createMemoryBackend,
  createSecureStore,
  generateEncryptionKeys,
  type SecureStore,
} from '@legate/secure-store';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { changeKept } from './change-kept.ts';
import { type Kept, NOTHING_KEPT, parseKept, serializeKept } from './token-record.ts';

const KEY = 'token:org:con:user';
const ONE: Kept = { tokens: [], demands: [{ client: 'one', max_age: 60, kept_until: 1_800_000_000 }] };
const TWO: Kept = { tokens: [], demands: [{ client: 'two', max_age: 60, kept_until: 1_800_000_000 }] };
const addTo = ({ tokens, demands }: Kept): Kept => ({ tokens, demands: [...demands, ...TWO.demands] });

let clock: TestClock;
let store: SecureStore;
let writes: string[];
/** Called before each conditional write, to simulate another process. */
let meanwhile: () => Promise<unknown>;

beforeEach(() => {
  clock = createTestClock();
  writes = [];
  meanwhile = async () => {};
  const memory = createSecureStore({
    backend: createMemoryBackend({ clock }),
    keys: generateEncryptionKeys(),
  });
  store = {
    ...memory,
    async add(...args) {
      await meanwhile();
      writes.push('add');
      return memory.add(...args);
    },
    async replace(...args) {
      await meanwhile();
      writes.push('replace');
      return memory.replace(...args);
    },
    async delete(...args) {
      writes.push('delete');
      return memory.delete(...args);
    },
  };
});

const change = (next: (kept: Kept) => Kept, ttlSeconds = 60) => changeKept(store, KEY, ttlSeconds, next);
const kept = async (): Promise<Kept | undefined> => {
  const text = await store.get(KEY);
  return text === undefined ? undefined : parseKept(text);
};
const put = (value: Kept, ttlSeconds = 60) => store.set(KEY, serializeKept(value), ttlSeconds);

it('creates an entry with the given time to live', async () => {
  await change(addTo, 30);
  expect(await kept()).toEqual(TWO);
  clock.advanceSeconds(30);
  expect(await kept()).toBeUndefined();
});

it('changes an existing entry, and keeps its time to live', async () => {
  await put(ONE, 20);
  await change(addTo, 3600);
  expect(await kept()).toEqual(addTo(ONE));
  clock.advanceSeconds(20);
  expect(await kept()).toBeUndefined();
});

it('removes the entry when it becomes empty', async () => {
  await put(ONE);
  await change(() => NOTHING_KEPT);
  expect(await kept()).toBeUndefined();
});

it.each<[string, Kept | undefined, (before: Kept) => Kept]>([
  ['the change leaves everything as it was', ONE, (before) => before],
  ['there is nothing, and nothing is made', undefined, () => ({ tokens: [], demands: [] })],
])('writes nothing if %s', async (_case, before, next) => {
  if (before) await put(before);
  await change(next);
  expect([await kept(), writes]).toEqual([before, []]);
});

it.each<[string, Kept | undefined]>([
  ['was changed', ONE],
  ['was made', undefined],
])('applies its change to an entry that %s concurrently', async (_case, before) => {
  if (before) await put(before);
  meanwhile = async () => {
    meanwhile = async () => {};
    await put({ ...ONE, demands: [...ONE.demands, ...ONE.demands] });
  };
  await change(addTo);
  expect((await kept())?.demands.map(({ client }) => client)).toEqual(['one', 'one', 'two']);
});

it('gives up after four concurrent changes, because a lost change costs only a token request', async () => {
  let changes = 0;
  meanwhile = () =>
    put({ tokens: [], demands: ONE.demands.map((each) => ({ ...each, max_age: ++changes })) });
  await put(ONE);
  await change(addTo);
  expect([writes.length, (await kept())?.demands.length]).toEqual([4, 1]);
});

it('replaces an entry that cannot be read, or removes it', async () => {
  const keys = generateEncryptionKeys();
  const backend = createMemoryBackend({ clock });
  store = createSecureStore({ backend, keys });
  await backend.set(KEY, Buffer.from('not a sealed entry'), 60);
  await change(addTo, 30);
  expect(await kept()).toEqual(TWO);
  clock.advanceSeconds(30);
  expect(await kept()).toBeUndefined();

  await backend.set(KEY, Buffer.from('not a sealed entry'), 60);
  await change((before) => before);
  expect(await backend.get(KEY)).toBeUndefined();
});
