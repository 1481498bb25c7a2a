import { TokenRefused } from '@legate/jwt';
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';

/** Why a sign-in or a refresh failed. These codes are ours, never those of the identity provider. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  constructor(
    readonly code:
      | 'sign_in_expired'
      | 'sign_in_refused'
      | 'identity_provider_fault'
      | 'identity_provider_unavailable'
      | 'too_many_sign_ins'
      /** The token names several organizations. */
      | 'organization_ambiguous',
    options?: ErrorOptions,
  ) {
    super(code, options);
  }
}

/** Maps an error of the library to a code, without the parts of the response that it contains. */
export function toFailure(err: unknown): unknown {
  if (err instanceof SignInFailed) return err;
  if (err instanceof AuthorizationResponseError) return new SignInFailed('sign_in_refused');
  if (err instanceof ResponseBodyError) {
    const cause = new Error(`identity provider: status ${err.status}`);
    if (err.status >= 500) return new SignInFailed('identity_provider_unavailable', { cause });
    const isRefused = err.error === 'invalid_grant';
    return new SignInFailed(isRefused ? 'sign_in_refused' : 'identity_provider_fault', { cause });
  }
  if (err instanceof TokenRefused && err.reason === 'organization_ambiguous')
    return new SignInFailed('organization_ambiguous', { cause: err });
  const codes = causesOf(err).map((link) => ('code' in link ? String(link.code) : link.name));
  const isOutage = codes.every((code) => !/^OAUTH_|^ERR_|ZodError|TokenRefused/.test(code));
  // Codes only: the library's errors contain the response, including tokens.
  const cause = new Error(`identity provider: ${codes.join(', ')}`);
  const code = isOutage || codes.includes('OAUTH_TIMEOUT') ? 'identity_provider_unavailable' : undefined;
  return new SignInFailed(code ?? 'identity_provider_fault', { cause });
}

function causesOf(err: unknown): Error[] {
  return err instanceof Error ? [err, ...causesOf(err.cause)] : [];
}
