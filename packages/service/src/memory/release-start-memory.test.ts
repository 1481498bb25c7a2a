import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from '@jest/globals';
import { releaseStartMemory } from './release-start-memory.ts';

const youngGenerationBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.physical_space_size ?? 0;

it('shrinks the young generation that objects of the start have enlarged', async () => {
  const objects = Array.from({ length: 500_000 }, (_, id) => ({ id }));
  const before = youngGenerationBytes();
  expect(objects).toHaveLength(500_000); // they have survived collections, which enlarges it

  await releaseStartMemory();

  expect(youngGenerationBytes()).toBeLessThan(before / 2);
});
