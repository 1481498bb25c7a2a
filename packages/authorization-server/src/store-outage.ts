import type { Backend } from '@legate/secure-store';
import { errors } from './oidc-provider.ts';

export const RETRY_AFTER_SECONDS = '5';

/**
 * The store is unavailable, so it is unknown whether the requested entry exists: an outage, not a refusal. The error
 * extends oidc-provider's own error class, so that oidc-provider responds and redirects as for any other error (RFC
 * 6749 §4.1.2.1).
 */
export class StoreUnavailable extends errors.OIDCProviderError {
  constructor(cause: unknown) {
    super(503, 'temporarily_unavailable', { cause });
    this.expose = true;
    this.error_description = 'The authorization server cannot answer at the moment; try again.';
  }
}

/** @throws {StoreUnavailable} when `asked` rejects */
export async function orUnavailable<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (cause) {
    throw cause instanceof RangeError ? cause : new StoreUnavailable(cause);
  }
}

/** Wraps a backend so that each operation throws {@link StoreUnavailable} when the store cannot be used. */
export function namingOutages(backend: Backend): Backend {
  return {
    get: (key) => orUnavailable(backend.get(key)),
    getMany: (keys) => orUnavailable(backend.getMany(keys)),
    set: (key, value, ttlSeconds) => orUnavailable(backend.set(key, value, ttlSeconds)),
    add: (key, value, ttlSeconds) => orUnavailable(backend.add(key, value, ttlSeconds)),
    replace: (...args) => orUnavailable(backend.replace(...args)),
    delete: (key) => orUnavailable(backend.delete(key)),
    ping: () => orUnavailable(backend.ping()),
  };
}
