import type { AuthMethodFacts } from '../../domain/method-facts.ts';

export const passthrough = {
  name: 'passthrough',
  actsAs: 'user',
  grantedBy: 'administrator',
  isFallback: true,
  client: 'none',
  secret: 'none',
  issuesTokens: false,
  hasAudience: false,
  exchangesAccessTokens: false,
  isLegacy: true,
} as const satisfies AuthMethodFacts;
