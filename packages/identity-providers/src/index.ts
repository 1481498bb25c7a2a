export { type AssertionKeyFault, assertionKeyFault } from './assertion-keys.ts';
export { type ExchangePlace, isForbiddenAudience } from './exchange-audiences.ts';
export {
  findKind,
  KIND_NAMES,
  KINDS,
  type KindName,
  type ProviderKind,
  SUBJECT_TOKEN_TYPES,
  type SubjectTokenType,
} from './kinds.ts';
export { organizationOf, unmappedClaim, withOrganization } from './organization-of.ts';
export {
  claimOf,
  hasOneOrganization,
  type OrganizationRule,
  type OrganizationSettings,
  organizationFault,
  organizationRuleOf,
  organizationSettings,
} from './organization-rule.ts';
export { proposeKind } from './recognition.ts';
export { CLIENT_REFUSED, type RefusedLeg } from './refusal-rows.ts';
export {
  type ProviderRefusal,
  type RefusalDetails,
  type RefusalMeaning,
  readRefusal,
} from './refusals.ts';
export { userIdOf } from './user.ts';
