import { UserId } from '@legate/ids';
import { z } from 'zod';
import { MemberId } from '../domain/ids.ts';
import { Instant } from '../domain/instant.ts';
import { TextFilter } from '../domain/text-filter.ts';
import { byAge } from '../storage/by-age.ts';

const Role = z.enum(['owner', 'admin', 'developer', 'viewer']);

export const Member = z
  .strictObject({
    id: MemberId,
    user_id: UserId.describe("The identity provider's `sub`"),
    email: z.string().nullable(),
    name: z.string().nullable(),
    role: Role,
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Member', description: 'A user of the organization.' });
export type Member = z.output<typeof Member>;

/** A merge patch; the rest is read-only. */
export const UpdateMember = z.strictObject({ role: Role.optional() });
export type UpdateMember = z.output<typeof UpdateMember>;

export const ListMembers = z.strictObject({
  ...byAge,
  role: Role.optional(),
  search: TextFilter.optional().describe('Part of the name or e-mail address, in any case'),
});
export type ListMembers = z.output<typeof ListMembers>;
