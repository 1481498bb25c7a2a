import type { ProviderKind } from '@legate/identity-providers';
import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import type { TokenClient } from '../../oauth-peers/token-client.ts';
import { presentForToken } from '../../oauth-peers/token-request.ts';

export type Flavour = NonNullable<ProviderKind['exchange']>;

/** Scopes about the sign-in itself: a tool server has no use for an ID token or a refresh token. */
const NEVER_ASKED = ['openid', 'offline_access'];

export const scopesToAsk = (scopes: readonly string[]): readonly string[] =>
  [...new Set(scopes)].filter((scope) => !NEVER_ASKED.includes(scope));

/** Exchanges a user's access token for one of another audience, by the grant that the provider has for it. */
export const requestExchange = (
  client: TokenClient,
  flavour: Flavour,
  asked: { accessToken: string; audience: string; scopes: readonly string[] },
) => REQUESTS[flavour](client, asked);

const REQUESTS = {
  /** @see RFC 8693 §2.1 */
  'token-exchange': (client, { accessToken, audience, scopes }) =>
    presentForToken(client, GRANT_TYPE.tokenExchange, {
      subject_token: accessToken,
      subject_token_type: TOKEN_TYPE.accessToken,
      requested_token_type: TOKEN_TYPE.accessToken,
      audience,
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    }),
  /** The JWT bearer grant with the token that the hub has received; the audience is part of each scope. */
  'on-behalf-of': (client, { accessToken, audience, scopes }) =>
    presentForToken(client, GRANT_TYPE.jwtBearer, {
      assertion: accessToken,
      requested_token_use: 'on_behalf_of',
      scope: (scopes.length > 0 ? scopes : ['.default'])
        .map((scope) => (scope.startsWith(`${audience}/`) ? scope : `${audience}/${scope}`))
        .join(' '),
    }),
} satisfies Record<
  Flavour,
  (
    client: TokenClient,
    asked: { accessToken: string; audience: string; scopes: readonly string[] },
  ) => ReturnType<typeof presentForToken>
>;
