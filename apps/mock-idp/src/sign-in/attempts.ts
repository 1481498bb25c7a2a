import { createHash } from 'node:crypto';
import { clientNetwork } from '@legate/rate-limit';
import type { Backend } from '@legate/secure-store';

/**
 * Password guesses: few per sign-in, a few more per account from one network. An account is never locked for everyone:
 * otherwise a stranger could keep its owner out with ten wrong passwords, again and again.
 */
const LIMITS = { interaction: 5, account: 10 } as const;
export const WINDOW_SECONDS = 900;

export type SignInAttempts = ReturnType<typeof createSignInAttempts>;

/** The account whose password is guessed, and the network */
export interface Account {
  readonly email: string;
  /** The client's address; undefined for a connection that is gone */
  readonly address: string | undefined;
}

/**
 * Each attempt occupies one of a few places, in one atomic step, and leaves it after 15 minutes. Addresses are hashed:
 * they are people's, and may be anything.
 */
export function createSignInAttempts(backend: Backend) {
  async function occupy(kind: keyof typeof LIMITS, name: string): Promise<boolean> {
    for (let place = 0; place < LIMITS[kind]; place += 1) {
      if (await backend.add(keyOf(kind, name, place), OCCUPIED, WINDOW_SECONDS)) return true;
    }
    return false;
  }
  return {
    /** Counts an attempt before its password is checked, so that concurrent ones count too. @returns false: too many */
    take: async (interactionId: string, account: Account) =>
      (await occupy('interaction', interactionId)) && (await occupy('account', nameOf(account))),
    /** A right password ends the counting for the account, from that network. */
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
