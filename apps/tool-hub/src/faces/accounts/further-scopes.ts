import { ScopeToken } from '@legate/oauth';
import { z } from 'zod';

/** Maximum total length of the scopes with separators, because they appear in a URL that browsers must accept */
const MAX_SCOPES_LENGTH = 2048;

/** Scopes that a user is asked for in addition to those of the connector */
export const FurtherScopes = z
  .array(ScopeToken)
  .max(50)
  .refine((scopes) => scopes.join(' ').length <= MAX_SCOPES_LENGTH, {
    error: `are longer than ${MAX_SCOPES_LENGTH} characters together`,
  });
