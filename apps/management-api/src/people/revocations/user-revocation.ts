import { UserId } from '@legate/ids';
import { z } from 'zod';
import { MemberId } from '../../domain/ids.ts';
import { Instant } from '../../domain/instant.ts';
import { Reason } from '../../domain/reason.ts';

export const UserRevocation = z
  .strictObject({
    id: z.string(),
    user_id: UserId,
    status: z
      .enum(['delivered', 'pending', 'not_served'])
      .describe(
        '`not_served`: the tool hub serves no user whose `sub` has a colon, so there was nothing to end',
      ),
    attempts: z.number().int().describe('Number of failed deliveries to the hub'),
    confirmed_at: Instant.nullable().describe(
      'When the hub confirmed. `null` if the request did not wait for that, since the time is not stored',
    ),
  })
  .meta({ id: 'Revocation', description: 'A revocation of everything that a user had at the tool hub.' });

export type UserRevocation = z.output<typeof UserRevocation>;

export const RevokeUser = z
  .strictObject({
    user_id: UserId.optional(),
    member_id: MemberId.optional(),
    reason: Reason.optional(),
  })
  .refine(({ user_id, member_id }) => (user_id === undefined) !== (member_id === undefined), {
    error: 'Send either user_id or member_id.',
  });
export type RevokeUser = z.output<typeof RevokeUser>;
