import { OrganizationId } from '@legate/ids';
import { type RegisteredClaims, type TokenProfile, TokenRefused } from '@legate/jwt';
import { z } from 'zod';
import type { OrganizationRule } from './organization-rule.ts';

type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns the organization of a token. Exactly one must follow from the rule, because it decides whose data the bearer
 * reaches.
 * @returns undefined if the token names none: its claim is absent or empty, or has no value of the rule's map
 * @throws {TokenRefused} `organization_ambiguous` for several, `claims` for a value that is no organization's id
 */
export function organizationOf(rule: OrganizationRule, claims: Claims): OrganizationId | undefined {
  if ('fixed' in rule) return rule.fixed;
  const { claim, map } = rule;
  const values = valuesOf(claim, Object.hasOwn(claims, claim) ? claims[claim] : undefined);
  const named = map === undefined ? values : values.map((value) => map.get(value));
  const [first, ...others] = new Set(named.filter((value) => value !== undefined));
  if (others.length > 0) throw new TokenRefused('organization_ambiguous', { detail: claim });
  if (first === undefined) return undefined;
  const { success, data } = OrganizationId.safeParse(first);
  if (!success) throw new TokenRefused('claims', { detail: claim });
  return data;
}

/**
 * Returns the claim of the rule if a token without an organization has it, with values that the rule's map lacks: the
 * map is then incomplete, or the user belongs to no organization of this installation.
 */
export function unmappedClaim(rule: OrganizationRule, claims: Claims): string | undefined {
  if ('fixed' in rule || rule.map === undefined) return undefined;
  const { claim, map } = rule;
  const values = valuesOf(claim, Object.hasOwn(claims, claim) ? claims[claim] : undefined);
  return values.length > 0 && !values.some((value) => map.has(value)) ? claim : undefined;
}

/**
 * Returns the values of a claim: a text, a list of texts, or an object that describes each organization under its name.
 * Another object, such as `{"id": "org_acme"}`, is refused: its members are no organizations, and everybody would share
 * them.
 */
function valuesOf(claim: string, value: unknown): readonly string[] {
  if (value === undefined || value === null || value === '') return [];
  if (typeof value === 'string') return [value];
  const isList = Array.isArray(value);
  if (!isList && !(isRecord(value) && Object.values(value).every(isRecord)))
    throw new TokenRefused('claims', { detail: claim });
  const values: readonly unknown[] = isList ? value : Object.keys(value);
  const named = values.filter((each) => each !== null && each !== '');
  if (!named.every((each) => typeof each === 'string')) throw new TokenRefused('claims', { detail: claim });
  return named;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns a profile in which `organization_id` is the organization by the rule. If the rule reads another claim, the
 * token's own `organization_id` is ignored, so that there is one source.
 */
export const withOrganization = <Known extends RegisteredClaims>(
  profile: TokenProfile<Known>,
  rule: OrganizationRule,
): TokenProfile<Known> => ({
  ...profile,
  claims: z.preprocess(
    (claims: Claims) => ({ ...claims, organization_id: organizationOf(rule, claims) }),
    profile.claims,
  ),
});
