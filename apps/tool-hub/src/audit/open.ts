import { AUDIT_EVENTS } from '@legate/management-contract';
import { Counter } from '@legate/service';
import type { ManagementApi } from '../platform/management-api.ts';
import type { Platform } from '../platform/platform.ts';
import { createCallTrail } from './call-trail.ts';
import { createDeliver, type OnRefused } from './deliver.ts';
import { DEFAULT_PACE } from './delivery-loop.ts';
import { createMemoryIndex, createRedisIndex, EXPLANATION_BOUND } from './explanation-index.ts';
import { createExplanations } from './explanations.ts';
import { createRefusedEvents } from './kept-events.ts';
import { createMemoryOutbox } from './memory-outbox.ts';
import { observeBacklog } from './observe-backlog.ts';
import { observeCalls } from './observe-calls.ts';
import { type DeliveryResult, laneBounds, type Outbox } from './outbox.ts';
import { createPostEvents } from './post-events.ts';
import type { AuditSettings } from './settings.ts';
import { createStreamOutbox } from './stream-outbox.ts';

/** Limits of the requests that send audit events to management-api */
export const AUDIT_INTAKE = {
  scope: AUDIT_EVENTS.scope,
  timeoutMs: 5000,
  maxResponseBytes: 1_048_576,
} as const;
/** Lifetime of the explanation of a refused call: people usually ask on the same day. */
const EXPLANATION_TTL_SECONDS = 86_400;
/** Maximum bytes of events that wait in this process, without Redis or while Redis cannot store them */
const QUEUE_MAX_BYTES = 33_554_432;
/** Guaranteed share of each organization in memory and in Redis, however many events others have (docs/adr/0044) */
const ORGANIZATION_SHARE_PERCENT = 10;
/** Time for delivering the last events, out of the five seconds that a service has to close its stores */
const CLOSE_MS = 3000;
/** Interval for checking whether a combined event is due */
const SUM_UP_MS = 5000;

/**
 * Opens the audit trail of a deployment. Events are sent to management-api, through Redis if configured; without
 * management-api they are written to the log.
 */
export function openAudit(
  platform: Platform,
  settings: AuditSettings,
  /** Undefined: events are only logged. */
  managementApi: ManagementApi | undefined,
) {
  const { redis, store, clock, log } = platform;
  const { registry: metrics } = platform.metrics;
  const events = new Counter({
    name: 'audit_events_total',
    help: 'Audit events by what happened to them: recorded, delivered to management-api, refused by it, deferred to memory, dropped, unreadable and set aside, or counted (a refusal that only increases the count of another event)',
    labelNames: ['event'],
    registers: [metrics],
  });
  const count = (event: DeliveryResult | 'recorded' | 'counted', by: number): void =>
    events.inc({ event }, by);
  for (const event of [
    'recorded',
    'counted',
    'delivered',
    'refused',
    'deferred',
    'dropped',
    'unreadable',
  ] as const)
    count(event, 0);
  const explanations = createExplanations({
    store,
    ttlSeconds: EXPLANATION_TTL_SECONDS,
    index: redis
      ? createRedisIndex(EXPLANATION_BOUND, { redis, ttlSeconds: EXPLANATION_TTL_SECONDS })
      : createMemoryIndex(EXPLANATION_BOUND),
    log,
  });
  const { outbox, closeClient } = openOutbox(platform, settings, { managementApi, count });
  observeBacklog(outbox, { metrics, clock });
  const trail = createCallTrail({
    outbox,
    explanations,
    clock,
    log,
    logEvents: settings.AUDIT_LOG ?? managementApi === undefined,
    isRequired: settings.AUDIT_REQUIRED,
    onRecorded: (by) => count('recorded', by),
    onEnded: observeCalls(metrics),
    onCounted: (by) => count('counted', by),
  });
  const summing = setInterval(() => trail.sumUp(), SUM_UP_MS);
  summing.unref();
  return {
    trail,
    explanations,
    async close(): Promise<void> {
      clearInterval(summing);
      trail.flush();
      trail.sumUp('all');
      await outbox.close(CLOSE_MS);
      await closeClient();
    },
  };
}

function openOutbox(
  { redis, encryptionKeys: keys, log }: Platform,
  settings: AuditSettings,
  deps: { managementApi: ManagementApi | undefined; count: (result: DeliveryResult, by: number) => void },
): { outbox: Outbox; closeClient: () => Promise<void> } {
  const { count } = deps;
  if (!deps.managementApi)
    return {
      outbox: {
        add: () => undefined,
        reserve: () => ({ release: () => undefined }),
        close: async () => undefined,
        backlog: async () => ({ events: 0, oldestMs: undefined, fills: [] }),
      },
      closeClient: async () => undefined,
    };

  const managementApi = deps.managementApi.open(AUDIT_INTAKE);
  const refusedEvents = redis && createRefusedEvents({ redis, keys });
  const onRefused: OnRefused = (event, faults) => {
    count('refused', 1);
    // The event's text is not logged: it may have been refused because of its contents.
    log.error({ event_id: /"id":"(evt_\w{26})"/.exec(event)?.[1], faults }, 'audit event refused');
    refusedEvents?.keep(event).catch(() => undefined); // the refusal has already been counted and reported
  };
  const common = {
    deliver: createDeliver({
      post: createPostEvents(managementApi),
      onDelivered: (by) => count('delivered', by),
      onRefused,
    }),
    pace: DEFAULT_PACE,
    onResult: count,
    log,
  };
  const boundsOf = (maxBytes: number) => laneBounds({ maxBytes, sharePercent: ORGANIZATION_SHARE_PERCENT });
  const memory = createMemoryOutbox({ ...common, bounds: boundsOf(QUEUE_MAX_BYTES) });
  const outbox = redis
    ? createStreamOutbox({
        ...common,
        redis,
        keys,
        fallback: memory,
        bounds: boundsOf(settings.AUDIT_STREAM_MAX_BYTES),
      })
    : memory;
  return { outbox, closeClient: managementApi.close };
}
