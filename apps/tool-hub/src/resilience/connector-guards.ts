import { Counter, Gauge, type Logger, type Metrics } from '@legate/service';
import { LRUCache } from 'lru-cache';
import type { Connector } from '../domain/connector.ts';
import { type BreakerState, createGuard, type Guard, type GuardLimits } from './guard.ts';

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
      const guard = createGuard(limits, clock, (state) => {
        const series = `${organizationId}:${id}:${leg}`;
        states.set(labels, STATES[state]);
        if (state === 'open') opened.set(series, { labels, untilMs: now() + limits.openSeconds * 1000 });
        else opened.delete(series);
        log.warn({ ...labels, state }, 'circuit breaker');
      });
      return {
        run: (user, send, judge, onRefused) =>
          guard.run(user, send, judge, (refused) => {
            refusals.inc({ leg, why: refused.why });
            return onRefused(refused);
          }),
      };
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
