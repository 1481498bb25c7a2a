import type { ProviderError } from '@legate/doctor';
import * as openid from 'openid-client';

/** Returns what a token endpoint answered to a sign-in; undefined if the sign-in failed in another way. */
export function refusalIn(cause: unknown): ProviderError | undefined {
  // A challenge hides the body, but its status says that the client is meant (RFC 6749 §5.2).
  if (cause instanceof openid.WWWAuthenticateChallengeError && cause.status === 401)
    return {
      ...{ error: 'invalid_client', status: cause.status },
      ...{ description: undefined, codes: [], suberror: undefined },
    };
  if (!(cause instanceof openid.ResponseBodyError)) return undefined;
  const { error, error_description: description, status } = cause;
  const { error_codes: codes, suberror } = Object(cause.cause);
  return {
    error,
    description,
    codes: (Array.isArray(codes) ? codes : []).filter(Number.isSafeInteger),
    suberror: typeof suberror === 'string' ? suberror : undefined,
    status,
  };
}
