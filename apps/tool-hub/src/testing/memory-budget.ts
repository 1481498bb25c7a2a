import { createMemoryBudget, createMetrics, type MemoryBudget } from '@legate/service';

/** Creates a memory budget with the hub's defaults. */
export const testBudget = (metrics = createMetrics('tool-hub')): MemoryBudget =>
  createMemoryBudget({
    limitBytes: 268_435_456,
    organizationPercent: 25,
    userPercent: 10,
    metrics: metrics.registry,
  });
