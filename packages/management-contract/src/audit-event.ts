import { OrganizationId } from '@legate/ids';
import { decodeTime } from 'ulid';
import { z } from 'zod';
import { eventText } from './event-text.ts';

/** `evt_` and a ULID */
export const EVENT_ID = /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

const MAX_FUTURE_MS = 5 * 60 * 1000;
const MAX_AGE_MS = 30 * 24 * 3600 * 1000;

/** Types of objects that an event can be about */
export const EventTargetType = z.enum(['agent', 'connector', 'tool', 'prompt', 'resource', 'organization']);

/**
 * An audit event that a service reports. The ULID in its `id` contains the millisecond at which it occurred, so an
 * event that is sent again has the same time and is recognised, although the table is partitioned by time.
 * @param now events that occurred later, or more than 30 days earlier, are refused
 */
export const auditEvent = (now: Date) =>
  z
    .strictObject({
      id: z.string().regex(EVENT_ID),
      organization_id: OrganizationId,
      /** Actions that services report. The management API records its own changes itself. */
      action: z.string().regex(/^(?:tool|prompt|resource|delegation|session|token|consent)\.[a-z_]{1,64}$/),
      /** ISO 8601, UTC, milliseconds */
      occurred_at: z.iso.datetime({ precision: 3 }),
      actor: z.strictObject({
        type: z.enum(['user', 'system']),
        id: eventText(255),
        email: eventText(320).nullable().default(null),
      }),
      targets: z
        .array(
          z.strictObject({
            type: EventTargetType,
            id: eventText(255),
            name: eventText(255).nullable().default(null),
          }),
        )
        .max(10)
        .default([]),
      request_id: eventText(64).nullable().default(null),
      details: z
        .record(
          z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
          z.union([eventText(500), z.number(), z.boolean(), z.null()]),
        )
        .refine((details) => Object.keys(details).length <= 40, { error: 'has more than 40 members' })
        .default({}),
    })
    .superRefine((event, context) => {
      const atMs = Date.parse(event.occurred_at);
      // Also runs if the id is malformed, which is a separate issue.
      if (EVENT_ID.test(event.id) && decodeTime(event.id.slice('evt_'.length)) !== atMs)
        context.addIssue({
          code: 'custom',
          path: ['id'],
          message: 'is not of the time at which it occurred',
        });
      if (atMs > now.getTime() + MAX_FUTURE_MS || atMs < now.getTime() - MAX_AGE_MS)
        context.addIssue({ code: 'custom', path: ['occurred_at'], message: 'is in the future, or too old' });
    });
export type AuditEvent = z.output<ReturnType<typeof auditEvent>>;

/**
 * Events, possibly of several organizations. Each is parsed separately, so that a refused event does not block the
 * others.
 */
export const EventBatch = z.strictObject({ events: z.array(z.unknown()).min(1).max(500) });

/** Maximum size of a batch in bytes */
export const MAX_BATCH_BYTES = 1_048_576;

/** The result of a batch. The same batch may be sent again. */
export const Intake = z.object({
  /** Number of newly recorded events */
  accepted: z.number().int().nonnegative(),
  /** Number of events that were recorded before, or that occur twice in the batch */
  known: z.number().int().nonnegative(),
  refused: z.array(
    z.object({
      /** Index in the batch */
      index: z.number().int().nonnegative(),
      errors: z.array(z.object({ pointer: z.string().optional(), code: z.string(), detail: z.string() })),
    }),
  ),
});
export type Intake = z.output<typeof Intake>;
