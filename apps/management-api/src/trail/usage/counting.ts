import { Counter, repeat } from '@legate/service';
import type { Platform } from '../../platform/platform.ts';
import { createUsageCounter, type UsageCounter } from './counter.ts';
import { createUsageStore } from './store.ts';

/** Interval at which counts are saved: if a process dies, it loses at most the counts of one interval. */
const FLUSH_EVERY_MS = 5000;

/**
 * Counts requests, and saves the counts every few seconds.
 * @returns `stop` saves the remaining counts, if it can
 */
export function startUsageCounting({
  unsharedTenants: tenants,
  clock,
  log,
  metrics,
}: Pick<Platform, 'unsharedTenants' | 'clock' | 'log' | 'metrics'>): Pick<UsageCounter, 'count'> & {
  stop(): Promise<void>;
} {
  const lost = new Counter({
    name: 'usage_lost_requests_total',
    help: 'Requests missing from the usage, because too many counts waited for the database',
    registers: [metrics.registry],
  });
  const { count, flush } = createUsageCounter({
    store: createUsageStore(tenants),
    clock,
    onLost: (requests) => lost.inc(requests),
  });
  const onError = (err: unknown) => log.warn({ err }, 'usage could not be saved: it is kept and saved later');
  const repeating = repeat({ work: flush, pauseMs: FLUSH_EVERY_MS, onError });
  return {
    count,
    async stop() {
      await repeating.stop();
      await flush().catch((err: unknown) => log.error({ err }, 'usage of the last seconds is lost'));
    },
  };
}
