import { OAuthError } from './errors.ts';

/** RFC 6749 §3.3: printable ASCII without space, quote and backslash. */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/**
 * @returns the scopes of a space-separated string, each once, in the order given; none for an absent string
 * @throws {OAuthError} `invalid_scope` when a scope has a character that RFC 6749 §3.3 does not allow
 */
export function parseScope(scope: string | undefined): string[] {
  if (!scope) return [];
  const scopes = [...new Set(scope.split(' ').filter((token) => token !== ''))];
  if (!scopes.every((token) => SCOPE_TOKEN.test(token)))
    throw new OAuthError('invalid_scope', 'malformed scope');
  return scopes;
}

export const formatScope = (scopes: readonly string[]): string => scopes.join(' ');
