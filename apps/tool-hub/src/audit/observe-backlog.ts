import { Gauge, type Registry } from '@legate/service';
import type { Outbox } from './outbox.ts';

/** Exports the number, age and size of the events that wait for management-api, read when Prometheus scrapes. */
export function observeBacklog(
  outbox: Pick<Outbox, 'backlog'>,
  deps: { metrics: Registry; clock: () => Date },
): void {
  new Gauge({
    name: 'audit_outbox_events',
    help: 'Audit events that wait for delivery; processes that share a stream report the same number',
    registers: [deps.metrics],
    async collect() {
      this.set((await outbox.backlog()).events);
    },
  });
  new Gauge({
    name: 'audit_outbox_oldest_seconds',
    help: 'Age in seconds of the oldest audit event that waits for delivery; 0 if none waits',
    registers: [deps.metrics],
    async collect() {
      const { oldestMs } = await outbox.backlog();
      this.set(oldestMs === undefined ? 0 : Math.max(0, (deps.clock().getTime() - oldestMs) / 1000));
    },
  });
  new Gauge({
    name: 'audit_outbox_bytes',
    help: 'Bytes of audit events that wait for delivery, by place (redis, memory) and kind (done, refusals); every process reports those in Redis',
    labelNames: ['place', 'kind'],
    registers: [deps.metrics],
    async collect() {
      for (const { place, lane, bytes } of (await outbox.backlog()).fills)
        this.set({ place, kind: lane }, bytes);
    },
  });
  new Gauge({
    name: 'audit_outbox_fill_ratio',
    help: 'Bytes of audit events that wait for delivery, as a fraction of the limit; at 1 there is no space, and an organization above its share is refused earlier',
    labelNames: ['place', 'kind'],
    registers: [deps.metrics],
    async collect() {
      for (const { place, lane, bytes, maxBytes } of (await outbox.backlog()).fills)
        this.set({ place, kind: lane }, bytes / maxBytes);
    },
  });
}
