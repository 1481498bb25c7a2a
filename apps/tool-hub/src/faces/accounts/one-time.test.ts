import { beforeEach, expect, it } from '@jest/globals';
import {
  type Backend,
  createMemoryBackend,
  createSecureStore,
  generateEncryptionKeys,
} from '@legate/secure-store';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { z } from 'zod';
import { createOneTime, type OneTime } from './one-time.ts';

interface Ticket {
  readonly userId: string;
}

let clock: TestClock;
let backend: Backend;
let names: string[];
let tickets: OneTime<Ticket>;

const ticketsOn = (on: Backend, prefix = 'ticket:', keys = generateEncryptionKeys()) =>
  createOneTime({
    store: createSecureStore({ backend: on, keys }),
    prefix,
    schema: z.object({ userId: z.string() }),
    ttlSeconds: 60,
  });

beforeEach(() => {
  clock = createTestClock();
  names = [];
  const memory = createMemoryBackend({ clock });
  backend = {
    ...memory,
    async set(name, ...entry) {
      names.push(name);
      await memory.set(name, ...entry);
    },
  };
  tickets = ticketsOn(backend);
});

it('gives a value to exactly one of several concurrent takers', async () => {
  const secret = await tickets.issue({ userId: 'user_alice' });
  const taken = await Promise.all(Array.from({ length: 10 }, () => tickets.take(secret)));
  expect(taken.filter((value) => value !== undefined)).toEqual([{ userId: 'user_alice' }]);
  expect(await tickets.take(secret)).toBeUndefined();
});

it('finds a value any number of times until it is taken', async () => {
  const secret = await tickets.issue({ userId: 'user_alice' });
  expect(await tickets.find(secret)).toEqual({ userId: 'user_alice' });
  expect(await tickets.take(secret)).toEqual({ userId: 'user_alice' });
  expect(await tickets.find(secret)).toBeUndefined();
});

it('asks the store once for an unknown secret, and not at all for a malformed one', async () => {
  const asked: string[] = [];
  const counting = ticketsOn({
    ...backend,
    get: (name) => {
      asked.push(`get ${name.length}`);
      return backend.get(name);
    },
    delete: (name) => {
      asked.push(`delete ${name.length}`);
      return backend.delete(name);
    },
  });
  for (const secret of ['', 'x', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}.`, 'x'.repeat(10_000)])
    expect([await counting.find(secret), await counting.take(secret)]).toEqual([undefined, undefined]);
  expect(asked).toEqual([]);
  expect(await counting.take('x'.repeat(43))).toBeUndefined();
  expect(asked).toEqual([expect.stringContaining('get')]);
});

it('finds no value for an unknown secret, or for a secret of another kind', async () => {
  const secret = await tickets.issue({ userId: 'user_alice' });
  expect(await tickets.take('unknown')).toBeUndefined();
  expect(await ticketsOn(backend, 'state:').take(secret)).toBeUndefined();
});

it('drops an expired value', async () => {
  const secret = await tickets.issue({ userId: 'user_alice' });
  clock.advanceSeconds(59);
  expect(await tickets.find(secret)).toEqual({ userId: 'user_alice' });
  clock.advanceSeconds(1);
  expect(await tickets.take(secret)).toBeUndefined();
});

it('issues a different secret of 256 bits each time, and stores no secret', async () => {
  const secrets = [await tickets.issue({ userId: 'a' }), await tickets.issue({ userId: 'a' })];
  expect(new Set(secrets).size).toBe(2);
  for (const secret of secrets) {
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(names.join()).not.toContain(secret);
  }
  expect(names).toEqual([expect.stringMatching(/^ticket:/), expect.stringMatching(/^ticket:/)]);
});

it('treats an undecryptable value as absent, and an outage as an error', async () => {
  const secret = await tickets.issue({ userId: 'user_alice' });
  expect(await ticketsOn(backend).find(secret)).toBeUndefined(); // under other keys
  const down = { ...backend, get: () => Promise.reject(new Error('connection refused')) };
  await expect(ticketsOn(down).find(secret)).rejects.toThrow('connection refused');
});
