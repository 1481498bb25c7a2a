import type { MeasureLeg } from '@legate/delegation';
import { Histogram, inSpan, type Metrics } from '@legate/service';

export function createMeasureLeg(metrics: Metrics): MeasureLeg {
  const durations = new Histogram({
    name: 'delegation_leg_duration_seconds',
    help: 'Duration of the requests of a new delegation, in seconds, by leg and outcome',
    labelNames: ['leg', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics.registry],
  });
  return (leg, work) =>
    inSpan(leg, 'internal', {}, async (span) => {
      const startedAt = performance.now();
      const result = await work();
      const { outcome } = result;
      durations.observe({ leg, outcome }, (performance.now() - startedAt) / 1000);
      span?.set({ 'legate.outcome': outcome });
      return result;
    });
}
