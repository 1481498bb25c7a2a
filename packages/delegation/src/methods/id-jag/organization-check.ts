import type { OrganizationId } from '@legate/ids';

/** `required`: an ID-JAG must contain the user's organization. */
export type IdJagOrganization = 'required' | 'optional';

/** The operator's rule for the claim in which the identity provider names organizations */
export interface OrganizationRule {
  /** Undefined: no claim names it, because the provider is that of one organization. */
  readonly claim?: string | undefined;
  /** Returns true if a value of the claim, or of `tenant`, means this organization. */
  readonly isOf: (organizationId: OrganizationId, value: unknown) => boolean;
}

/** The rule of a provider whose claim has the id of the organization */
export const organizationIdIn = (claim: string): OrganizationRule => ({
  claim,
  isOf: (organizationId, value) => value === organizationId,
});

/** The organization that an ID-JAG may name */
export interface ExpectedOrganization {
  /** The user's organization here */
  readonly organizationId: OrganizationId;
  /** `tenant` of the user's ID token */
  readonly tenant: string | undefined;
  readonly rule: OrganizationRule;
  /** `optional` accepts an ID-JAG without an organization. */
  readonly idJagOrganization: IdJagOrganization;
}

/**
 * Checks each claim of an ID-JAG that names an organization. Tool servers separate the data of users by
 * `organization_id` and `tenant`, so one of these must be there if an organization is required; another claim of the
 * operator's rule does not suffice, because tool servers do not read it.
 * @returns what is wrong
 */
export function organizationFault(
  claims: Readonly<Record<string, unknown>>,
  { organizationId, tenant, rule, idJagOrganization }: ExpectedOrganization,
): string | undefined {
  const isOurs = (value: unknown) => value === organizationId;
  const isRight = (name: string, value: unknown): boolean => {
    if (name === rule.claim) return rule.isOf(organizationId, value);
    if (name !== 'tenant') return isOurs(value);
    return isOurs(value) || value === tenant || rule.isOf(organizationId, value);
  };
  const isNamedIn = (name: string) => claims[name] !== undefined && claims[name] !== null;
  for (const name of new Set([
    'organization_id',
    'tenant',
    ...(rule.claim === undefined ? [] : [rule.claim]),
  ]))
    if (isNamedIn(name) && !isRight(name, claims[name])) return `${name} is not the user's organization here`;
  return idJagOrganization === 'optional' || isNamedIn('organization_id') || isNamedIn('tenant')
    ? undefined
    : 'organization_id is not there';
}
