import { OrganizationId } from '@legate/ids';
import { decodeTime } from 'ulid';
import { z } from 'zod';

/**
 * What begins like a JWT, which is `eyJ` and in no other case, or like a header that carries one. A hub takes out as much
 * before (its `audit/audit-event.ts`): an event that is refused is one that nobody finds in the trail.
 */
const JWT = /eyJ[A-Za-z0-9_-]{4,}\./;
const CREDENTIAL = /\b(?:bearer|basic|dpop)\s+[A-Za-z0-9._~+/=-]{8,}/i;

/** Stored as it is, and shown: nothing in it may be a control character or half a character, and nothing a token. */
const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)
    .refine((value) => !JWT.test(value) && !CREDENTIAL.test(value), {
      error: 'looks like a token',
      params: { code: 'token_refused' },
    });

const EVENT_ID = /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const MAX_FUTURE_MS = 5 * 60 * 1000;
const MAX_AGE_MS = 30 * 24 * 3600 * 1000;

/**
 * An event that a service tells of. `id` is `evt_` and a ULID of the time at which it occurred: so an id that comes again
 * comes with its time, and is found to be known although the table is in parts by time.
 */
export const serviceEvent = (now: Date) =>
  z
    .strictObject({
      id: z.string().regex(EVENT_ID),
      organization_id: OrganizationId,
      /** Of what services do; what the API does is told by the API alone. */
      action: z.string().regex(/^(?:tool|prompt|resource|delegation|session|token|consent)\.[a-z_]{1,64}$/),
      occurred_at: z.iso.datetime({ precision: 3 }),
      actor: z.strictObject({
        type: z.enum(['user', 'system']),
        id: text(255),
        email: text(320).nullable().default(null),
      }),
      targets: z
        .array(
          z.strictObject({
            type: z.enum(['agent', 'connector', 'tool', 'prompt', 'resource', 'organization']),
            id: text(255),
            name: text(255).nullable().default(null),
          }),
        )
        .max(10)
        .default([]),
      request_id: text(64).nullable().default(null),
      details: z
        .record(
          z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
          z.union([text(500), z.number(), z.boolean(), z.null()]),
        )
        .refine((details) => Object.keys(details).length <= 40, { error: 'has more than 40 members' })
        .default({}),
    })
    .superRefine((event, context) => {
      const atMs = Date.parse(event.occurred_at);
      // Asked also of an event whose id is none, of which that is then told already
      if (EVENT_ID.test(event.id) && decodeTime(event.id.slice('evt_'.length)) !== atMs)
        context.addIssue({
          code: 'custom',
          path: ['id'],
          message: 'is not of the time at which it occurred',
        });
      if (atMs > now.getTime() + MAX_FUTURE_MS || atMs < now.getTime() - MAX_AGE_MS)
        context.addIssue({ code: 'custom', path: ['occurred_at'], message: 'is in the future, or too old' });
    });
export type ServiceEvent = z.output<ReturnType<typeof serviceEvent>>;
