import { type BreakerState, createBreaker, type Told } from './breaker.ts';

export type { BreakerState } from './breaker.ts';

/** What an outcome shows about the peer: `unknown` is neither a failure nor a success. */
export type Verdict = Told | 'unknown';

export interface Refused {
  /** `open`: it has failed too often recently; `busy`: the limit of concurrent requests is reached */
  readonly why: 'open' | 'busy';
  /** At least 1 */
  readonly retryAfterSeconds: number;
}

/** The outage that stands in for an answer */
export const reasonOf = ({ why, retryAfterSeconds }: Refused) => ({
  reason: why === 'open' ? 'it has failed too often of late' : 'it has as many requests as it may have',
  retryAfterSeconds,
});

export interface Guard {
  /**
   * Runs `send` unless the breaker is open or the limit is reached. Rethrows the errors of `send`, which say nothing
   * about the peer.
   * @param user whose request it is
   * @param onRefused runs at once instead of `send`
   */
  run<T>(
    user: string,
    send: () => Promise<T>,
    judge: (value: T) => Verdict,
    onRefused: (refused: Refused) => T,
  ): Promise<T>;
}

export interface GuardLimits {
  /** Concurrent requests */
  readonly maxConcurrent: number;
  /** How long nothing is sent after the breaker opens; then one request probes. */
  readonly openSeconds: number;
}

/** It is unknown when a running request will end. */
const BUSY_RETRY_SECONDS = 1;

/** Circuit breaker and bound of one leg of one connector, in this process. */
export function createGuard(
  limits: GuardLimits,
  clock: () => Date,
  onState: (state: BreakerState) => void,
): Guard {
  const breaker = createBreaker({ openSeconds: limits.openSeconds, clock, onState });
  let running = 0;

  return {
    async run(user, send, judge, onRefused) {
      if (running >= limits.maxConcurrent)
        return onRefused({ why: 'busy', retryAfterSeconds: BUSY_RETRY_SECONDS });
      const may = breaker.mayPass();
      if (may === 'no') {
        const retryAfterSeconds = Math.max(1, Math.ceil(breaker.openForMs() / 1000));
        return onRefused({ why: 'open', retryAfterSeconds });
      }
      running += 1;
      let told: Told | undefined;
      try {
        const value = await send();
        const verdict = judge(value);
        told = verdict === 'unknown' ? undefined : verdict;
        return value;
      } finally {
        running -= 1;
        if (may === 'as_probe') breaker.tellProbe(told);
        else if (told) breaker.tell(told, user);
      }
    },
  };
}
