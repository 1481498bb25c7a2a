import { Problem } from '@legate/service';

/** Beats a token that is still valid. */
export const membershipRevoked = (): Problem =>
  new Problem(403, 'membership_revoked', 'Membership revoked', {
    detail: 'You are no longer a member of this organization.',
  });
