import { setTimeout as wait } from 'node:timers/promises';
import { createPause } from '@legate/delegation';
import {
  createHealth,
  createLogger,
  createMetrics,
  type Health,
  openTracer,
  redisAccessGauge,
  type Tracer,
} from '@legate/service';
import { openOutbound } from './outbound.ts';
import type { Platform } from './platform.ts';
import type { PlatformSettings, StoreSettings } from './settings.ts';
import { openStore } from './store.ts';

/** The platform of a process, and what only the process itself uses of it. */
export interface OpenPlatform {
  readonly platform: Platform;
  readonly health: Health;
  /** undefined: no spans are created. */
  readonly tracer: Tracer | undefined;
  /** Closes store and connections, after all that uses them. */
  close(): Promise<void>;
}

/** Opens the platform of a process: logs, metrics, spans, connections to peers, and the store. */
export async function openPlatform(
  settings: PlatformSettings & StoreSettings & { readonly MEMORY_BUDGET_MB: number },
): Promise<OpenPlatform> {
  const clock = () => new Date();
  const log = createLogger({ service: 'tool-hub', level: settings.LOG_LEVEL });
  const metrics = createMetrics('tool-hub');
  const tracer = await openTracer('tool-hub', settings, { log });
  const { close: closeOutbound, ...outbound } = openOutbound(settings, { clock, metrics });
  const { checkAccess, close: closeStore, ...stored } = await openStore(settings, { clock, log });
  redisAccessGauge(metrics.registry, checkAccess);
  // The hub works without Redis (no cache) and reports peers that are down. But a Redis that refuses us does not recover
  // by itself, and a rollout with a wrong password must stop.
  const health = createHealth({
    checks: { redis_access: checkAccess },
    onFailure: (check, err) => log.warn({ check, err }, 'not ready'),
  });
  const pause = createPause({ random: Math.random, wait });
  return {
    platform: { publicUrl: settings.PUBLIC_URL, ...outbound, ...stored, clock, pause, log, metrics },
    health,
    tracer,
    async close() {
      closeStore();
      await closeOutbound();
      await tracer?.close();
    },
  };
}
