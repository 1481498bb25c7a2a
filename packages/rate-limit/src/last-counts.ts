import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Counted, LocalWindows } from './local-windows.ts';

/** The shared limiter's last count of a key, and this process's own count since then */
interface LastCount {
  consumed: number;
  /** Epoch milliseconds */
  endsAt: number;
  alone: number;
}

/** A flood of keys must not grow the list without limit; the oldest are dropped first. */
const MAX_KEYS = 10_000;
/** Near its end a window is not worth carrying over, and two clocks may disagree about which one it is. */
const NEAR_MS = 2000;

/**
 * Carries counts over an outage of the shared limiter. Otherwise each key would begin anew when that is lost, and once more
 * when it is back: a key goes on here where it stood there, and there with what was counted here, even where the shared
 * limiter has lost its data.
 * @param deps.degradedDivisor by which a process divides the limit, and so the common count, while it counts alone
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
      if (last) last.alone = 0; // before the response: of two concurrent requests only one reports it
      let counted: Counted;
      try {
        counted = await shared.consume(key, 1 + alone);
      } catch (err) {
        if (last) last.alone += alone;
        throw err;
      }
      const endsAt = now() + counted.msBeforeNext;
      // A window that began later than the one we know: its data are gone.
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
