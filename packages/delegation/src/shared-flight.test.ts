import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryBackend } from '@legate/secure-store';
import { createTestClock } from '@legate/service/testing';
import { createSharedFlight, LEASE_SECONDS } from './shared-flight.ts';

const clock = createTestClock();
let backend: ReturnType<typeof createMemoryBackend>;
let waitedMs: number;
/** The result that the other process has stored */
let left: string | undefined;
let worked: number;

beforeEach(() => {
  backend = createMemoryBackend({ clock });
  waitedMs = 0;
  left = undefined;
  worked = 0;
});

const flightOn = (on: Parameters<typeof createSharedFlight>[0]['backend'] = backend) =>
  createSharedFlight({
    backend: on,
    wait: async (ms) => {
      waitedMs += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  });

const find = async () => left;
const work = async () => {
  worked += 1;
  return 'own';
};

/** Another process that holds the lease until released. */
function other(leaves?: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const outcome = flightOn().run(
    'key',
    async () => {
      await ended;
      left = leaves;
      return leaves;
    },
    async () => undefined,
  );
  return { end, outcome };
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('work that another process is doing', () => {
  it('is waited for, and its result used', async () => {
    const { end } = other('of the other');
    const outcome = flightOn().run('key', work, find);
    await turns(10);
    expect([worked, waitedMs > 0]).toEqual([0, true]);
    end();
    expect([await outcome, worked]).toEqual(['of the other', 0]);
  });

  it('is done by each waiting process if it failed in the other, and none of them waits twice', async () => {
    const { end } = other();
    const outcomes = [1, 2, 3].map(() => flightOn().run('key', work, find));
    await turns(10);
    expect(worked).toBe(0);
    end();
    expect([await Promise.all(outcomes), worked]).toEqual([['own', 'own', 'own'], 3]);
  });

  it('is done here if the other process has died, once the lease has expired', async () => {
    await backend.add(await leaseName(), Buffer.from('of a dead process'), LEASE_SECONDS);
    const outcome = flightOn().run('key', work, find);
    await turns(10);
    expect(worked).toBe(0);
    clock.advanceSeconds(LEASE_SECONDS);
    expect(await outcome).toBe('own');
    expect(await backend.get(await leaseName())).toBeUndefined();
  });

  it('is waited for no longer than a lease, whatever the store returns', async () => {
    await backend.add(await leaseName(), Buffer.from('of a dead process'), 3600);
    expect(await flightOn().run('key', work, find)).toBe('own');
    expect(waitedMs).toBe(LEASE_SECONDS * 1000);
    expect(String(await backend.get(await leaseName()))).toBe('of a dead process');
  });

  it('is not waited for if it is different work', async () => {
    const { end } = other();
    expect(await flightOn().run('another key', work, find)).toBe('own');
    expect(waitedMs).toBe(0);
    end();
  });
});

it('releases its lease if the work fails, and passes the failure on', async () => {
  const failing = flightOn().run(
    'key',
    async () => {
      throw new Error('lost');
    },
    find,
  );
  await expect(failing).rejects.toThrow('lost');
  expect(await flightOn().run('key', work, find)).toBe('own');
  expect(waitedMs).toBe(0);
});

it('does not release an expired lease that another process now holds', async () => {
  const { end, outcome } = other();
  await turns(5);
  clock.advanceSeconds(LEASE_SECONDS);
  const second = other('of the second');
  await turns(5);
  end();
  await outcome;
  const third = flightOn().run('key', work, find);
  await turns(10);
  expect(worked).toBe(0);
  second.end();
  expect(await third).toBe('of the second');
});

it.each<[string, Partial<typeof backend>]>([
  ['taken', { add: () => Promise.reject(new Error('down')) }],
  ['looked at', { add: async () => false, get: () => Promise.reject(new Error('down')) }],
  ['given back', { replace: () => Promise.reject(new Error('down')) }],
])('continues alone without waiting if a lease cannot be %s', async (_case, broken) => {
  expect(await flightOn({ ...backend, ...broken }).run('key', work, find)).toBe('own');
  expect(waitedMs).toBeLessThan(100);
});

/** Returns the name under which the lease of `key` is stored, as another process would find it. */
async function leaseName(): Promise<string> {
  let name = '';
  await flightOn({
    ...backend,
    add: async (taken) => {
      name = taken;
      return true;
    },
  }).run(
    'key',
    async () => undefined,
    async () => undefined,
  );
  return name;
}
