import { z } from 'zod';
import { DisplayName } from '../api/display-name.ts';

export const OrganizationBody = z.strictObject({
  /** The identity provider's `organization_id` */
  id: z.string(),
  name: z.string(),
  plan: z.enum(['free', 'pro', 'custom']),
  /** What the rate limit headers count down from */
  requests_per_minute: z.number().int(),
  status: z.enum(['active', 'suspended']),
  /** ISO 8601, UTC, milliseconds */
  created_at: z.iso.datetime({ precision: 3 }),
  updated_at: z.iso.datetime({ precision: 3 }),
});
export type OrganizationBody = z.output<typeof OrganizationBody>;

/** A merge patch; the rest is read-only. */
export const UpdateOrganization = z.strictObject({ name: DisplayName.optional() });
export type UpdateOrganization = z.output<typeof UpdateOrganization>;

/** The name, so that nobody deletes another organization than the one meant. */
export const DeleteOrganization = z.strictObject({ confirm: DisplayName });
