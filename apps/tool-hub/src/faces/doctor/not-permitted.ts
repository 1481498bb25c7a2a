import type { Problem } from '@legate/service';
import { problem } from '../../domain/problem-codes.ts';

/** @param roles that are permitted */
export const notPermitted = (roles: string): Problem =>
  problem('insufficient_permission', { detail: `This requires the role ${roles} in the ID token.` });
