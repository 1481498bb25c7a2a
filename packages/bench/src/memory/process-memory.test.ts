import { expect, it } from '@jest/globals';
import { parseMemory } from './process-memory.ts';

it('reads resident and proportional memory in MB', () => {
  const text =
    '00400000-7ffd ---p 00000000 00:00 0 [rollup]\nRss:  2048 kB\nPss:  1024 kB\nPss_Dirty:  512 kB\n';
  expect(parseMemory(text)).toEqual({ resident: 2, proportional: 1 });
});

it('refuses a text without the sums', () => {
  expect(() => parseMemory('Rss:  2048 kB\n')).toThrow('no Pss');
});
