import { hash } from 'node:crypto';
import type { SecureStore } from '@legate/secure-store';
import { z } from 'zod';
import type { Caller } from '../domain/caller.ts';
import { rethrowOutage } from './store-outage.ts';

/** What a sign-in must be (OpenID Connect Core 1.0 §3.1.2.1, RFC 9470 §4) */
const Demand = z.object({
  /** Seconds since the user has actively signed in, at most */
  maxAge: z.number().optional(),
  /** Separated by spaces, the preferred one first */
  acrValues: z.string().optional(),
});
export type SignInDemand = z.output<typeof Demand>;

type User = Pick<Caller, 'organizationId' | 'userId'>;

/** A user who does not come back within this time is asked for it by the next refusal. */
const DEMAND_SECONDS = 900;

export type StepUps = ReturnType<typeof createStepUps>;

/**
 * Remembers which MCP clients must sign their user in once more, and how.
 * All methods throw a 503 `session_store_unavailable` when the store cannot be reached.
 */
export function createStepUps(store: SecureStore) {
  const nameOf = ({ organizationId, userId }: User, clientId: string): string =>
    `as:step-up:${hash('sha256', JSON.stringify([organizationId, userId, clientId]), 'base64url')}`;
  /** Returns the name of the mark under the session's key, which is all that is known of a refresh token. */
  const sessionNameOf = (key: string): string => `as:step-up:session:${key}`;

  return {
    async demand(
      user: User,
      { clientId, sessionKey }: { clientId: string; sessionKey: string },
      demand: SignInDemand,
    ): Promise<void> {
      await Promise.all([
        store.set(nameOf(user, clientId), JSON.stringify(demand), DEMAND_SECONDS),
        store.set(sessionNameOf(sessionKey), '1', DEMAND_SECONDS),
      ]).catch(rethrowOutage);
    },
    async isDemandedOf(sessionKey: string): Promise<boolean> {
      const [mark] = await store.getMany([sessionNameOf(sessionKey)]).catch(rethrowOutage);
      return mark !== undefined;
    },
    async find(user: User, clientId: string): Promise<SignInDemand | undefined> {
      const [text] = await store.getMany([nameOf(user, clientId)]).catch(rethrowOutage);
      return typeof text === 'string' ? Demand.safeParse(JSON.parse(text)).data : undefined;
    },
    /** The user has signed in once more. */
    async meet(user: User, clientId: string): Promise<void> {
      await store.delete(nameOf(user, clientId)).catch(rethrowOutage);
    },
  };
}
