import type { Problem } from '@legate/service';
import { problem } from '../../domain/problem-codes.ts';

type Conflict =
  | 'onboarding_session_used'
  | 'onboarding_session_conflict'
  | 'onboarding_in_progress'
  | 'organization_exists';

const conflict = (code: Conflict, detail: string, headers: Record<string, string> = {}): Problem =>
  problem(code, { detail, headers });

/** Refuses an unknown session, and in the same way that of another user, so that its existence is not revealed. */
export const sessionNotFound = (): Problem => problem('onboarding_session_not_found');
export const sessionExpired = (): Problem =>
  problem('onboarding_session_expired', { detail: 'Sign in again to continue.' });
export const csrfTokenInvalid = (): Problem =>
  problem('csrf_token_invalid', { detail: 'Read the session again and send its csrfToken.' });
export const sessionUsed = (): Problem => conflict('onboarding_session_used', 'This session has ended.');
export const sessionConflict = (): Problem =>
  conflict(
    'onboarding_session_conflict',
    'This session already asked for an organization with another name.',
  );
export const organizationExists = (): Problem =>
  conflict('organization_exists', 'You have an organization. Sign in again for a token that names it.');
/** Refuses a sign-in without suggesting another one, which would have the same result. */
export const organizationNotNamed = (): Problem =>
  conflict(
    'organization_exists',
    'You have an organization, but the identity provider does not name it. An administrator of the identity provider must name it again.',
  );
export const organizationLinkRefused = (cause: unknown): Problem =>
  problem('organization_link_refused', {
    detail: 'You have an organization, but the identity provider does not let you in. Ask its administrator.',
    cause,
  });
export const organizationSuspended = (): Problem => problem('organization_suspended');
export const inProgress = (): Problem =>
  conflict('onboarding_in_progress', 'The organization is being created. Try again in a second.', {
    'Retry-After': '1',
  });

export const oauthStateInvalid = (cause?: unknown): Problem =>
  problem('oauth_state_invalid', {
    detail:
      'The sign-in was started in another browser or too long ago, or has been completed. Sign in again.',
    cause,
  });
export const idpUnavailable = (cause: unknown): Problem =>
  problem('idp_unavailable', {
    headers: { 'Retry-After': '5' },
    cause,
  });
export const idpError = (cause: unknown): Problem =>
  problem('idp_error', { detail: 'The identity provider returned an invalid response.', cause });
/** @throws {Problem} 503 */
export function storeUnavailable(cause: unknown): never {
  throw problem('service_unavailable', { headers: { 'Retry-After': '5' }, cause });
}
