import { OrganizationId } from '@legate/ids';
import { z } from 'zod';

/**
 * Organizations whose document has changed. It is a hint, so that a change counts at once: the hub asks for the documents again,
 * and goes on with what it knows if it cannot. Nothing is revoked.
 */
export const OrganizationChanges = z.strictObject({
  organization_ids: z.array(OrganizationId).min(1).max(100),
});
export type OrganizationChanges = z.output<typeof OrganizationChanges>;
