import { claimOf, type OrganizationRule, organizationOf } from '@legate/identity-providers';
import type { OrganizationId } from '@legate/ids';

/** `required`: an ID-JAG must contain the user's organization. */
export type IdJagOrganization = 'required' | 'optional';

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
  const claim = claimOf(rule);
  const isRight = (name: string, value: unknown): boolean => {
    if (name === 'organization_id' && typeof value !== 'string') return false; // tool servers read a string
    if (name === claim) return organizationIn(rule, value) === organizationId;
    if (name !== 'tenant') return isOurs(value);
    if (tenant !== undefined) return value === tenant || isOurs(value);
    return isOurs(value) || organizationIn(rule, value) === organizationId;
  };
  const isNamedIn = (name: string) => claims[name] !== undefined && claims[name] !== null;
  for (const name of new Set(['organization_id', 'tenant', ...(claim === undefined ? [] : [claim])]))
    if (isNamedIn(name) && !isRight(name, claims[name])) return `${name} is not the user's organization here`;
  return idJagOrganization === 'optional' || isNamedIn('organization_id') || isNamedIn('tenant')
    ? undefined
    : 'organization_id is not there';
}

/** @returns undefined for a value that names no organization, or several */
function organizationIn(rule: OrganizationRule, value: unknown): OrganizationId | undefined {
  if ('fixed' in rule) return rule.fixed;
  try {
    return organizationOf(rule, { [rule.claim]: value });
  } catch {
    return undefined;
  }
}
