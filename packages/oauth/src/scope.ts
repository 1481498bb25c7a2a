import { z } from 'zod';
import { OAuthError } from './errors.ts';

const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** One scope (RFC 6749 §3.3): printable ASCII without space, quote and backslash, at most 255 characters. */
export const ScopeToken = z
  .string()
  .max(255)
  .regex(SCOPE_TOKEN, { error: 'must be a scope (RFC 6749 §3.3)' });
export const isScopeToken = (text: string): boolean => text.length <= 255 && SCOPE_TOKEN.test(text);

/**
 * @returns the scopes of a space-separated string, each once, in the order given; none for an absent string
 * @throws {OAuthError} `invalid_scope` when one of them is not a {@link ScopeToken}
 */
export function parseScope(scope: string | undefined): string[] {
  if (!scope) return [];
  const scopes = [...new Set(scope.split(' ').filter((token) => token !== ''))];
  if (!scopes.every(isScopeToken)) throw new OAuthError('invalid_scope', 'malformed scope');
  return scopes;
}

export const formatScope = (scopes: readonly string[]): string => scopes.join(' ');
