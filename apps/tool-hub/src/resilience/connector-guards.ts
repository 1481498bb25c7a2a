import { Counter, Gauge, type Logger, type Metrics } from '@legate/service';
import { LRUCache } from 'lru-cache';
import type { Connector } from '../domain/connector.ts';

/**
 * Parts of a connector that fail separately: if only its authorization server is down, a tool server serves callers
 * that have tokens.
 */
export type GuardedLeg = 'authorization_server' | 'tool_server';

/** A connector and its URL, which identify the server. */
type GuardedConnector = Pick<Connector, 'organizationId' | 'id' | 'mcpUrl' | 'resource'>;

/** Returns the guards of a connector in its current configuration, shared by all callers. */
export type ConnectorGuards = (connector: GuardedConnector, leg: GuardedLeg) => Guard;

const MAX_CONNECTORS = 1000;
/** Values of the gauge. `half_open` counts as `open`, because all requests but the probe are still refused. */
const STATES: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 2, open: 2 };
const NEXT_FINDS_OUT = 1;

interface Entry {
  readonly mcpUrl: string;
  readonly resource: string;
  readonly guards: Readonly<Record<GuardedLeg, Guard>>;
}

/**
 * Creates the guards of this process. Each replica detects failures itself, so that refusing needs no store. The least
 * recently used connectors are dropped, which closes their breakers.
 */
export function createConnectorGuards(deps: {
  limits: GuardLimits;
  clock: () => Date;
  metrics: Metrics['registry'];
  log: Logger;
  maxConnectors?: number;
}): ConnectorGuards {
  const { limits, clock, log } = deps;
  const now = () => clock().getTime();
  /** Open breakers, and when they allow a probe: an unused breaker stays open indefinitely. */
  const opened = new Map<
    string,
    { labels: Record<'organization_id' | 'connector_id' | 'leg', string>; untilMs: number }
  >();
  const states = new Gauge({
    name: 'connector_breaker_state',
    help: 'Circuit breakers that have opened since the start: 0 closed, 1 half-open (the next request probes), 2 open (requests are refused)',
    labelNames: ['organization_id', 'connector_id', 'leg'],
    registers: [deps.metrics],
    collect() {
      for (const { labels, untilMs } of opened.values())
        if (now() >= untilMs) this.set(labels, NEXT_FINDS_OUT);
    },
  });
  const refusals = new Counter({
    name: 'connector_refusals_total',
    help: 'Requests that were not sent because the breaker was open or too many requests were running',
    labelNames: ['leg', 'why'],
    registers: [deps.metrics],
  });
  for (const leg of ['authorization_server', 'tool_server'])
    for (const why of ['open', 'busy']) refusals.inc({ leg, why }, 0);
  const entries = new LRUCache<string, Entry>({
    max: deps.maxConnectors ?? MAX_CONNECTORS,
    dispose: (_entry, key) => forgetStates(key),
  });

  function forgetStates(key: string): void {
    const [organization_id = '', connector_id = ''] = key.split(':');
    for (const leg of ['authorization_server', 'tool_server']) {
      states.remove({ organization_id, connector_id, leg });
      opened.delete(`${key}:${leg}`);
    }
  }

  function open({ organizationId, id, mcpUrl, resource }: GuardedConnector): Entry {
    const guardOf = (leg: GuardedLeg): Guard => {
      const labels = { organization_id: organizationId, connector_id: id, leg };
      const series = `${organizationId}:${id}:${leg}`;
      return createGuard(limits, clock, {
        state(state) {
          states.set(labels, STATES[state]);
          if (state === 'open') opened.set(series, { labels, untilMs: now() + limits.openSeconds * 1000 });
          else opened.delete(series);
          log.warn({ ...labels, state }, 'circuit breaker');
        },
        refused: (why) => refusals.inc({ leg, why }),
      });
    };
    return {
      mcpUrl,
      resource,
      guards: { authorization_server: guardOf('authorization_server'), tool_server: guardOf('tool_server') },
    };
  }

  return (connector, leg) => {
    const key = `${connector.organizationId}:${connector.id}`; // neither id can contain a colon
    const known = entries.get(key);
    // With another URL it is another server, so the failures of the old one do not count.
    if (known && known.mcpUrl === connector.mcpUrl && known.resource === connector.resource)
      return known.guards[leg];
    const entry = open(connector);
    entries.set(key, entry);
    return entry.guards[leg];
  };
}

