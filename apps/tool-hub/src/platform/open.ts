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

/** The platform of a process, and what only the process itself uses. */
export interface OpenPlatform {
  readonly platform: Platform;
  readonly health: Health;
  /** Undefined: no spans are created. */
  readonly tracer: Tracer | undefined;
  /** Closes the store and the connections. Call it after everything that uses them is closed. */
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
  // The hub works without Redis (without a cache) and reports servers that are down. But if Redis refuses the hub's
  // credentials it will not recover by itself, and a rollout with a wrong password must stop.
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
