import { TokenRefused } from '@legate/jwt';
import type { Problem } from '@legate/service';
import { tokenProblem } from '@legate/workload';
import { problem } from '../../domain/problem-codes.ts';
import type { KeptOut } from './standing-store.ts';

/** Overrides a token that is still valid. */
export const keptOut = (status: KeptOut): Problem =>
  problem(status === 'deactivated' ? 'membership_deactivated' : 'membership_revoked');

/** An administrator has ended what the user had, this token included. They are still a member. */
export const accessRevoked = (): unknown =>
  tokenProblem(
    new TokenRefused('claims', { detail: 'iat' }),
    'Your access was revoked after this token was issued. Sign in again.',
  );

/** The user has denied the application that calls. */
export const clientDenied = (): Problem => problem('consent_denied');
