import type { Scope } from '../../domain/rights.ts';

/**
 * Who may call an operation. `public`: anyone, without a token. `uncounted`: any valid token, without using up the
 * rate limit. `any-token`: any valid token, even without an organization. A scope: a user of an organization whose
 * role and token both have it.
 */
export type Access = 'public' | 'uncounted' | 'any-token' | Scope;

export const isScope = (access: Access): access is Scope => access.includes(':');
