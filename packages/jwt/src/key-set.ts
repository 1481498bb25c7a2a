import { shareWhileRunning } from '@legate/single-flight';
import { type CryptoKey, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { KeysUnavailable } from './errors.ts';
import { usableKeys } from './usable-keys.ts';

/** A type alias, because jose does not accept an interface here. */
type KeyHeader = { readonly alg: string; readonly kid?: string };

/** Finds the issuer's key that a token's header names. `createLocalJWKSet` of jose returns such a function. */
export type KeyLookup = (header: KeyHeader) => CryptoKey | Promise<CryptoKey>;

/**
 * Creates a lookup in fixed keys, which are never fetched again: the keys of a client in a file or a document.
 * @throws {Error} for a value that is not a JWK Set
 */
export const createLocalKeys = (jwks: JSONWebKeySet): KeyLookup => createLocalJWKSet(usableKeys(jwks));

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
   * Seconds without a fetch after a few successive ones, or after a failed one, whatever `kid` is requested. This
   * prevents anybody from making us flood the issuer. Default 10.
   */
  readonly cooldownSeconds?: number;
  /**
   * How long keys stay in use when they cannot be refreshed. Default 3600: a service that cannot reach the issuer
   * accepts a withdrawn stolen key for that long.
   */
  readonly staleIfErrorSeconds?: number;
  /** Called after each fetch. */
  readonly onRead?: ((outcome: 'read' | 'failed') => void) | undefined;
}

/**
 * Successive fetches before the cooldown, so that a key rotated right after a fetch is found at once, even if unknown
 * keys were requested in between.
 */
const READS_IN_A_ROW = 3;

/**
 * The keys of one issuer, fetched when first needed. An unknown `kid` causes another fetch, limited by a cooldown.
 * While the issuer is down, its last known keys stay in use; if there are none, this is an outage and never a refusal.
 * @throws {KeysUnavailable} from the returned function
 * @throws {errors.JWKSNoMatchingKey} the issuer responded and has no such key
 */
export function createKeySet(options: KeySetOptions): KeyLookup {
  const { issuer, load, clock } = options;
  const maxAgeMs = (options.maxAgeSeconds ?? 300) * 1000;
  const cooldownMs = (options.cooldownSeconds ?? 10) * 1000;
  const staleIfErrorMs = (options.staleIfErrorSeconds ?? 3600) * 1000;

  let keys: ReturnType<typeof createLocalJWKSet> | undefined;
  /** Keys of the last document by `alg` and `kid`: selecting one for each token takes as long as a signature. */
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
      keys = createLocalJWKSet(usableKeys(await load()));
      chosen = new Map();
      readAt = now();
      lastFailure = undefined;
    } catch (err) {
      lastFailure = err;
    }
    options.onRead?.(lastFailure === undefined ? 'read' : 'failed');
  }

  /** One fetch at a time, and none during the cooldown. */
  const readAgain = shareWhileRunning(async () => {
    if (mayRead()) await read();
  });

  const isFresh = () => now() - readAt < maxAgeMs;
  const nameOf = ({ alg, kid }: KeyHeader) => JSON.stringify([alg, kid]);

  async function find(header: KeyHeader): Promise<CryptoKey> {
    if (!isFresh()) {
      const again = readAgain();
      // After a failed fetch, callers use the last known keys, and do not wait until the next fetch times out.
      if (!keys || lastFailure === undefined) await again;
    }
    if (!keys || now() - readAt >= maxAgeMs + staleIfErrorMs)
      throw new KeysUnavailable(issuer, { cause: lastFailure });
    const ofDocument = chosen; // another document may be fetched while the key is imported
    const known = ofDocument.get(nameOf(header));
    if (known) return known;
    try {
      const key = await keys(header);
      ofDocument.set(nameOf(header), key); // bounded by the number of keys, since an unknown `kid` is not found
      return key;
    } catch (err) {
      if (!(err instanceof errors.JWKSNoMatchingKey)) throw err;
      await readAgain();
      // The keys cannot be fetched, so it is unknown whether the issuer has this kid.
      if (lastFailure !== undefined) throw new KeysUnavailable(issuer, { cause: lastFailure });
      return keys(header);
    }
  }

  return (header) => (isFresh() && chosen.get(nameOf(header))) || find(header);
}
