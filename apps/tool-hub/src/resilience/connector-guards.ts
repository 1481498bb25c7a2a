import { Counter, Gauge, type Logger, type Metrics } from '@legate/service';
import { LRUCache } from 'lru-cache';
import type { Connector } from '../domain/connector.ts';

/** Each fails separately: a tool server whose authorization server is down serves callers with tokens. */
export type GuardedLeg = 'authorization_server' | 'tool_server';

/** A connector, and where it is: elsewhere it is another server. */
type GuardedConnector = Pick<Connector, 'organizationId' | 'id' | 'mcpUrl' | 'resource'>;

/** The guards of a connector as it is configured, for all who use it. */
export type ConnectorGuards = (connector: GuardedConnector, leg: GuardedLeg) => Guard;

const MAX_CONNECTORS = 1000;
/** Values of the gauge. `half_open` counts as `open`: while one request probes, the others are still refused. */
const STATES: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 2, open: 2 };
const NEXT_FINDS_OUT = 1;

interface Entry {
  readonly mcpUrl: string;
  readonly resource: string;
  readonly guards: Readonly<Record<GuardedLeg, Guard>>;
}

/**
 * Creates the guards of this process: each replica detects failures itself, so that refusing needs no store. The least
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
  /** Open breakers, and when they allow a probe: an unused one stays open for ever. */
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
    const key = `${connector.organizationId}:${connector.id}`; // neither can have a colon
    const known = entries.get(key);
    // Elsewhere it is another server, whatever the old one did.
    if (known && known.mcpUrl === connector.mcpUrl && known.resource === connector.resource)
      return known.guards[leg];
    const entry = open(connector);
    entries.set(key, entry);
    return entry.guards[leg];
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

/**
 * Circuit breaker and bound of one leg of one connector, in this process.
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

/** What a call shows about the peer: it is up, it failed, or the connection failed. */
type PeerOutcome = 'well' | 'failed' | 'unreachable';

/** A breaker opens when more than half of the last calls have failed, as soon as there are enough to tell. */
const LAST_CALLS = 20;
const ENOUGH_CALLS = 5;

/**
 * A circuit breaker. Failures count only when two users or more have them, or when there was no connection: one user's slow
 * calls say more about what this user does than about the peer.
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
