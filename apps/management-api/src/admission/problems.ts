import type { Problem } from '@legate/service';
import { problem } from '../domain/problem-codes.ts';

/** Beats a token that is still valid. */
export const membershipRevoked = (): Problem =>
  problem('membership_revoked', { detail: 'You are no longer a member of this organization.' });
