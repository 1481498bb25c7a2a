import type { KeyScope, ServiceAccount } from '../../api/types.ts';

const VIEWER: readonly KeyScope[] = [
  ...(['org:read', 'members:read', 'domains:read', 'sites:read', 'agents:read'] as const),
  ...(['connectors:read', 'audit:read', 'usage:read'] as const),
];
const DEVELOPER: readonly KeyScope[] = [...VIEWER, 'sites:write', 'agents:write'];
const ADMIN: readonly KeyScope[] = [
  ...DEVELOPER,
  ...(['members:write', 'domains:write', 'connectors:write', 'audit:export', 'credentials:read'] as const),
];
const OF_ROLE = { admin: ADMIN, developer: DEVELOPER, viewer: VIEWER };

/**
 * Returns the scopes that a reader can give a key of an account: those that both the account's role and the
 * reader have.
 */
export const scopesToGive = (
  role: ServiceAccount['role'],
  readerScopes: readonly string[],
): readonly KeyScope[] => OF_ROLE[role].filter((scope) => readerScopes.includes(scope));
