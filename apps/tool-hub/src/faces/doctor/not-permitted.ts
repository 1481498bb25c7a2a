import type { Problem } from '@legate/service';
import { problem } from '../../domain/problem-codes.ts';

/** @param roles permitted roles */
export const notPermitted = (roles: string): Problem =>
  problem('insufficient_permission', { detail: `This requires the role ${roles} in the ID token.` });
