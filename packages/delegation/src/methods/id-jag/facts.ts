import type { AuthMethodFacts } from '../../domain/method-facts.ts';

export const idJag = {
  name: 'id-jag',
  actsAs: 'user',
  grantedBy: 'identity_provider',
  isFallback: false,
  client: 'required',
  secret: 'required',
  issuesTokens: true,
  hasAudience: true,
  exchangesAccessTokens: false,
  isLegacy: false,
} as const satisfies AuthMethodFacts;
