import type { Problem } from '@legate/service';
import { problem } from '../../domain/problem-codes.ts';

/** @param roles those that may */
export const notPermitted = (roles: string): Problem =>
  problem('insufficient_permission', { detail: `This takes the role ${roles} in the ID token.` });
