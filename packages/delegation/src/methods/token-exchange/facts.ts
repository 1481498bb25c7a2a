import type { AuthMethodFacts } from '../../domain/method-facts.ts';

export const tokenExchange = {
  name: 'token-exchange',
  actsAs: 'user',
  grantedBy: 'identity_provider',
  isFallback: true,
  client: 'none',
  secret: 'none',
  issuesTokens: true,
  hasAudience: false,
  exchangesAccessTokens: true,
  isLegacy: false,
} as const satisfies AuthMethodFacts;
