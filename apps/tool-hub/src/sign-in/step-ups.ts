import { hash } from 'node:crypto';
import type { ClaimsMet } from '@legate/delegation';
import { epochSeconds } from '@legate/jwt';
import type { SecureStore } from '@legate/secure-store';
import { z } from 'zod';
import type { Caller } from '../domain/caller.ts';
import { rethrowOutage } from './store-outage.ts';

/** Requirements for a sign-in (OpenID Connect Core 1.0 §3.1.2.1, RFC 9470 §4) */
export const SignInDemand = z.object({
  /** Maximum seconds since the user has actively signed in */
  maxAge: z.number().optional(),
  /** Separated by spaces, the preferred one first */
  acrValues: z.string().optional(),
  /** JSON object, as the identity provider sent it (OpenID Connect Core 1.0 §5.5) */
  claims: z.string().optional(),
});
export type SignInDemand = z.output<typeof SignInDemand>;

type User = Pick<Caller, 'organizationId' | 'userId'>;

/** Seconds for which a demand is kept. A user who returns later gets it again with the next refusal. */
const DEMAND_SECONDS = 900;

export type StepUps = ReturnType<typeof createStepUps>;

/**
 * Stores which MCP clients must sign their user in again, and with which requirements.
 * All methods throw a 503 `session_store_unavailable` when the store cannot be reached.
 */
export function createStepUps({ store, clock }: { store: SecureStore; clock: () => Date }) {
  const nameOf = ({ organizationId, userId }: User, clientId: string): string =>
    `as:step-up:${hash('sha256', JSON.stringify([organizationId, userId, clientId]), 'base64url')}`;
  /** Returns the name of the mark. It contains the session's key, the only thing that is known of a refresh token. */
  const sessionNameOf = (key: string): string => `as:step-up:session:${key}`;
  const now = (): number => epochSeconds(clock());

  async function find(user: User, clientId: string): Promise<SignInDemand | undefined> {
    const [text] = await store.getMany([nameOf(user, clientId)]).catch(rethrowOutage);
    return typeof text === 'string' ? SignInDemand.safeParse(JSON.parse(text)).data : undefined;
  }

  return {
    /**
     * @returns `met`: the session has just been opened by a sign-in for these `claims`, so another one would not help,
     * and none is demanded
     */
    async demand(
      caller: User & Pick<Caller, 'session'>,
      { clientId, sessionKey }: { clientId: string; sessionKey: string },
      demand: SignInDemand,
    ): Promise<'demanded' | 'met'> {
      const met = caller.session?.claimsMet;
      if (
        met &&
        met.until > now() &&
        demand.claims !== undefined &&
        met.fingerprint === nameOfClaims(demand.claims)
      )
        return 'met';
      await Promise.all([
        store.set(nameOf(caller, clientId), serialize(demand), DEMAND_SECONDS),
        store.set(sessionNameOf(sessionKey), '1', DEMAND_SECONDS),
      ]).catch(rethrowOutage);
      return 'demanded';
    },
    async isDemandedOf(sessionKey: string): Promise<boolean> {
      const [mark] = await store.getMany([sessionNameOf(sessionKey)]).catch(rethrowOutage);
      return mark !== undefined;
    },
    find,
    /**
     * Removes a demand, because the user has signed in as it requires. One that was made meanwhile remains.
     * @returns what the session of that sign-in must hold
     */
    async meet(user: User, clientId: string, demand: SignInDemand): Promise<ClaimsMet | undefined> {
      await store.replace(nameOf(user, clientId), serialize(demand), undefined).catch(rethrowOutage);
      const { claims } = demand;
      return claims === undefined
        ? undefined
        : { fingerprint: nameOfClaims(claims), until: now() + DEMAND_SECONDS };
    },
  };
}

/** Writes equal demands equally, because they are compared as text. */
const serialize = ({ maxAge, acrValues, claims }: SignInDemand): string =>
  JSON.stringify({ maxAge, acrValues, claims });

const nameOfClaims = (claims: string): string => hash('sha256', claims, 'base64url');
