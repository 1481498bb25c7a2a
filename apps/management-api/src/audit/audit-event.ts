import { isDeepStrictEqual } from 'node:util';
import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { InstantFilter, TextFilter } from '../api/text-filter.ts';

/** Field → what it was and what it is; null for what was not there. A secret is `[redacted]` on both sides. */
export type FieldChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

export interface Target {
  readonly type: 'site' | 'organization' | 'member' | 'agent' | 'connector' | 'domain';
  readonly id: string;
  readonly name: string | null;
}

export interface NewAuditEvent {
  /** Thing and what happened to it, such as `site.updated`; part of the API */
  readonly action: string;
  readonly targets: readonly Target[];
  readonly changes?: FieldChanges;
}

/** The fields of `after` that differ from `before`; of a new thing all, where `before` is empty. */
export function changesBetween<Thing extends object>(
  before: Partial<Thing>,
  after: Thing,
  fields: readonly (keyof Thing & string)[],
): FieldChanges {
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(
    changed.map((field) => [field, { from: before[field] ?? null, to: after[field] }]),
  );
}

/** An event as it is shown. */
export const AuditEvent = z
  .strictObject({
    id: z.string(),
    action: z.string(),
    /** ISO 8601, UTC, milliseconds */
    occurred_at: z.iso.datetime({ precision: 3 }),
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
    /** What a service told besides; null for what the API did itself */
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
