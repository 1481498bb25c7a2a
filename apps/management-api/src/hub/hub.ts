import { setTimeout as delay } from 'node:timers/promises';
import { REVOCATIONS } from '@legate/management-contract';
import { Counter, Histogram, repeat } from '@legate/service';
import { createWorkloadFetch, createWorkloadTokens } from '@legate/workload';
import type { FollowUp } from '../changes/change.ts';
import type { Platform } from '../platform/platform.ts';
import { createDelivery } from './delivery.ts';
import { createRevocationFollowUp } from './follow-up.ts';
import { createNotifyChanges } from './notify-changes.ts';
import { createNotifyHub, type NotifyHub } from './notify-hub.ts';
import { createOutbox } from './outbox.ts';
import type { HubSettings } from './settings.ts';

/** The operations of the tool hub that this service uses. */
export interface Hub {
  readonly notify: NotifyHub;
  readonly followUp: FollowUp;
}

/** Retry interval for failed deliveries. */
const PAUSE_MS = 2000;

/** Connects to the hub, and begins to deliver pending revocations. */
export function startHub(
  { unsharedTenants: tenants, http: { fetch }, clock, log, metrics: { registry } }: Platform,
  settings: HubSettings,
): Hub & { stop(): Promise<void> } {
  const { identity, resource } = settings;
  const tokens = createWorkloadTokens({ identity, resource, scope: REVOCATIONS.scope, fetch, clock });
  const fetchAsService = createWorkloadFetch({ tokens, fetch });
  const notify = createNotifyHub({ hubUrl: settings.url, fetchAsService });
  const notifyChanges = createNotifyChanges({ hubUrl: settings.url, fetchAsService, pause: delay, log });
  const events = new Counter({
    name: 'revocations_total',
    help: 'Revocations to be delivered to the tool hub, by event',
    labelNames: ['event'],
    registers: [registry],
  });
  for (const event of ['delivered', 'failed', 'given_up']) events.inc({ event }, 0);
  const durations = new Histogram({
    name: 'revocation_seconds',
    help: 'Time from a change until the tool hub has confirmed the revocation that follows from it',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300],
    registers: [registry],
  });
  const outbox = createOutbox({ tenants, clock });
  const delivery = createDelivery({
    outbox,
    notifyHub: notify,
    clock,
    log,
    onEvent: (event) => events.inc({ event }),
    onDelivered: (seconds) => durations.observe(seconds),
  });
  const job = repeat({
    work: delivery.run,
    pauseMs: PAUSE_MS,
    onError: (err) => log.warn({ err }, 'revocation: delivery was postponed'),
  });
  return {
    notify,
    followUp: both(createRevocationFollowUp({ outbox, delivery }), notifyChanges.followUp),
    async stop() {
      await job.stop();
      await Promise.all([delivery.idle(), notifyChanges.idle()]);
    },
  };
}

const both =
  (first: FollowUp, second: FollowUp): FollowUp =>
  async (...event) => {
    const left = [await first(...event), await second(...event)];
    return async () => {
      const confirmed = await Promise.all(left.map((then) => then?.()));
      return !confirmed.includes(false);
    };
  };
