import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { AuditEventId } from '../domain/ids.ts';
import { Instant } from '../domain/instant.ts';
import { InstantFilter, TextFilter } from '../domain/text-filter.ts';

/** An event as it is shown. */
export const AuditEvent = z
  .strictObject({
    id: AuditEventId,
    action: z.string(),
    occurred_at: Instant,
    actor: z.strictObject({
      type: z.enum(['user', 'system', 'support']),
      id: z.string(),
      email: z.string().nullable(),
    }),
    targets: z.array(z.strictObject({ type: z.string(), id: z.string(), name: z.string().nullable() })),
    changes: z
      .record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() }))
      .nullable()
      .describe(
        'Field to what it was and what it is. A text of more than 512 bytes, or other JSON of more than 4096, is `{length, sha256, excerpt}` instead: its length in characters, the digest of its UTF-8 in hexadecimal, and its first 100 characters.',
      ),
    context: z.strictObject({
      request_id: z.string().nullable(),
      ip: z.string().nullable(),
      user_agent: z.string().nullable(),
    }),
    /** Additional details from a service; null for the API's own events */
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable(),
  })
  .meta({ id: 'AuditEvent', description: 'What was changed, when and by whom.' });
export type AuditEvent = z.output<typeof AuditEvent>;

export const ListAuditEvents = z.strictObject({
  ...pageParameters,
  sort: z.enum(['occurred_at', '-occurred_at']).default('-occurred_at'),
  action: TextFilter.optional(),
  actor_id: TextFilter.optional(),
  target_id: TextFilter.optional(),
  from: InstantFilter.optional(),
  to: InstantFilter.optional(),
});
export type ListAuditEvents = z.output<typeof ListAuditEvents>;
