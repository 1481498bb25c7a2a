export type BreakerState = 'closed' | 'half_open' | 'open';

/** What a call shows about the peer: it is up, it failed, or the connection failed. */
export type PeerOutcome = 'well' | 'failed' | 'unreachable';

/** A breaker opens when more than half of the last calls have failed, as soon as there are enough to tell. */
const LAST_CALLS = 20;
const ENOUGH_CALLS = 5;

/**
 * A circuit breaker. Failures count only when two users or more have them, or when there was no connection: one user's slow
 * calls say more about what this user does than about the peer.
 */
export function createBreaker(options: {
  openSeconds: number;
  clock: () => Date;
  onState: (state: BreakerState) => void;
}) {
  const { clock, onState } = options;
  const openMs = options.openSeconds * 1000;
  let state: BreakerState = 'closed';
  let openedAtMs = 0;
  let last: { readonly outcome: PeerOutcome; readonly user: string }[] = [];
  const now = () => clock().getTime();

  function change(to: BreakerState): void {
    state = to;
    if (to === 'open') openedAtMs = now();
    if (to === 'closed') last = [];
    onState(to);
  }

  function hasFailedTooOften(): boolean {
    if (last.length < ENOUGH_CALLS) return false;
    const failures = last.filter(({ outcome }) => outcome !== 'well');
    const users = new Set(failures.map(({ user }) => user));
    const relevant = users.size > 1 ? failures : failures.filter(({ outcome }) => outcome === 'unreachable');
    return relevant.length * 2 > last.length;
  }

  return {
    /** Reads the clock: an open breaker becomes half open over time, when it is asked. */
    mayPass(): 'yes' | 'as_probe' | 'no' {
      if (state === 'closed') return 'yes';
      // While one request probes, which may take long, the others are refused.
      if (state === 'half_open' || now() - openedAtMs < openMs) return 'no';
      change('half_open');
      return 'as_probe';
    },
    /** Milliseconds until one request may find out; 0 where none has to wait */
    openForMs: (): number => (state === 'closed' ? 0 : Math.max(0, openedAtMs + openMs - now())),
    /** @param user whose call it was */
    record(outcome: PeerOutcome, user: string): void {
      if (state !== 'closed') return; // it was sent before the breaker opened
      last.push({ outcome, user });
      if (last.length > LAST_CALLS) last.shift();
      if (outcome !== 'well' && hasFailedTooOften()) change('open');
    },
    /** The outcome of the probe. `undefined`: unknown, which leaves the breaker open. */
    recordProbe(outcome: PeerOutcome | undefined): void {
      change(outcome === 'well' ? 'closed' : 'open');
    },
  };
}

/** What an outcome shows about the peer: `unknown` is neither a failure nor a success. */
export type Verdict = PeerOutcome | 'unknown';

export interface Refused {
  /** `open`: it has failed too often recently; `busy`: the limit of concurrent requests is reached */
  readonly why: 'open' | 'busy';
  /** Seconds until a retry may succeed, at least 1 */
  readonly retryAfterSeconds: number;
}

/** The outage that stands in for an answer */
export const reasonOf = ({ why, retryAfterSeconds }: Refused) => ({
  reason: why === 'open' ? 'it has failed too often recently' : 'its limit of concurrent requests is reached',
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
      let outcome: PeerOutcome | undefined;
      try {
        const value = await send();
        const verdict = judge(value);
        outcome = verdict === 'unknown' ? undefined : verdict;
        return value;
      } finally {
        running -= 1;
        if (may === 'as_probe') breaker.recordProbe(outcome);
        else if (outcome) breaker.record(outcome, user);
      }
    },
  };
}