/** What an outcome shows about the server: `unknown` is neither a failure nor a success. */
export type Verdict = PeerOutcome | 'unknown';

export interface Refused {
  /** `open`: too many requests failed recently; `busy`: the limit of concurrent requests is reached */
  readonly why: 'open' | 'busy';
  /** Seconds until a retry may succeed, at least 1 */
  readonly retryAfterSeconds: number;
}

/** Returns the outage that is reported instead of a response */
export const reasonOf = ({ why, retryAfterSeconds }: Refused) => ({
  reason: why === 'open' ? 'it has failed too often recently' : 'its limit of concurrent requests is reached',
  retryAfterSeconds,
});

export interface Guard {
  /**
   * Runs `send` unless the breaker is open or the limit is reached. Rethrows the errors of `send`, which do not count
   * as failures of the server.
   * @param user the user whose request it is
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
  /** Maximum concurrent requests */
  readonly maxConcurrent: number;
  /** Seconds for which nothing is sent after the breaker opens; then one request is sent as a probe. */
  readonly openSeconds: number;
}

/** Seconds until a retry, because it is unknown when a running request will end. */
const BUSY_RETRY_SECONDS = 1;

/**
 * Creates the circuit breaker and the limit for one leg of one connector, in this process.
 * @param on.refused called for each request that was not sent
 */
export function createGuard(
  limits: GuardLimits,
  clock: () => Date,
  on: { state: (state: BreakerState) => void; refused: (why: Refused['why']) => void },
): Guard {
  const breaker = createBreaker({ openSeconds: limits.openSeconds, clock, onState: on.state });
  let running = 0;

  function refuse(why: Refused['why'], retryAfterSeconds: number): Refused {
    on.refused(why);
    return { why, retryAfterSeconds };
  }

  return {
    async run(user, send, judge, onRefused) {
      if (running >= limits.maxConcurrent) return onRefused(refuse('busy', BUSY_RETRY_SECONDS));
      const may = breaker.mayPass();
      if (may === 'no') return onRefused(refuse('open', Math.max(1, Math.ceil(breaker.openForMs() / 1000))));
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

export type BreakerState = 'closed' | 'half_open' | 'open';

/** What a call shows about the server: it works, it failed, or no connection could be made. */
type PeerOutcome = 'well' | 'failed' | 'unreachable';

/**
 * Number of recent calls that a breaker examines. It opens when more than half of them have failed, once there are
 * enough calls.
 */
const LAST_CALLS = 20;
const ENOUGH_CALLS = 5;

/**
 * Creates a circuit breaker. Failures count only if at least two users have them, or if no connection could be made:
 * slow calls of a single user may be caused by what that user does.
 */
function createBreaker(options: {
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
    /** Reads the clock: an open breaker becomes half open after a time, when this is called. */
    mayPass(): 'yes' | 'as_probe' | 'no' {
      if (state === 'closed') return 'yes';
      // While one request probes, which may be slow, the others are refused.
      if (state === 'half_open' || now() - openedAtMs < openMs) return 'no';
      change('half_open');
      return 'as_probe';
    },
    /** Returns the milliseconds until a probe is allowed; 0 if requests are allowed */
    openForMs: (): number => (state === 'closed' ? 0 : Math.max(0, openedAtMs + openMs - now())),
    /** @param user the user who made the call */
    record(outcome: PeerOutcome, user: string): void {
      if (state !== 'closed') return; // it was sent before the breaker opened
      last.push({ outcome, user });
      if (last.length > LAST_CALLS) last.shift();
      if (outcome !== 'well' && hasFailedTooOften()) change('open');
    },
    /** Records the outcome of the probe. `undefined`: unknown, so the breaker stays open. */
    recordProbe(outcome: PeerOutcome | undefined): void {
      change(outcome === 'well' ? 'closed' : 'open');
    },
  };
}
