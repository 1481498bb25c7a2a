import { createHash } from 'node:crypto';
import type { Backend } from '@legate/secure-store';

/** Guesses at a password: few for one sign-in, a few more for one account from whatever sign-in. */
const LIMITS = { interaction: 5, email: 10 } as const;
export const WINDOW_SECONDS = 900;

export interface SignInAttempts {
  /** Counts an attempt before its password is looked at, so that many at once are counted too. @returns false: too many */
  take(interactionId: string, email: string): Promise<boolean>;
  /** A right password ends the counting for the account. */
  forget(email: string): Promise<void>;
}

/**
 * Each attempt occupies one of a few places, in one atomic step, and leaves it after 15 minutes. Addresses are hashed:
 * they are people's, and may be anything.
 */
export function createSignInAttempts(backend: Backend): SignInAttempts {
  async function occupy(kind: keyof typeof LIMITS, name: string): Promise<boolean> {
    for (let place = 0; place < LIMITS[kind]; place += 1) {
      if (await backend.add(keyOf(kind, name, place), OCCUPIED, WINDOW_SECONDS)) return true;
    }
    return false;
  }
  return {
    take: async (interactionId, email) =>
      (await occupy('interaction', interactionId)) && (await occupy('email', email.toLowerCase())),
    async forget(email) {
      for (let place = 0; place < LIMITS.email; place += 1)
        await backend.delete(keyOf('email', email.toLowerCase(), place));
    },
  };
}

const OCCUPIED = Buffer.from('1');

function keyOf(kind: string, name: string, place: number): string {
  return `attempt:${kind}:${createHash('sha256').update(name).digest('base64url')}:${place}`;
}
