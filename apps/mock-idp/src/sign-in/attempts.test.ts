import { expect, it } from '@jest/globals';
import { createMemoryBackend } from '@legate/secure-store';
import { createSignInAttempts } from './attempts.ts';

const world = () => {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const attempts = createSignInAttempts(createMemoryBackend({ clock: () => new Date(nowMs) }));
  return { attempts, advance: (seconds: number) => (nowMs += seconds * 1000) };
};

it('admits five at once for one sign-in, however many come', async () => {
  const { attempts } = world();
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => attempts.take('interaction', `${index}@x.example`)),
  );
  expect(results.filter(Boolean)).toHaveLength(5);
});

it('admits ten for one account over all sign-ins, whatever the case of the address', async () => {
  const { attempts } = world();
  const results: boolean[] = [];
  for (let index = 0; index < 12; index += 1)
    results.push(await attempts.take(`interaction-${index}`, index % 2 ? 'A@x.example' : 'a@X.example'));
  expect(results).toEqual([...Array(10).fill(true), false, false]);
});

it('admits again after a quarter of an hour, or after the right password', async () => {
  const { attempts, advance } = world();
  for (let index = 0; index < 10; index += 1) await attempts.take(`interaction-${index}`, 'a@x.example');
  advance(899);
  expect(await attempts.take('next', 'a@x.example')).toBe(false);
  advance(2);
  expect(await attempts.take('later', 'a@x.example')).toBe(true);
  for (let index = 0; index < 10; index += 1) await attempts.take(`again-${index}`, 'a@x.example');
  await attempts.forget('a@x.example');
  expect(await attempts.take('at-last', 'a@x.example')).toBe(true);
});
