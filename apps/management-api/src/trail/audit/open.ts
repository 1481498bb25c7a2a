import type { PlanCount } from '../../callers/limits/plan-count.ts';
import type { Operation } from '../../http/api/operation.ts';
import type { Platform } from '../../platform/platform.ts';
import { createTrailExport } from './export.ts';
import { exportOperation } from './export-routes.ts';
import { auditOperations } from './routes.ts';
import { createAuditTrail } from './trail.ts';

/** @param plan counts the export as several requests */
export function openAudit(
  { tenants: primary, reader, clock }: Platform,
  plan: PlanCount,
): { readonly operations: Operation[] } {
  return {
    operations: [
      exportOperation({ exportTrail: createTrailExport({ reader, primary, clock }), plan }),
      ...auditOperations(createAuditTrail({ reader, primary, clock })),
    ],
  };
}
