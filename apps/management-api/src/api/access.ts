import type { Scope } from '../domain/rights.ts';

/**
 * Who may call. `public`: anybody, without a token. `uncounted`: any valid token, and the rate limit is not used up.
 * `any-token`: any valid token, also without an organization. A scope: an organization's user whose role and token both
 * have it.
 */
export type Access = 'public' | 'uncounted' | 'any-token' | Scope;

export const isScope = (access: Access): access is Scope => access.includes(':');
