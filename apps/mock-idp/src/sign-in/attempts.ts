import { createHash } from 'node:crypto';
import { clientNetwork } from '@legate/rate-limit';
import type { Backend } from '@legate/secure-store';

/**
 * Maximum password guesses: few for each sign-in, more for an account from one network. An account is never locked for
 * everyone: otherwise ten wrong passwords of a stranger would lock its owner out.
 */
const LIMITS = { interaction: 5, account: 10 } as const;
export const WINDOW_SECONDS = 900;

export type SignInAttempts = ReturnType<typeof createSignInAttempts>;

/** The account whose password is guessed, and the network of the client */
export interface Account {
  readonly email: string;
  /** The client's address; undefined if the connection is closed */
  readonly address: string | undefined;
}

/**
 * Counts password attempts. Each attempt takes one of a limited number of slots, in one atomic step, and frees it after
 * 15 minutes. E-mail addresses are hashed: they are personal data, and may contain any characters.
 */
export function createSignInAttempts(backend: Backend) {
  async function occupy(kind: keyof typeof LIMITS, name: string): Promise<boolean> {
    for (let place = 0; place < LIMITS[kind]; place += 1) {
      if (await backend.add(keyOf(kind, name, place), OCCUPIED, WINDOW_SECONDS)) return true;
    }
    return false;
  }
  return {
    /**
     * Counts an attempt before its password is checked, so that concurrent attempts count too. @returns false if there
     * are too many
     */
    take: async (interactionId: string, account: Account) =>
      (await occupy('interaction', interactionId)) && (await occupy('account', nameOf(account))),
    /** Resets the count for the account from that network after a right password. */
    async forget(account: Account) {
      for (let place = 0; place < LIMITS.account; place += 1)
        await backend.delete(keyOf('account', nameOf(account), place));
    },
  };
}

const nameOf = ({ email, address }: Account): string => `${clientNetwork(address)} ${email.toLowerCase()}`;

const OCCUPIED = Buffer.from('1');

function keyOf(kind: string, name: string, place: number): string {
  return `attempt:${kind}:${createHash('sha256').update(name).digest('base64url')}:${place}`;
}
