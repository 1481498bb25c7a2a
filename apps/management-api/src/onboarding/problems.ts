import { Problem } from '@legate/service';

type Conflict =
  | 'onboarding_session_used'
  | 'onboarding_session_conflict'
  | 'onboarding_in_progress'
  | 'organization_exists';

const conflict = (code: Conflict, detail: string, headers: Record<string, string> = {}): Problem =>
  new Problem(409, code, 'Conflict', { detail, headers });

/** Also for the session of another user: whether it exists is not his to know. */
export const sessionNotFound = (): Problem =>
  new Problem(404, 'onboarding_session_not_found', 'Onboarding session not found');
export const sessionExpired = (): Problem =>
  new Problem(410, 'onboarding_session_expired', 'Onboarding session expired', {
    detail: 'Sign in again to continue.',
  });
export const csrfTokenInvalid = (): Problem =>
  new Problem(403, 'csrf_token_invalid', 'CSRF token invalid', {
    detail: 'Read the session again and send its csrfToken.',
  });
export const sessionUsed = (): Problem => conflict('onboarding_session_used', 'This session has ended.');
export const sessionConflict = (): Problem =>
  conflict('onboarding_session_conflict', 'Something else was asked for in this session.');
export const organizationExists = (): Problem =>
  conflict('organization_exists', 'You have an organization. Sign in again for a token that names it.');
/** At the sign-in: another one would tell the same. */
export const organizationNotNamed = (): Problem =>
  conflict(
    'organization_exists',
    'You have an organization, but the identity provider does not name it. An administrator of the identity provider must name it again.',
  );
export const organizationLinkRefused = (cause: unknown): Problem =>
  new Problem(409, 'organization_link_refused', 'Organization not linked', {
    detail: 'You have an organization, but the identity provider does not let you in. Ask its administrator.',
    cause,
  });
export const organizationSuspended = (): Problem =>
  new Problem(403, 'organization_suspended', 'Organization suspended');
export const inProgress = (): Problem =>
  conflict('onboarding_in_progress', 'The organization is being created. Try again.', { 'Retry-After': '1' });

export const oauthStateInvalid = (cause?: unknown): Problem =>
  new Problem(400, 'oauth_state_invalid', 'Sign-in cannot be continued', {
    detail: 'It was begun elsewhere, too long ago, or has been completed. Sign in again.',
    cause,
  });
export const idpUnavailable = (cause: unknown): Problem =>
  new Problem(503, 'idp_unavailable', 'Identity provider unavailable', {
    headers: { 'Retry-After': '5' },
    cause,
  });
export const idpError = (cause: unknown): Problem =>
  new Problem(502, 'idp_error', 'Identity provider error', {
    detail: 'The identity provider gave an answer that cannot be used.',
    cause,
  });
