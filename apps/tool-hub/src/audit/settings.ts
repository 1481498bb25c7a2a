import { z } from 'zod';

/** What happens to audit events */
export const auditEnvironment = {
  AUDIT_LOG: z.stringbool().optional().meta({
    description: 'Writes each audit event to the log. Unset: where there is no management-api to tell.',
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
        'Audit events that may wait in Redis for management-api, in bytes; about 1 KB each. Three quarters are for calls that were carried out, a quarter for refusals.',
      when: 'Operators who plan for a long outage of management-api, or whose Redis has less memory.',
    }),
  AUDIT_REQUIRED: z.stringbool().default(false).meta({
    description: 'Refuses a call (503) when there is no room for its audit event.',
    when: 'Operators whose rules allow no call without an audit event.',
  }),
};
