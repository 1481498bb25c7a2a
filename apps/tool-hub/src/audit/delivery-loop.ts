import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@legate/service';
import { BATCH_SIZE, type Batch, type TakeBatch } from './outbox.ts';

/** @throws {Error} if the events must be delivered again */
export type Deliver = (events: readonly string[]) => Promise<void>;

export interface Pace {
  /** Milliseconds between two reads when the last batch was not full; events accumulate meanwhile */
  readonly pollMs: number;
  /**
   * Milliseconds to wait after the first failure; doubled after each further failure up to `maxBackoffMs`, then reduced
   * by a random amount
   */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
}

export const DEFAULT_PACE: Pace = { pollMs: 500, backoffMs: 1000, maxBackoffMs: 30_000 };

/** Reads and delivers batches, one after the other, until it is stopped. */
export function startDeliveryLoop(deps: { take: TakeBatch; deliver: Deliver; pace: Pace; log: Logger }) {
  const { take, deliver, pace, log } = deps;
  const stopping = new AbortController();
  let held: Batch | undefined;
  let failures = 0;

  /** @returns the number of delivered events; undefined if there were none */
  async function round(): Promise<number | undefined> {
    held ??= await take();
    if (!held) return undefined;
    await deliver(held.events);
    const delivered = held;
    held = undefined; // even if this fails: the events are then sent again, and recognized
    await delivered.done();
    return delivered.events.length;
  }

  const pause = (ms: number): Promise<void> =>
    delay(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const count = (await round()) ?? 0;
        if (failures > 0) log.info('audit events are delivered again');
        failures = 0;
        // A request costs more than its events: without a pause, infrequent calls would cause one request each.
        if (count < BATCH_SIZE) await pause(pace.pollMs);
      } catch (err) {
        if (failures === 0) log.warn({ err }, 'audit events cannot be delivered and are waiting');
        failures += 1;
        const backoffMs = Math.min(pace.backoffMs * 2 ** (failures - 1), pace.maxBackoffMs);
        await pause(backoffMs * (0.5 + Math.random() / 2)); // jitter, so that processes do not retry at the same time
      }
    }
  }
  const running = run();

  return {
    /** Delivers the remaining events without pauses, and stops at the first failure or when the time is over. */
    async stop(withinMs: number): Promise<void> {
      stopping.abort();
      const last = running.then(async () => {
        while ((await round()) !== undefined);
      });
      await Promise.race([last.catch(() => undefined), delay(withinMs, undefined, { ref: false })]);
    },
  };
}
