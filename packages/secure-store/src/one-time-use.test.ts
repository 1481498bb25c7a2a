import { expect, it } from '@jest/globals';
import { createMemoryBackend, createUseOnce } from './index.ts';

const NOW = 1_790_000_000;

function scene() {
  let now = NOW;
  const keys: string[] = [];
  const memory = createMemoryBackend({ clock: () => new Date(now * 1000) });
  const useOnce = createUseOnce(
    {
      ...memory,
      add: (key, value, ttlSeconds) => {
        keys.push(key);
        return memory.add(key, value, ttlSeconds);
      },
    },
    'jti:',
  );
  return { useOnce, keys, pass: (seconds: number) => (now += seconds) };
}

it('accepts an identifier once within its time to live', async () => {
  const { useOnce, pass } = scene();
  expect(await useOnce(['https://idp.example', 'j1'], 360)).toBe(true);
  pass(359);
  expect(await useOnce(['https://idp.example', 'j1'], 360)).toBe(false);
  pass(1);
  expect(await useOnce(['https://idp.example', 'j1'], 360)).toBe(true);
});

it('accepts exactly one of many concurrent uses', async () => {
  const { useOnce } = scene();
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => useOnce(['i', 'j'], 60)));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
});

it('distinguishes identifiers whose parts differ but whose concatenations are equal', async () => {
  const { useOnce } = scene();
  const different = [
    ['ab', 'c'],
    ['a', 'bc'],
    ['abc'],
    ['a', 'b', 'c'],
    ['a","b', 'c'],
    ['', 'abc'],
    ['abc', ''],
  ];
  for (const parts of different) expect(await useOnce(parts, 60)).toBe(true);
});

it('puts no untrusted text into the key', async () => {
  const { useOnce, keys } = scene();
  await useOnce(['https://idp.example', `evil key\r\n*:{x}${'y'.repeat(10_000)}`], 60);
  expect(keys).toEqual([expect.stringMatching(/^jti:[A-Za-z0-9_-]{43}$/)]);
});

it('rounds a time to live up to whole seconds', async () => {
  const { useOnce, pass } = scene();
  await useOnce(['i', 'j'], 1.5);
  pass(1);
  expect(await useOnce(['i', 'j'], 1.5)).toBe(false);
});

it.each([0, -5, 0.2])('remembers an identifier for at least one second (%d)', async (ttlSeconds) => {
  const { useOnce, pass } = scene();
  expect(await useOnce(['i', 'j'], ttlSeconds)).toBe(true);
  expect(await useOnce(['i', 'j'], ttlSeconds)).toBe(false);
  pass(1);
  expect(await useOnce(['i', 'j'], ttlSeconds)).toBe(true);
});
