import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { TextFilter } from '../api/text-filter.ts';

const Role = z.enum(['owner', 'admin', 'developer', 'viewer']);

export const Member = z.strictObject({
  id: z.string(),
  /** The identity provider's `sub` */
  user_id: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  role: Role,
  /** ISO 8601, UTC, milliseconds */
  created_at: z.iso.datetime({ precision: 3 }),
  updated_at: z.iso.datetime({ precision: 3 }),
});
export type Member = z.output<typeof Member>;

/** A merge patch; the rest is read-only. */
export const UpdateMember = z.strictObject({ role: Role.optional() });
export type UpdateMember = z.output<typeof UpdateMember>;

export const ListMembers = z.strictObject({
  ...pageParameters,
  role: Role.optional(),
  /** Part of the name or e-mail address, in any case */
  search: TextFilter.optional(),
});
export type ListMembers = z.output<typeof ListMembers>;
