export type BreakerState = 'closed' | 'half_open' | 'open';

/** What a call shows about the peer: it is up, it failed, or the connection failed. */
export type Told = 'well' | 'failed' | 'unreachable';

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
  let last: { readonly told: Told; readonly user: string }[] = [];
  const now = () => clock().getTime();

  function change(to: BreakerState): void {
    state = to;
    if (to === 'open') openedAtMs = now();
    if (to === 'closed') last = [];
    onState(to);
  }

  function hasFailedTooOften(): boolean {
    if (last.length < ENOUGH_CALLS) return false;
    const failures = last.filter(({ told }) => told !== 'well');
    const users = new Set(failures.map(({ user }) => user));
    const telling = users.size > 1 ? failures : failures.filter(({ told }) => told === 'unreachable');
    return telling.length * 2 > last.length;
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
    tell(told: Told, user: string): void {
      if (state !== 'closed') return; // it was sent before the breaker opened
      last.push({ told, user });
      if (last.length > LAST_CALLS) last.shift();
      if (told !== 'well' && hasFailedTooOften()) change('open');
    },
    /** The outcome of the probe. `undefined`: unknown, which leaves the breaker open. */
    tellProbe(told: Told | undefined): void {
      change(told === 'well' ? 'closed' : 'open');
    },
  };
}
