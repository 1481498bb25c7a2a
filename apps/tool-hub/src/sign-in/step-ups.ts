import { hash } from 'node:crypto';
import type { SecureStore } from '@legate/secure-store';
import { z } from 'zod';
import type { Caller } from '../domain/caller.ts';
import { rethrowOutage } from './store-outage.ts';

/** Requirements for a sign-in (OpenID Connect Core 1.0 §3.1.2.1, RFC 9470 §4) */
const Demand = z.object({
  /** Maximum seconds since the user has actively signed in */
  maxAge: z.number().optional(),
  /** Separated by spaces, the preferred one first */
  acrValues: z.string().optional(),
  /** JSON object, as the identity provider sent it (OpenID Connect Core 1.0 §5.5) */
  claims: z.string().optional(),
});
export type SignInDemand = z.output<typeof Demand>;

type User = Pick<Caller, 'organizationId' | 'userId'>;

/** Seconds for which a demand is kept. A user who returns later gets it again with the next refusal. */
const DEMAND_SECONDS = 900;

export type StepUps = ReturnType<typeof createStepUps>;

/**
 * Stores which MCP clients must sign their user in again, and with which requirements.
 * All methods throw a 503 `session_store_unavailable` when the store cannot be reached.
 */
export function createStepUps(store: SecureStore) {
  const nameOf = ({ organizationId, userId }: User, clientId: string): string =>
    `as:step-up:${hash('sha256', JSON.stringify([organizationId, userId, clientId]), 'base64url')}`;
  /** Returns the name of the mark. It contains the session's key, the only thing that is known of a refresh token. */
  const sessionNameOf = (key: string): string => `as:step-up:session:${key}`;
  /** Returns the name of the last challenge that a sign-in was made for. */
  const metNameOf = ({ organizationId, userId }: User, clientId: string): string =>
    `as:step-up:met:${hash('sha256', JSON.stringify([organizationId, userId, clientId]), 'base64url')}`;

  async function find(user: User, clientId: string): Promise<SignInDemand | undefined> {
    const [text] = await store.getMany([nameOf(user, clientId)]).catch(rethrowOutage);
    return typeof text === 'string' ? Demand.safeParse(JSON.parse(text)).data : undefined;
  }

  return {
    /**
     * @returns `met`: the user has already signed in for these `claims`, so another sign-in would not help, and none is
     * demanded
     */
    async demand(
      user: User,
      { clientId, sessionKey }: { clientId: string; sessionKey: string },
      demand: SignInDemand,
    ): Promise<'demanded' | 'met'> {
      if (demand.claims !== undefined) {
        const [met] = await store.getMany([metNameOf(user, clientId)]).catch(rethrowOutage);
        if (met === fingerprint(demand.claims)) return 'met';
      }
      await Promise.all([
        store.set(nameOf(user, clientId), JSON.stringify(demand), DEMAND_SECONDS),
        store.set(sessionNameOf(sessionKey), '1', DEMAND_SECONDS),
      ]).catch(rethrowOutage);
      return 'demanded';
    },
    async isDemandedOf(sessionKey: string): Promise<boolean> {
      const [mark] = await store.getMany([sessionNameOf(sessionKey)]).catch(rethrowOutage);
      return mark !== undefined;
    },
    find,
    /** Removes the mark, because the user has signed in again. */
    async meet(user: User, clientId: string): Promise<void> {
      const claims = (await find(user, clientId))?.claims;
      if (claims !== undefined)
        await store.set(metNameOf(user, clientId), fingerprint(claims), DEMAND_SECONDS).catch(rethrowOutage);
      await store.delete(nameOf(user, clientId)).catch(rethrowOutage);
    },
  };
}

const fingerprint = (claims: string): string => hash('sha256', claims, 'base64url');
