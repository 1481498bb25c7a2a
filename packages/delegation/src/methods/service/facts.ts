import type { AuthMethodFacts } from '../../domain/method-facts.ts';

export const service = {
  name: 'service',
  actsAs: 'service',
  grantedBy: 'administrator',
  isFallback: true,
  client: 'none',
  secret: 'required',
  issuesTokens: false,
  hasAudience: false,
  exchangesAccessTokens: false,
  isLegacy: false,
} as const satisfies AuthMethodFacts;
