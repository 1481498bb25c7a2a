import { TokenRefused } from '@legate/jwt';
import type { Problem } from '@legate/service';
import { tokenProblem } from '@legate/workload';
import { problem } from '../../domain/problem-codes.ts';
import type { KeptOut } from './standing-store.ts';

/** Refuses a removed member, even if their token is still valid. */
export const keptOut = (status: KeptOut): Problem =>
  problem(status === 'deactivated' ? 'membership_deactivated' : 'membership_revoked');

/** Refuses a token from before an administrator revoked the user's access. The user is still a member. */
export const accessRevoked = (): unknown =>
  tokenProblem(
    new TokenRefused('claims', { detail: 'iat' }),
    'Your access was revoked after this token was issued. Sign in again.',
  );

/** Refuses an application that the user has denied. */
export const clientDenied = (): Problem => problem('consent_denied');
