import { hash } from 'node:crypto';

/**
 * Returns the key under which a store remembers that something was used. The parts (for example issuer and jti) are
 * untrusted, so they are hashed: their length, separators and characters never reach the key.
 */
export const oneTimeKey = (parts: readonly string[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url');
