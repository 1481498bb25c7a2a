import type { AuthMethodFacts } from '../../domain/method-facts.ts';

export const oauthPkce = {
  name: 'oauth-pkce',
  actsAs: 'user',
  grantedBy: 'user',
  isFallback: true,
  client: 'optional',
  secret: 'client',
  issuesTokens: true,
  hasAudience: false,
  exchangesAccessTokens: false,
  isLegacy: false,
} as const satisfies AuthMethodFacts;
