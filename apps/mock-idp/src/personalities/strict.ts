import { ID_JAGS, OWN } from './own.ts';
import type { Personality } from './personality.ts';

/**
 * The draft to the letter: a refresh token is a subject too, `audience` is the issuer and nothing else, the answer
 * leaves out what it may, and an ID-JAG names the tenant of the issuer.
 */
export const strict: Personality = {
  ...OWN,
  kind: { ...OWN.kind, title: 'draft-ietf-oauth-identity-assertion-authz-grant-05' },
  sources: [
    {
      url: 'https://datatracker.ietf.org/doc/draft-ietf-oauth-identity-assertion-authz-grant/',
      read: '2026-11-26',
    },
  ],
  assertions: { audiences: ['issuer'], keyHeader: undefined },
  idJags: () => ({
    ...ID_JAGS,
    subjects: ['id_token', 'refresh_token'],
    organizationClaims: ['organization_id', 'tenant'],
    answersScope: 'if_narrowed',
    acceptsResourceAsAudience: false,
  }),
};
