import { z } from 'zod';
import { EmailAddress } from '../../domain/email-address.ts';
import { InvitationId } from '../../domain/ids.ts';
import { Instant } from '../../domain/instant.ts';
import { ROLES } from '../../domain/rights.ts';
import { byAge } from '../../storage/by-age.ts';

const STATES = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const;
const Role = z.enum(ROLES);

export const Invitation = z
  .strictObject({
    id: InvitationId,
    email: z
      .string()
      .describe('In lower case, its domain in ASCII. Only an account with this address can accept'),
    role: Role,
    state: z
      .enum(STATES)
      .describe(
        'Also `revoked` while the inviter may no longer grant the role, for example after their removal',
      ),
    expires_at: Instant,
    invited_by: z
      .strictObject({
        type: z.enum(['user', 'service_account']),
        id: z.string(),
        name: z.string().nullable().describe('As it is now'),
      })
      .describe('The member who last sent the invitation'),
    accept_url: z
      .string()
      .nullable()
      .describe('Only in the response that creates the link, and `null` in a replay: the link is not stored'),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Invitation', description: 'A link with which a person becomes a member.' });
export type Invitation = z.output<typeof Invitation>;
export type InvitationState = Invitation['state'];

export const DEFAULT_DAYS = 7;
const MAX_DAYS = 30;

export const CreateInvitation = z.strictObject({
  email: EmailAddress,
  role: Role,
  expires_in_days: z.int().min(1).max(MAX_DAYS).default(DEFAULT_DAYS),
});
export type CreateInvitation = z.output<typeof CreateInvitation>;

export const ListInvitations = z.strictObject({
  ...byAge,
  state: z.enum(STATES).optional(),
  email: EmailAddress.optional().describe('The complete e-mail address'),
});
export type ListInvitations = z.output<typeof ListInvitations>;
