import { z } from 'zod';

export const purgeEnvironment = {
  AUDIT_RETENTION_MONTHS: z.coerce.number().int().min(1).max(1200).optional().meta({
    description: 'Months of the audit trail that are kept, in addition to the current one. Unset: all.',
    when: 'Operators whose rules bound how long an audit trail is kept.',
    example: '12',
  }),
};

export type PurgeSettings = Readonly<z.output<z.ZodObject<typeof purgeEnvironment>>>;
