import { z } from 'zod';
import { eventFilters } from './list-query.ts';

export const EXPORT_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

export const ExportAuditEvents = z.strictObject({
  ...eventFilters,
  format: z
    .enum(['ndjson', 'csv'])
    .describe(
      '`ndjson`: one event per line, and a last line with `end`. `csv`: with a header line, and nothing that shows whether it is complete',
    ),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .describe('`resume` of an earlier export with the same filters: continues after its last event'),
});
export type ExportAuditEvents = z.output<typeof ExportAuditEvents>;
