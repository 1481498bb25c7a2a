import { type Logger, runInRequest } from '@legate/service';
import { shareWhileRunning } from '@legate/single-flight';
import type { NotifyHub } from './notify-hub.ts';
import type { Outbox, PendingRevocation } from './outbox.ts';

/** Many users may be deactivated at the same time, and the hub must be notified of each within 2 seconds. */
const AT_ONCE = 50;
/** Longer than the timeout of a request to the hub. */
const LEASE_MS = 30_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** Age at which a revocation is dropped: the hub's longest-lived data, connected accounts, expire after 90 days. */
const MAX_AGE_MS = 365 * 24 * 3600 * 1000;

export type DeliveryEvent = 'delivered' | 'failed' | 'given_up';

export interface Delivery {
  /**
   * Delivers due revocations to the hub in batches; stops if none is left, or after a batch that failed completely.
   * @returns whether the hub has confirmed all that was due
   * @throws {DatabaseUnavailable}
   */
  run(): Promise<boolean>;
  /**
   * Delivers, and logs a failure instead of throwing it: what was not delivered is retried later.
   * @returns whether the hub has confirmed all that was due
   */
  soon(): Promise<boolean>;
  /** Resolves when no delivery is running. */
  idle(): Promise<void>;
}

/** Delivers each revocation at least once: a repeated one revokes what exists at that time. */
export function createDelivery(deps: {
  outbox: Outbox;
  notifyHub: NotifyHub;
  clock: () => Date;
  log: Logger;
  onEvent: (event: DeliveryEvent) => void;
  /** Called for each delivery, with the seconds since the change that caused it. */
  onDelivered?: (seconds: number) => void;
}): Delivery {
  const { outbox, notifyHub, clock, log, onEvent } = deps;
  let last: Promise<boolean> | undefined;
  let isAsked = false;

  async function deliver(pending: PendingRevocation): Promise<boolean> {
    const about = { organization_id: pending.organizationId, reason: pending.reason };
    try {
      await notifyHub(pending);
    } catch (err) {
      const ageMs = clock().getTime() - pending.createdAt.getTime();
      if (ageMs >= MAX_AGE_MS) {
        onEvent('given_up');
        log.error({ err, ...about }, 'revocation: not delivered to the hub for a year');
        await outbox.remove(pending);
        return false;
      }
      onEvent('failed');
      log.warn({ err, ...about, attempts: pending.attempts }, 'revocation: not delivered to the hub yet');
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(pending.attempts - 1, 10), MAX_PAUSE_MS);
      await outbox.postpone(pending, new Date(clock().getTime() + pauseMs));
      return false;
    }
    await outbox.remove(pending);
    onEvent('delivered');
    deps.onDelivered?.((clock().getTime() - pending.createdAt.getTime()) / 1000);
    return true;
  }

  async function drain(): Promise<boolean> {
    let isComplete = true;
    for (;;) {
      const due = await outbox.takeDue(AT_ONCE, LEASE_MS);
      if (due.length === 0) return isComplete;
      const delivered = await Promise.all(due.map(deliver));
      if (!delivered.includes(true)) return false; // the hub is down: the others are retried later
      isComplete &&= !delivered.includes(false);
    }
  }

  const drainAll = shareWhileRunning(async () => {
    // A revocation added during the last batch is delivered in another round.
    let isComplete = true;
    while (isAsked) {
      isAsked = false;
      isComplete = await drain();
    }
    return isComplete;
  });

  function run(): Promise<boolean> {
    isAsked = true;
    last = runInRequest(undefined, drainAll); // no request: it serves all of them
    return last;
  }

  return {
    run,
    async idle() {
      await last?.catch(() => undefined);
    },
    async soon() {
      try {
        return await run();
      } catch (err) {
        log.warn({ err }, 'revocation: delivery was postponed');
        return false;
      }
    },
  };
}
