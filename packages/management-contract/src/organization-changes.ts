import { OrganizationId } from '@legate/ids';
import { z } from 'zod';

/**
 * Organizations whose document has changed. It is a hint, so that a change takes effect at once: the hub fetches the
 * documents again, and continues with its cached ones if that fails. Nothing is revoked.
 */
export const OrganizationChanges = z.strictObject({
  organization_ids: z.array(OrganizationId).min(1).max(100),
});
export type OrganizationChanges = z.output<typeof OrganizationChanges>;
