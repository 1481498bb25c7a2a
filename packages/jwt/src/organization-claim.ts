import { OrganizationId } from '@legate/ids';
import { z } from 'zod';
import { TokenRefused } from './errors.ts';
import { strictIfThere } from './optional-members.ts';
import type { VerifyToken } from './verifier.ts';

/** The permitted names for a configured claim */
export const organizationClaimName = z
  .string()
  .regex(/^[\w.:/-]{1,200}$/, { error: 'must be the name of a claim' });

/**
 * Reads the organization from the claim that the provider uses for it. If that is not `organization_id`, then
 * `organization_id` is ignored, so that there is one source (docs/adr/0021).
 * @throws {TokenRefused} if the claim is not an identifier
 */
export function organizationFrom<Claims extends { organization_id?: string | undefined }>(
  claim: string,
  verify: VerifyToken<Claims>,
): VerifyToken<Claims> {
  if (claim === 'organization_id') return verify;
  return async (token) => {
    const { claims, acceptedUntil } = await verify(token);
    const all: Readonly<Record<string, unknown>> = claims;
    const named = strictIfThere(OrganizationId).safeParse(all[claim]);
    if (!named.success) throw new TokenRefused('claims', { detail: claim });
    return { claims: { ...claims, organization_id: named.data }, acceptedUntil };
  };
}
