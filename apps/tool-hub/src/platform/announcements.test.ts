import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { RedisClient } from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { Cluster } from 'ioredis';
import { listenForAnnouncements, NO_ANNOUNCEMENTS } from './announcements.ts';

/** A connection to Redis, and the duplicate connection that listens. */
class FakeRedis extends EventEmitter {
  readonly commands: unknown[][] = [];
  listener: FakeRedis | undefined;
  isSubscriptionRefused = false;
  isDown = false;
  /** Resolves when a subscription is confirmed. */
  answered = Promise.resolve();

  duplicate(): FakeRedis {
    this.listener = new FakeRedis();
    const { isDown, isSubscriptionRefused, answered } = this;
    Object.assign(this.listener, { isDown, isSubscriptionRefused, answered });
    return this.listener;
  }
  async connect(): Promise<void> {
    if (this.isDown) throw new Error('connection refused');
    this.emit('ready');
  }
  async subscribe(channel: string): Promise<void> {
    await this.answered;
    if (this.isSubscriptionRefused) throw new Error('NOPERM');
    this.commands.push(['subscribe', channel]);
  }
  async publish(...args: unknown[]): Promise<void> {
    this.commands.push(['publish', ...args]);
  }
  disconnect(...args: unknown[]): void {
    this.commands.push(['disconnect', ...args]);
  }
}

let redis: FakeRedis;
let announced: string[];
let missed: number;
let answers: unknown[];

afterEach(() => {
  jest.useRealTimers();
});

beforeEach(() => {
  redis = new FakeRedis();
  announced = [];
  missed = 0;
  answers = [];
});

const listen = (at: unknown = redis) =>
  listenForAnnouncements(at as RedisClient, {
    channel: 'connectors-changed',
    onAnnounced: (organizationId) => announced.push(organizationId),
    onMissed: () => {
      missed += 1;
    },
    noteSubscription: (_channel, err) => answers.push(err),
    log: createLogger({ service: 'test', level: 'silent' }),
  });

it('receives announcements of others once it listens', async () => {
  await listen();
  expect(redis.listener?.commands).toEqual([['subscribe', 'connectors-changed']]);
  redis.listener?.emit('message', 'connectors-changed', 'org_acme');
  expect(announced).toEqual(['org_acme']);
});

it('is not ready before it listens, because earlier announcements would be lost', async () => {
  let answer = () => {};
  redis.answered = new Promise((resolve) => (answer = resolve));
  let isReady = false;
  const listening = listen().then(() => {
    isReady = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([isReady, missed]).toEqual([false, 0]);
  answer();
  await listening;
  expect(missed).toBe(1);
});

it('reports after each connection that announcements may have been missed', async () => {
  await listen();
  expect(missed).toBe(1);
  redis.listener?.emit('ready');
  await new Promise((resolve) => setImmediate(resolve));
  expect(missed).toBe(2);
  expect(redis.listener?.commands).toHaveLength(2);
});

it('starts while Redis is down, and survives its errors', async () => {
  redis.isDown = true;
  await listen();
  expect(missed).toBe(0);
  expect(() => redis.listener?.emit('error', new Error('connection refused'))).not.toThrow();
});

it('reports a refused subscription, and reconnects after waits that double', async () => {
  jest.useFakeTimers();
  redis.isSubscriptionRefused = true;
  await listen();
  const { listener } = redis;
  expect([missed, listener?.commands, answers]).toEqual([0, [], [new Error('NOPERM')]]);
  await jest.advanceTimersByTimeAsync(500);
  expect(listener?.commands).toEqual([['disconnect', true]]);
  listener?.emit('ready');
  await jest.advanceTimersByTimeAsync(999);
  expect(listener?.commands).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(listener?.commands).toHaveLength(2);
  Object.assign(listener ?? {}, { isSubscriptionRefused: false });
  listener?.emit('ready');
  await jest.advanceTimersByTimeAsync(60_000);
  expect([missed, listener?.commands.at(-1), answers.at(-1)]).toEqual([
    1,
    ['subscribe', 'connectors-changed'],
    undefined,
  ]);
});

it('does not try again once it is closed', async () => {
  jest.useFakeTimers();
  redis.isSubscriptionRefused = true;
  (await listen()).close();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(redis.listener?.commands).toEqual([['disconnect']]);
});

it('announces on the sending connection, and closes the listening one', async () => {
  const announcements = await listen();
  await announcements.announce('org_acme');
  expect(redis.commands).toEqual([['publish', 'connectors-changed', 'org_acme']]);
  announcements.close();
  expect(redis.listener?.commands.at(-1)).toEqual(['disconnect']);
});

it('does nothing in a single process', async () => {
  expect(await NO_ANNOUNCEMENTS.announce('org_acme')).toBeUndefined();
  expect(NO_ANNOUNCEMENTS.close()).toBeUndefined();
});

it('listens at one node of a cluster, and at another one half a second after the first is lost', async () => {
  jest.useFakeTimers();
  const node = Object.assign(redis, { status: 'ready' });
  const cluster = Object.assign(Object.create(Cluster.prototype), { nodes: () => [node] });
  const announcements = await listen(cluster);
  const first = node.listener;
  expect([missed, first?.commands]).toEqual([1, [['subscribe', 'connectors-changed']]]);
  first?.emit('end');
  await jest.advanceTimersByTimeAsync(499);
  expect(node.listener).toBe(first);
  await jest.advanceTimersByTimeAsync(1);
  expect(node.listener).not.toBe(first);
  expect(missed).toBe(2);
  announcements.close();
  node.listener?.emit('end');
  await jest.advanceTimersByTimeAsync(500);
  expect(missed).toBe(2);
});
