import { shareWhileRunning } from '@legate/single-flight';
import { type CryptoKey, createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { KeysUnavailable } from './errors.ts';

export interface KeySetOptions {
  readonly issuer: string;
  /** Reads the issuer's JWKS document. Its own time-out and size limit apply. */
  readonly load: () => Promise<JSONWebKeySet>;
  readonly clock: () => Date;
  /**
   * Age in seconds at which the keys are read again. Default 300: a key that the issuer has withdrawn, perhaps because
   * it was stolen, is accepted for no longer.
   */
  readonly maxAgeSeconds?: number;
  /**
   * Seconds without a read after a few in a row, or after one that failed, whatever `kid` is asked for: a stranger cannot
   * make us hammer the issuer. Default 10.
   */
  readonly cooldownSeconds?: number;
  /**
   * How long keys that can no longer be refreshed go on being used. Default 3600: a stolen key that the issuer has
   * withdrawn is accepted for that long by a service that cannot reach the issuer.
   */
  readonly staleIfErrorSeconds?: number;
  /** Told of each read. */
  readonly onRead?: ((outcome: 'read' | 'failed') => void) | undefined;
}

/** A key that is rotated right after a read is found at once, also when strangers have asked for others in between. */
const READS_IN_A_ROW = 3;

/**
 * The keys of one issuer, read when first needed. An unknown `kid` causes a new read, with a cooldown; an issuer that
 * is down leaves its last known keys in use; without any it is an outage, never a refusal.
 * @throws {KeysUnavailable} from the returned function
 * @throws {errors.JWKSNoMatchingKey} the issuer answered, and has no such key
 */
export function createKeySet(options: KeySetOptions): JWTVerifyGetKey {
  const { issuer, load, clock } = options;
  const maxAgeMs = (options.maxAgeSeconds ?? 300) * 1000;
  const cooldownMs = (options.cooldownSeconds ?? 10) * 1000;
  const staleIfErrorMs = (options.staleIfErrorSeconds ?? 3600) * 1000;

  let keys: ReturnType<typeof createLocalJWKSet> | undefined;
  /** Keys of the last document by `alg` and `kid`: choosing one anew for each token takes as long as a signature. */
  let chosen = new Map<string, CryptoKey>();
  let readAt = Number.NEGATIVE_INFINITY;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let readsLeft = READS_IN_A_ROW;
  let lastFailure: unknown;

  const now = () => clock().getTime();

  function mayRead(): boolean {
    if (now() - attemptedAt >= cooldownMs) readsLeft = READS_IN_A_ROW;
    else if (lastFailure !== undefined) return false;
    return readsLeft > 0;
  }

  async function read(): Promise<void> {
    attemptedAt = now();
    readsLeft -= 1;
    try {
      keys = createLocalJWKSet(await load());
      chosen = new Map();
      readAt = now();
      lastFailure = undefined;
    } catch (err) {
      lastFailure = err;
    }
    options.onRead?.(lastFailure === undefined ? 'read' : 'failed');
  }

  /** One read at a time, and none during the cooldown. */
  const readAgain = shareWhileRunning(async () => {
    if (mayRead()) await read();
  });

  return async (header, token) => {
    if (now() - readAt >= maxAgeMs) {
      const again = readAgain();
      // Once a read has failed, callers do not wait for the next one to time out: the last known keys serve them.
      if (!keys || lastFailure === undefined) await again;
    }
    if (!keys || now() - readAt >= maxAgeMs + staleIfErrorMs)
      throw new KeysUnavailable(issuer, { cause: lastFailure });
    const name = JSON.stringify([header.alg, header.kid]);
    const known = chosen.get(name);
    if (known) return known;
    try {
      const key = await keys(header, token);
      chosen.set(name, key); // no more than there are keys: one that a stranger names is not found
      return key;
    } catch (err) {
      if (!(err instanceof errors.JWKSNoMatchingKey)) throw err;
      await readAgain();
      // The issuer cannot be asked about this kid, so whether the token is good is not known.
      if (lastFailure !== undefined) throw new KeysUnavailable(issuer, { cause: lastFailure });
      return keys(header, token);
    }
  };
}
