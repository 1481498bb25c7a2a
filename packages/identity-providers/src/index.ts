export { explainRefusal, type ProviderRefusal, type RefusalDetails, type RefusedLeg } from './error-hints.ts';
export { type ExchangePlace, isForbiddenAudience } from './exchange-audiences.ts';
export {
  type ExchangeRefusal,
  exchangeRefusalsOf,
  findExchangeRefusal,
} from './exchange-refusals.ts';
export {
  findKind,
  KIND_NAMES,
  KINDS,
  type KindName,
  type ProviderKind,
  SUBJECT_TOKEN_TYPES,
  type SubjectTokenType,
} from './kinds.ts';
export { organizationOf, withOrganization } from './organization-of.ts';
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
export { userIdOf } from './user.ts';
