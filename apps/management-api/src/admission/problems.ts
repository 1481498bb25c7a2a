import type { Problem } from '@legate/service';
import { problem } from '../domain/problem-codes.ts';
import type { KeptOut } from './standing-store.ts';

/** Beats a token that is still valid. */
export const keptOut = (status: KeptOut): Problem =>
  status === 'deactivated'
    ? problem('membership_deactivated', { detail: 'An administrator has deactivated your membership.' })
    : problem('membership_revoked', { detail: 'You are no longer a member of this organization.' });

/** The user has denied the application that calls. */
export const clientDenied = (): Problem =>
  problem('consent_denied', {
    detail:
      'You have denied this application to act for you. Another application, or a new sign-in, can allow it.',
  });
