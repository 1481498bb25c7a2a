import { KINDS } from '@legate/identity-providers';
import { ACCESS_TOKENS, ID_JAGS } from './own.ts';
import { LISTS_NO_ID_JAGS, type Personality } from './personality.ts';

export const pingfederate: Personality = {
  kind: KINDS.pingfederate,
  sources: [
    {
      url: 'https://docs.pingidentity.com/pingfederate/13.1/administrators_reference_guide/pf_configuring_refresh_token_to_idjag_exchange.html',
      read: '2026-11-25',
    },
    {
      url: 'https://docs.pingidentity.com/pingfederate/13.1/administrators_reference_guide/pf_configuring_refresh_token_processor_instance.html',
      read: '2026-11-25',
    },
  ],
  issuer: { paths: /^$/, form: 'no path' },
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
  /**
   * An administrator maps the attributes of ID tokens. These are the organization, and the data that we show about
   * users.
   */
  idToken: (user) => ({ jti: user.tokenId, name: user.name, email: user.email }),
  idTokensNameOrganization: true,
  /** An access token in the form of RFC 9068; at PingFederate, administrators choose the form (JSON token manager). */
  accessToken: ({ claims }) => claims,
  assertions: { audiences: [KINDS.pingfederate.assertionAudience], keyHeader: undefined },
  /** An ID token needs a token processor of its own, which an administrator gives to the client. */
  idJags: () => ({ ...ID_JAGS, subjects: [KINDS.pingfederate.idJagSubject] }),
  accessTokens: ACCESS_TOKENS,
  exchangeOff: undefined,
  hasOfflineAccess: true,
  errors: {},
};
