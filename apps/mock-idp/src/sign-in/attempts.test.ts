import { expect, it } from '@jest/globals';
import { createMemoryBackend } from '@legate/secure-store';
import { createSignInAttempts } from './attempts.ts';

const world = () => {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const attempts = createSignInAttempts(createMemoryBackend({ clock: () => new Date(nowMs) }));
  return { attempts, advance: (seconds: number) => (nowMs += seconds * 1000) };
};

const of = (email: string, address = '203.0.113.7') => ({ email, address });

it('admits five of any number of concurrent attempts for one sign-in', async () => {
  const { attempts } = world();
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => attempts.take('interaction', of(`${index}@x.example`))),
  );
  expect(results.filter(Boolean)).toHaveLength(5);
});

it('admits ten attempts for an account from one network over all sign-ins, whatever the case of the address', async () => {
  const { attempts } = world();
  const results: boolean[] = [];
  for (let index = 0; index < 12; index += 1)
    results.push(await attempts.take(`interaction-${index}`, of(index % 2 ? 'A@x.example' : 'a@X.example')));
  expect(results).toEqual([...Array(10).fill(true), false, false]);
});

it('admits the owner of an account from another network, however many attempts of a stranger fail', async () => {
  const { attempts } = world();
  for (let index = 0; index < 30; index += 1)
    await attempts.take(`guess-${index}`, of('a@x.example', '203.0.113.7'));
  expect(await attempts.take('more', of('a@x.example', '203.0.113.7'))).toBe(false);
  expect(await attempts.take('own', of('a@x.example', '198.51.100.2'))).toBe(true);
});

it('admits further attempts after 15 minutes, or after the right password', async () => {
  const { attempts, advance } = world();
  for (let index = 0; index < 10; index += 1) await attempts.take(`interaction-${index}`, of('a@x.example'));
  advance(899);
  expect(await attempts.take('next', of('a@x.example'))).toBe(false);
  advance(2);
  expect(await attempts.take('later', of('a@x.example'))).toBe(true);
  for (let index = 0; index < 10; index += 1) await attempts.take(`again-${index}`, of('a@x.example'));
  await attempts.forget(of('a@x.example'));
  expect(await attempts.take('at-last', of('a@x.example'))).toBe(true);
});
