import { beforeEach, expect, it } from '@jest/globals';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { rememberFound } from './remember-found.ts';

let clock: TestClock;
/** The keys that were read, in order */
let reads: string[];
/** The current result */
let answer: (place: string) => Promise<{ text: string; maxAge: number | undefined }>;

beforeEach(() => {
  clock = createTestClock();
  reads = [];
  answer = async (place) => ({ text: `${place} ${reads.length}`, maxAge: 60 });
});

const createFind = (maxPlaces?: number) =>
  rememberFound({
    read(place: string) {
      reads.push(place);
      return answer(place);
    },
    keyOf: (place) => place,
    maxAgeSeconds: ({ maxAge }) => maxAge,
    clock,
    ...(maxPlaces !== undefined && { maxPlaces }),
  });

it('returns a result again until it is no longer fresh', async () => {
  const find = createFind();
  expect(await find('a')).toMatchObject({ text: 'a 1' });
  clock.advanceSeconds(59);
  expect(await find('a')).toMatchObject({ text: 'a 1' });
  clock.advanceSeconds(1);
  expect(await find('a')).toMatchObject({ text: 'a 2' });
  clock.advanceSeconds(59);
  expect(await find('a')).toMatchObject({ text: 'a 2' });
});

it('reads again after a failure, whether returned or thrown', async () => {
  const find = createFind();
  answer = async () => ({ text: 'not found', maxAge: undefined });
  await find('a');
  await find('a');
  answer = () => Promise.reject(new Error('refused'));
  await expect(find('a')).rejects.toThrow('refused');
  answer = async () => ({ text: 'found', maxAge: 60 });
  expect(await find('a')).toMatchObject({ text: 'found' });
  expect(reads).toHaveLength(4);
});

it('shares one fetch only among concurrent callers with the same key', async () => {
  const find = createFind();
  const found = await Promise.all([find('a'), find('a'), find('b')]);
  expect([found.map(({ text }) => text), reads]).toEqual([
    ['a 1', 'a 1', 'b 2'],
    ['a', 'b'],
  ]);
});

it('caches a limited number of results, the most recently used ones', async () => {
  const find = createFind(2);
  for (const place of ['a', 'b', 'a', 'c', 'a', 'b']) await find(place);
  expect(reads).toEqual(['a', 'b', 'c', 'b']);
});

it('caches a thousand results by default', async () => {
  const find = createFind();
  for (let place = 0; place < 1001; place += 1) await find(String(place));
  await find('1');
  expect(reads).toHaveLength(1001);
  await find('0');
  expect(reads).toHaveLength(1002);
});
