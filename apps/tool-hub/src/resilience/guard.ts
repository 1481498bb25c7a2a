import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';

/** What an outcome says of the peer: `unknown` is neither a failure of its nor a sign that it is well. */
export type Verdict = 'well' | 'failed' | 'unknown';

export interface Refused {
  /** `open`: it has failed too often of late; `busy`: as many requests as may be are on their way */
  readonly why: 'open' | 'busy';
  /** At least 1 */
  readonly retryAfterSeconds: number;
}

export type BreakerState = 'closed' | 'half_open' | 'open';

export interface Guard {
  /**
   * Sends, unless nothing may be sent. What `send` throws is thrown, and says nothing of the peer.
   * @param onRefused in the place of `send`, at once
   */
  run<T>(
    send: () => Promise<T>,
    judge: (value: T) => Verdict,
    onRefused: (refused: Refused) => T,
  ): Promise<T>;
}

export interface GuardLimits {
  /** Requests on their way at a time */
  readonly maxConcurrent: number;
  /** How long nothing is sent once the breaker has opened; then one request finds out. */
  readonly openSeconds: number;
}

/** Opens when more than half of the last calls have failed, and as soon as there are enough to tell. */
const LAST_CALLS = { size: 20, minimumNumberOfCalls: 5, threshold: 0.5 };
/** Nobody knows when one of the others will have ended. */
const BUSY_RETRY_SECONDS = 1;

type Judged<T = unknown> =
  | { readonly value: T; readonly verdict: Verdict }
  | { readonly thrown: unknown; readonly verdict: 'unknown' };

/** Keeps an outcome from being counted: the library counts values, and passes on what is thrown. */
class Uncounted {
  constructor(readonly value: unknown) {}
}

/** Circuit breaker and bulkhead of one leg of one connector, in this process. Its clock is `Date`. */
export function createGuard(limits: GuardLimits, onState: (state: BreakerState) => void): Guard {
  const breaker = circuitBreaker(
    // The library knows no type of results: all that it gets are those of `sendAndJudge`.
    handleWhenResult((result) => (result as Judged).verdict !== 'well'),
    { halfOpenAfter: limits.openSeconds * 1000, breaker: new CountBreaker(LAST_CALLS) },
  );
  const slots = bulkhead(limits.maxConcurrent);
  let openedAtMs = 0;
  breaker.onStateChange((state) => {
    if (state === CircuitState.Open) openedAtMs = Date.now();
    onState(NAMES[state]);
  });

  const open = (): Refused => {
    const leftMs = openedAtMs + limits.openSeconds * 1000 - Date.now();
    return { why: 'open', retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) };
  };

  return {
    async run<T>(
      send: () => Promise<T>,
      judge: (value: T) => Verdict,
      onRefused: (refused: Refused) => T,
    ): Promise<T> {
      // The library would let all others wait for the one that finds out, which may hang.
      if (breaker.state === CircuitState.HalfOpen) return onRefused(open());
      const isProbe = breaker.state === CircuitState.Open;
      // A probe that tells nothing, or throws, keeps the breaker open: the library knows only well and failed.
      const probe = (): Promise<Judged<T>> =>
        send().then(
          (value) => ({ value, verdict: judge(value) }),
          (thrown: unknown) => ({ thrown, verdict: 'unknown' }),
        );
      const sendAndJudge = async (): Promise<Judged<T>> => {
        const value = await send();
        const verdict = judge(value);
        if (verdict === 'unknown') throw new Uncounted(value);
        return { value, verdict };
      };
      try {
        const judged = await slots.execute(() => breaker.execute(isProbe ? probe : sendAndJudge));
        if ('thrown' in judged) throw judged.thrown;
        return judged.value;
      } catch (err) {
        if (err instanceof Uncounted) return err.value as T; // what `sendAndJudge` has just put into it
        if (err instanceof BrokenCircuitError) return onRefused(open());
        if (err instanceof BulkheadRejectedError)
          return onRefused({ why: 'busy', retryAfterSeconds: BUSY_RETRY_SECONDS });
        throw err;
      }
    },
  };
}

const NAMES: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
};
