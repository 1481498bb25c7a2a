import { Gauge, type Registry } from '@legate/service';
import type { Outbox } from './outbox.ts';

/** Number, age and size of the events that wait for management-api; read when Prometheus scrapes. */
export function observeBacklog(
  outbox: Pick<Outbox, 'backlog'>,
  deps: { metrics: Registry; clock: () => Date },
): void {
  new Gauge({
    name: 'audit_outbox_events',
    help: 'Audit events that wait for delivery; every process reports those of a shared stream',
    registers: [deps.metrics],
    async collect() {
      this.set((await outbox.backlog()).events);
    },
  });
  new Gauge({
    name: 'audit_outbox_oldest_seconds',
    help: 'Age of the oldest audit event that waits for delivery; 0 when none does',
    registers: [deps.metrics],
    async collect() {
      const { oldestMs } = await outbox.backlog();
      this.set(oldestMs === undefined ? 0 : Math.max(0, (deps.clock().getTime() - oldestMs) / 1000));
    },
  });
  new Gauge({
    name: 'audit_outbox_bytes',
    help: 'Bytes of the audit events that wait, by place (redis, memory) and kind (done, refusals); every process reports those in Redis',
    labelNames: ['place', 'kind'],
    registers: [deps.metrics],
    async collect() {
      for (const { place, lane, bytes } of (await outbox.backlog()).fills)
        this.set({ place, kind: lane }, bytes);
    },
  });
  new Gauge({
    name: 'audit_outbox_fill_ratio',
    help: 'The same bytes as a fraction of what may wait there: 1 is full, and an organization above its share is refused earlier',
    labelNames: ['place', 'kind'],
    registers: [deps.metrics],
    async collect() {
      for (const { place, lane, bytes, maxBytes } of (await outbox.backlog()).fills)
        this.set({ place, kind: lane }, bytes / maxBytes);
    },
  });
}
