import { OrganizationId } from '@legate/ids';
import { z } from 'zod';
import { findKind, type KindName } from './kinds.ts';

/** How the operator finds the organization of a token. */
export type OrganizationRule =
  /** Everybody belongs to this organization. */
  | { readonly fixed: OrganizationId }
  | {
      readonly claim: string;
      /** Organizations by values of the claim; other values do not count. Undefined: the value is the organization's id */
      readonly map?: ReadonlyMap<string, OrganizationId> | undefined;
    };

const claimName = z.string().regex(/^[\w.:/-]{1,200}$/, { error: 'must be the name of a claim' });

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const FixedRule = z.strictObject({ fixed: OrganizationId });
const ClaimRule = z.strictObject({
  claim: claimName,
  // A list of pairs, because z.record would leave out a value such as `__proto__`.
  map: z
    .preprocess(
      (map) => (isRecord(map) ? Object.entries(map) : undefined),
      z
        .array(z.tuple([z.string().min(1, { error: 'must have no empty value' }), OrganizationId]), {
          error: 'must be an object that has the organization of each value',
        })
        .min(1, { error: 'must have at least one value' }),
    )
    .transform((pairs) => new Map(pairs))
    .optional(),
});

/** `ORGANIZATION_RULE`: a rule in JSON. A fault names the member, and quotes no value. */
const ruleSetting = z.string().transform((text, context): OrganizationRule => {
  const fault = (message: string, path: PropertyKey[] = []) => {
    context.addIssue({ code: 'custom', message, path });
    return z.NEVER;
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault('must be JSON, such as {"claim":"org_id"}');
  }
  if (!isRecord(value) || 'claim' in value === 'fixed' in value)
    return fault('must be an object with either claim or fixed');
  const parsed = ('fixed' in value ? FixedRule : ClaimRule).safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  return fault(first?.message ?? 'cannot be used', first?.path.slice(0, 1));
});

/** The settings of the rule; `IDP_KIND` has its default. Each service adds the descriptions. */
export const organizationSettings = { ORGANIZATION_CLAIM: claimName, ORGANIZATION_RULE: ruleSetting };

export interface OrganizationSettings {
  readonly IDP_KIND: KindName;
  readonly ORGANIZATION_CLAIM?: string | undefined;
  readonly ORGANIZATION_RULE?: OrganizationRule | undefined;
}

/** @returns a fault in the combination of settings; undefined: there is none */
export function organizationFault(settings: OrganizationSettings): string | undefined {
  const { IDP_KIND: kind, ORGANIZATION_CLAIM: claim, ORGANIZATION_RULE: rule } = settings;
  if (claim !== undefined && rule !== undefined)
    return 'ORGANIZATION_CLAIM, ORGANIZATION_RULE: one of them, and not both';
  const hasRule = claim !== undefined || rule !== undefined || findKind(kind).organizationClaim !== undefined;
  return hasRule
    ? undefined
    : `ORGANIZATION_RULE: required with IDP_KIND=${kind}, which names no organization; or ORGANIZATION_CLAIM`;
}

/** @throws {Error} with `organizationFault` */
export function organizationRuleOf(settings: OrganizationSettings): OrganizationRule {
  const fault = organizationFault(settings);
  const claim = settings.ORGANIZATION_CLAIM ?? findKind(settings.IDP_KIND).organizationClaim;
  const rule = settings.ORGANIZATION_RULE ?? (claim === undefined ? undefined : { claim });
  if (fault !== undefined || rule === undefined) throw new Error(fault);
  return rule;
}

/** Returns the claim that the rule reads. */
export const claimOf = (rule: OrganizationRule): string | undefined =>
  'claim' in rule ? rule.claim : undefined;

/** Returns true if the rule gives every token the same organization, or none. */
export const hasOneOrganization = (rule: OrganizationRule): boolean =>
  'fixed' in rule || (rule.map !== undefined && new Set(rule.map.values()).size === 1);
