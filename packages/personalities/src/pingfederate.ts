import { LISTS_NO_ID_JAGS, type Personality, present } from './personality.ts';

export const pingfederate: Personality = {
  title: 'PingFederate',
  issuer: { defaultPath: '', paths: /^$/, form: 'no path' },
  endpoints: () => ({
    authorization: '/as/authorization.oauth2',
    token: '/as/token.oauth2',
    jwks: '/pf/JWKS',
    userinfo: '/idp/userinfo.openid',
    endSession: '/idp/startSLO.ping',
    revocation: '/as/revoke_token.oauth2',
  }),
  furtherMetadata: () => [],
  metadata: LISTS_NO_ID_JAGS,
  organizationClaim: 'organization_id',
  /**
   * An administrator maps the attributes of ID tokens. These are the organization, and the data that we show about
   * users.
   */
  idToken: (user) =>
    present({
      organization_id: user.organizationId,
      jti: user.tokenId,
      name: user.name,
      email: user.email,
    }),
  /** An access token in the form of RFC 9068; at PingFederate, administrators choose the form (JSON token manager). */
  accessToken: ({ claims }) => ({ typ: 'at+jwt', claims }),
  refusal: undefined,
  idJagNamesOrganization: true,
  isPairwise: false,
  hasOfflineAccess: true,
  errors: {},
  settings: { hub: {}, managementApi: {} },
};
