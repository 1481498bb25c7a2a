import { type IdJagClaims, OrganizationId } from '@legate/jwt';
import { OAuthError } from '@legate/oauth';

/**
 * Returns the organizations of the issuers that have one, by issuer.
 * @throws {Error} for an organization that is not an id, such as a variable that is not set: the issuer would be trusted
 * for every organization
 */
export function organizationsOf(
  trustedIssuers: readonly { readonly issuer: string; readonly organization?: string }[],
): ReadonlyMap<string, OrganizationId> {
  const organizations = new Map<string, OrganizationId>();
  for (const trusted of trustedIssuers) {
    if (!('organization' in trusted)) continue;
    const { success, data } = OrganizationId.safeParse(trusted.organization);
    if (!success) throw new Error(`the organization of the trusted issuer ${trusted.issuer} is not an id`);
    organizations.set(trusted.issuer, data);
  }
  return organizations;
}

/**
 * Returns the organization of an assertion: that of its issuer, or otherwise that of the claim.
 * @throws {OAuthError} `invalid_grant` if the claim names another than that of the issuer
 */
export function organizationOf(
  { iss, organization_id: claimed }: Pick<IdJagClaims, 'iss' | 'organization_id'>,
  organizations: ReadonlyMap<string, OrganizationId>,
): OrganizationId | undefined {
  const only = organizations.get(iss);
  if (only !== undefined && claimed !== undefined && claimed !== only)
    throw new OAuthError('invalid_grant', 'assertion: organization_id');
  return only ?? claimed;
}
