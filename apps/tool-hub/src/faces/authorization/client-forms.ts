import type { FormParameters } from '@legate/oauth';
import type { OAuthClient } from '../../oauth-clients/oauth-client.ts';
import { settleRedirectUri, settleResource } from './authorization-request.ts';

const REFRESH_PREFIX = 'lrt_';

/** Parameters of the two grants that are passed to oidc-provider; the scope is always ours. */
const HANDED_OVER = ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'resource'];

/** Converts the form of an authenticated client for oidc-provider; `secret` proves that the client is authenticated. */
export function toEngineForm(
  form: FormParameters,
  client: OAuthClient,
  options: { publicUrl: string; secret: string },
): URLSearchParams {
  const handed = new URLSearchParams();
  for (const name of HANDED_OVER) for (const value of form.all(name)) handed.append(name, value);
  if (handed.has('resource')) settleResource(handed, options.publicUrl);
  settleRedirectUri(handed);
  const refreshToken = refreshTokenOf(form);
  if (refreshToken !== undefined) handed.set('refresh_token', refreshToken);
  handed.set('client_id', client.clientId);
  if (!client.isPublic) handed.set('client_secret', options.secret);
  return handed;
}

/** Returns a refresh token as it is stored, without the prefix that helps scanners to find leaked secrets. */
export const withoutRefreshPrefix = (token: string): string | undefined =>
  token.startsWith(REFRESH_PREFIX) ? token.slice(REFRESH_PREFIX.length) : undefined;

const refreshTokenOf = (form: FormParameters): string | undefined => {
  const token = form.find('refresh_token');
  // A token without our prefix is replaced by one that oidc-provider does not know, and so refuses.
  return token === undefined ? undefined : (withoutRefreshPrefix(token) ?? '-');
};

export const toRefreshToken = (token: string): string => REFRESH_PREFIX + token;
