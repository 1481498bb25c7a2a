import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createLogger } from '@legate/service';
import { startDeliveryLoop } from './delivery-loop.ts';
import { BATCH_SIZE } from './outbox.ts';

const log = createLogger({ service: 'test', level: 'silent' });

it('continues at once after a full batch, pauses after any other, and delivers the remaining events at the end', async () => {
  const waiting = [BATCH_SIZE, BATCH_SIZE, 3, 1];
  const delivered: number[] = [];
  const loop = startDeliveryLoop({
    take: async () => {
      const size = waiting.shift();
      if (size === undefined) return undefined;
      return { events: Array.from({ length: size }, () => '{}'), done: async () => undefined };
    },
    deliver: async (events) => void delivered.push(events.length),
    pace: { pollMs: 60_000, backoffMs: 60_000, maxBackoffMs: 60_000 },
    log,
  });
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(delivered).toEqual([BATCH_SIZE, BATCH_SIZE, 3]);
  await loop.stop(5000);
  expect(delivered).toEqual([BATCH_SIZE, BATCH_SIZE, 3, 1]);
});
