import { z } from 'zod';
import { CREDENTIAL_KINDS } from '../../domain/credential.ts';
import { AuditEventId } from '../../domain/ids.ts';
import { Instant } from '../../domain/instant.ts';

export const ACTOR_TYPES = ['user', 'service_account', 'system', 'support'] as const;

const Context = z.strictObject({
  request_id: z.string().nullable().describe('The `X-Request-Id` of the response'),
  client_request_id: z.string().nullable().describe('The `X-Request-Id` that the caller sent'),
  trace_id: z.string().nullable().describe('W3C trace id'),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  auth: z.enum(CREDENTIAL_KINDS).nullable().describe('What the caller authenticated with'),
  client_id: z.string().nullable().describe('The application that sent the request, as its token names it'),
  token_id: z
    .string()
    .nullable()
    .describe('SHA-256, in base64url, of the `jti` of the caller’s token, or of a token without one'),
});

/** An event as the API shows it. */
export const AuditEvent = z
  .strictObject({
    id: AuditEventId,
    action: z.string(),
    occurred_at: Instant,
    recorded_at: Instant.describe('When it was recorded: events of other services arrive later'),
    actor: z.strictObject({
      type: z.enum(ACTOR_TYPES),
      id: z.string(),
      name: z.string().nullable().describe('The current name, if it is known'),
      email: z.string().nullable(),
    }),
    targets: z.array(
      z.strictObject({
        type: z.string(),
        id: z.string(),
        name: z
          .string()
          .nullable()
          .describe('The name at the time of the event; if the event has none, the current name'),
      }),
    ),
    changes: z
      .record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() }))
      .nullable()
      .describe(
        'The old and the new value by field. A text of more than 512 bytes, or other JSON of more than 4096, is replaced by `{length, sha256, excerpt}`: its length in characters, the digest of its UTF-8 in hexadecimal, and its first 100 characters. If all changes together exceed 8 KiB, the longest have no `excerpt`.',
      ),
    context: Context,
    /** Additional details from a service; null for the API's own events */
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable(),
    truncated: z
      .array(z.enum(['changes', 'details']))
      .nullable()
      .describe(
        'In lists: fields that are left out because they are too long. `GET /audit-events/{event_id}` returns them',
      ),
  })
  .meta({ id: 'AuditEvent', description: 'What was changed, when and by whom.' });
export type AuditEvent = z.output<typeof AuditEvent>;
