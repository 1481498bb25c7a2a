import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Counted, LocalWindows } from './local-windows.ts';

/** The shared limiter's last count of a key, and this process's own count since then */
interface LastCount {
  consumed: number;
  /** Epoch milliseconds */
  endsAt: number;
  alone: number;
}

/** Limits the list, so that a flood of keys cannot exhaust the memory; the oldest are dropped first. */
const MAX_KEYS = 10_000;
/**
 * A window that ends within this time is not carried over, because two clocks may disagree about which window it is.
 */
const NEAR_MS = 2000;

/**
 * Carries counts over when the shared limiter fails and when it is back. Otherwise each key would start at zero both
 * times. The local count continues from the shared one, and later the shared count includes the local one, even if the
 * shared limiter has lost its data.
 * @param deps.degradedDivisor divides the limit, and so the shared count, while this process counts alone
 */
export function createLastCounts(deps: {
  shared: Pick<RateLimiterAbstract, 'consume' | 'penalty'>;
  local: LocalWindows;
  degradedDivisor: number;
  now: () => number;
}) {
  const { shared, local, now } = deps;
  const counts = new Map<string, LastCount>();

  function keep(key: string, last: LastCount): void {
    const [oldest] = counts.keys();
    if (oldest !== undefined && counts.size >= MAX_KEYS && !counts.has(key)) counts.delete(oldest);
    counts.set(key, last);
  }
  const running = (key: string): LastCount | undefined => {
    const last = counts.get(key);
    return last && last.endsAt - now() > NEAR_MS ? last : undefined;
  };

  return {
    async consumeShared(key: string): Promise<Counted> {
      const last = running(key);
      const alone = last?.alone ?? 0;
      if (last) last.alone = 0; // before the response, so that only one of two concurrent requests adds it
      let counted: Counted;
      try {
        counted = await shared.consume(key, 1 + alone);
      } catch (err) {
        if (last) last.alone += alone;
        throw err;
      }
      const endsAt = now() + counted.msBeforeNext;
      // The window began later than the known one, so the shared limiter has lost its data.
      const lost = last && endsAt - last.endsAt > NEAR_MS ? last.consumed : 0;
      if (lost > 0) counted = await shared.penalty(key, lost);
      if (last) {
        last.consumed = counted.consumedPoints;
        last.endsAt = endsAt;
      } else keep(key, { consumed: counted.consumedPoints, endsAt, alone: 0 });
      return counted;
    },

    consumeAlone(key: string): Counted {
      this.carryToLocal(key);
      const counted = local.consume(key);
      const last = running(key);
      if (last) last.alone += 1;
      else keep(key, { consumed: 0, endsAt: now() + counted.msBeforeNext, alone: 1 });
      return counted;
    },

    carryToLocal(key: string): void {
      const last = running(key);
      if (!last || last.consumed === 0) return;
      if (local.find(key)) return;
      const part = Math.ceil(last.consumed / deps.degradedDivisor);
      local.set(key, part, Math.ceil((last.endsAt - now()) / 1000));
    },
  };
}
