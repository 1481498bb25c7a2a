import { expect, it } from '@jest/globals';
import { createSingleFlight } from './single-flight.ts';

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (err: Error) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

it('runs work once for all concurrent callers, and gives them the same outcome', async () => {
  const flights = createSingleFlight<object>();
  const work = deferred<object>();
  let runs = 0;
  const start = () =>
    flights.run('key', 'alice', () => {
      runs += 1;
      return work.promise;
    });
  const callers = Array.from({ length: 200 }, start);
  const outcome = {};
  work.resolve(outcome);
  expect(new Set(await Promise.all(callers))).toEqual(new Set([outcome]));
  expect(runs).toBe(1);
});

it('runs work with different keys separately', async () => {
  const flights = createSingleFlight<string>();
  const both = [flights.run('a', 'alice', async () => 'a'), flights.run('b', 'alice', async () => 'b')];
  expect(await Promise.all(both)).toEqual(['a', 'b']);
});

it('runs work again when it has ended, even if it failed', async () => {
  const flights = createSingleFlight<string>();
  await expect(
    flights.run('key', 'alice', async () => {
      throw new Error('first');
    }),
  ).rejects.toThrow('first');
  expect(await flights.run('key', 'alice', async () => 'second')).toBe('second');
  expect(await flights.run('key', 'alice', async () => 'third')).toBe('third');
});

it('shares a failure with the callers that waited for it', async () => {
  const flights = createSingleFlight<string>();
  const work = deferred<string>();
  const callers = [
    flights.run('key', 'alice', () => work.promise),
    flights.run('key', 'alice', () => work.promise),
  ];
  work.reject(new Error('lost'));
  expect((await Promise.allSettled(callers)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

it('does not let callers join a forgotten flight, notifies that flight, and keeps the flights of other owners', async () => {
  const flights = createSingleFlight<boolean>();
  const ofAlice = deferred<void>();
  const ofBob = deferred<void>();
  const alice = flights.run('a', 'alice', async (isForgotten) => {
    await ofAlice.promise;
    return isForgotten();
  });
  const bob = flights.run('b', 'bob', async (isForgotten) => {
    await ofBob.promise;
    return isForgotten();
  });
  flights.forget('alice');
  const again = flights.run('a', 'alice', async (isForgotten) => isForgotten());
  ofAlice.resolve();
  ofBob.resolve();
  expect(await Promise.all([alice, bob, again])).toEqual([true, false, false]);
});

it('keeps the flight that replaced a forgotten one', async () => {
  const flights = createSingleFlight<string>();
  const first = deferred<string>();
  const second = deferred<string>();
  const forgotten = flights.run('key', 'alice', () => first.promise);
  flights.forget('alice');
  const running = flights.run('key', 'alice', () => second.promise);
  first.resolve('first');
  await forgotten;
  const joined = flights.run('key', 'alice', async () => 'third');
  second.resolve('second');
  expect(await Promise.all([running, joined])).toEqual(['second', 'second']);
});
