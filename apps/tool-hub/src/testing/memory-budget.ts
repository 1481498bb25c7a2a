import { createMemoryBudget, createMetrics, type MemoryBudget } from '@legate/service';

/** A budget as the hub has it by default. */
export const testBudget = (metrics = createMetrics('tool-hub')): MemoryBudget =>
  createMemoryBudget({
    limitBytes: 268_435_456,
    organizationPercent: 25,
    userPercent: 10,
    metrics: metrics.registry,
  });
