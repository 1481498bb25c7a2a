import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@legate/service';
import { BATCH_SIZE, type Batch, type TakeBatch } from './outbox.ts';

/** @throws {Error} they must be delivered again */
export type Deliver = (events: readonly string[]) => Promise<void>;

export interface Pace {
  /** Milliseconds between two reads of a source that had no full batch; events accumulate meanwhile */
  readonly pollMs: number;
  /**
   * Milliseconds after the first failure; doubled with each further one, up to `maxBackoffMs`, then reduced by a random
   * amount
   */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
}

export const DEFAULT_PACE: Pace = { pollMs: 500, backoffMs: 1000, maxBackoffMs: 30_000 };

/** Takes batches and delivers them, one after the other, until it is stopped. */
export function startDeliveryLoop(deps: { take: TakeBatch; deliver: Deliver; pace: Pace; log: Logger }) {
  const { take, deliver, pace, log } = deps;
  const stopping = new AbortController();
  let held: Batch | undefined;
  let failures = 0;

  /** @returns how many events were delivered; undefined when there was nothing to do */
  async function round(): Promise<number | undefined> {
    held ??= await take();
    if (!held) return undefined;
    await deliver(held.events);
    const delivered = held;
    held = undefined; // even if that cannot be noted: then they come again, and are known
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
        await pause(backoffMs * (0.5 + Math.random() / 2)); // jitter, so that processes do not retry together
      }
    }
  }
  const running = run();

  return {
    /** Delivers the rest without pauses, and stops at the first failure or when the time is up. */
    async stop(withinMs: number): Promise<void> {
      stopping.abort();
      const last = running.then(async () => {
        while ((await round()) !== undefined);
      });
      await Promise.race([last.catch(() => undefined), delay(withinMs, undefined, { ref: false })]);
    },
  };
}
