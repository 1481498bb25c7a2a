import { expect, it } from '@jest/globals';
import { rememberFound } from './remember-found.ts';

it('caches recent results in limited number', async () => {
  const reads: number[] = [];
  const find = rememberFound({
    read: async (place: number) => reads.push(place),
    keyOf: String,
    maxAgeSeconds: () => 3600,
    clock: () => new Date('2026-08-01T12:00:00Z'),
    maxPlaces: 2,
  });
  for (const place of [1, 2, 1, 3, 1, 2]) await find(place);
  expect(reads).toEqual([1, 2, 3, 2]);
});
