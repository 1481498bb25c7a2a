import type { Logger } from '@legate/service';
import { shareWhileRunning } from '@legate/single-flight';
import type { Outbox, PendingRevocation } from './outbox.ts';
import type { TellHub } from './tell-hub.ts';

const AT_ONCE = 10;
/** Longer than the hub is waited for. */
const LEASE_MS = 30_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/**
 * By then nothing is left at the hub of what was to be revoked: what it keeps longest are the accounts that users have connected, for a
 * year at most (its CONNECTION_TTL_DAYS).
 */
const MAX_AGE_MS = 365 * 24 * 3600 * 1000;

export type DeliveryEvent = 'delivered' | 'failed' | 'given_up';

export interface Delivery {
  /**
   * Tells the hub what is due, in portions; ends when nothing is, or with a portion of which nothing arrived.
   * @throws {DatabaseUnavailable}
   */
  run(): Promise<void>;
  /** The same, in the background. */
  soon(): void;
  /** Resolves when nothing is on its way. */
  idle(): Promise<void>;
}

/** At least once: a revocation that arrives twice revokes what there is by then. */
export function createDelivery(deps: {
  outbox: Outbox;
  tellHub: TellHub;
  clock: () => Date;
  log: Logger;
  onEvent: (event: DeliveryEvent) => void;
}): Delivery {
  const { outbox, tellHub, clock, log, onEvent } = deps;
  let last: Promise<void> | undefined;
  let isAsked = false;

  async function deliver(pending: PendingRevocation): Promise<boolean> {
    const about = { organization_id: pending.organizationId, reason: pending.reason };
    try {
      await tellHub(pending);
    } catch (err) {
      const ageMs = clock().getTime() - pending.createdAt.getTime();
      if (ageMs >= MAX_AGE_MS) {
        onEvent('given_up');
        log.error({ err, ...about }, 'revocation: the hub could not be told for a year');
        await outbox.remove(pending);
        return false;
      }
      onEvent('failed');
      log.warn({ err, ...about, attempts: pending.attempts }, 'revocation: the hub is not told yet');
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(pending.attempts - 1, 10), MAX_PAUSE_MS);
      await outbox.postpone(pending, new Date(clock().getTime() + pauseMs));
      return false;
    }
    await outbox.remove(pending);
    onEvent('delivered');
    return true;
  }

  async function drain(): Promise<void> {
    for (;;) {
      const due = await outbox.takeDue(AT_ONCE, LEASE_MS);
      if (due.length === 0) return;
      const delivered = await Promise.all(due.map(deliver));
      if (!delivered.includes(true)) return; // the hub is away: the others wait for their time
    }
  }

  const drainAll = shareWhileRunning(async () => {
    // What was added while the last portion was on its way is not left for the next time.
    while (isAsked) {
      isAsked = false;
      await drain();
    }
  });

  function run(): Promise<void> {
    isAsked = true;
    last = drainAll();
    return last;
  }

  return {
    run,
    async idle() {
      await last?.catch(() => undefined);
    },
    soon() {
      run().catch((err: unknown) => log.warn({ err }, 'revocation: delivery was put off'));
    },
  };
}
