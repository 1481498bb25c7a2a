import { z } from 'zod';

/** Settings of audit events */
export const auditEnvironment = {
  AUDIT_LOG: z.stringbool().optional().meta({
    description:
      'Whether each audit event is written to the log. Unset: only if there is no `MANAGEMENT_API_URL`.',
    when: 'Operators who collect audit events from logs, for instance for a SIEM.',
  }),
  AUDIT_STREAM_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1_048_576)
    .max(17_179_869_184)
    .default(268_435_456)
    .meta({
      description:
        'Bytes of audit events that may wait in Redis for management-api, at about 1 KB per event. Three quarters are for executed calls, a quarter is for refusals.',
      when: 'Operators who plan for a long outage of management-api, or whose Redis has less memory.',
    }),
  AUDIT_REQUIRED: z.stringbool().default(false).meta({
    description: 'Whether a call is refused (503) if there is no space for its audit event.',
    when: 'Operators whose rules allow no call without an audit event.',
  }),
};

export type AuditSettings = Readonly<z.output<z.ZodObject<typeof auditEnvironment>>>;
