import { UserId } from '@legate/ids';
import { z } from 'zod';
import { MemberId } from '../../domain/ids.ts';
import { Instant } from '../../domain/instant.ts';
import { Reason } from '../../domain/reason.ts';
import { ROLES } from '../../domain/rights.ts';
import { TextFilter } from '../../domain/text-filter.ts';
import { byAge } from '../../storage/by-age.ts';

const Role = z.enum(ROLES);
const STATUSES = ['active', 'deactivated', 'denied', 'removed'] as const;
const Source = z.enum(['onboarding', 'identity_provider', 'invitation', 'scim', 'operator', 'denial']);
const OF_ADMINS = '`null` for callers who are neither owner nor admin, except for their own entry';

export const Member = z
  .strictObject({
    id: MemberId,
    user_id: UserId.describe("The identity provider's `sub`"),
    email: z.string().nullable().describe(OF_ADMINS),
    email_verified: z.boolean().nullable().describe(OF_ADMINS),
    name: z.string().nullable(),
    role: Role,
    status: z
      .enum(STATUSES)
      .describe('Unless it is `active`, the member has no access, whatever tokens they have'),
    source: Source,
    external_id: z.string().nullable().describe(OF_ADMINS),
    invited_by: z.string().nullable().describe(OF_ADMINS),
    last_seen_at: Instant.nullable().describe(`Precise to the hour. ${OF_ADMINS}`),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Member', description: 'A user of the organization.' });
export type Member = z.output<typeof Member>;
export type MemberStatus = Member['status'];

/** A merge patch of a member; all other fields are read-only. */
export const UpdateMember = z.strictObject({ role: Role.optional() });
export type UpdateMember = z.output<typeof UpdateMember>;

export const ListMembers = z.strictObject({
  ...byAge,
  sort: z.enum(['created_at', '-created_at', 'last_seen_at', '-last_seen_at']).default('created_at'),
  status: z.enum([...STATUSES, 'any']).default('active'),
  source: Source.optional(),
  role: Role.optional(),
  search: TextFilter.optional().describe(
    'Part of the name or e-mail address, case-insensitive. Callers who are neither owner nor admin search names only',
  ),
});
export type ListMembers = z.output<typeof ListMembers>;

export const EndMembership = z.strictObject({ reason: Reason.optional() });
export const ReinstateMember = z.strictObject({ role: Role.optional() });
export const DenyUser = z.strictObject({ user_id: UserId, reason: Reason.optional() });
