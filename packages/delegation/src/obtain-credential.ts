import { hash } from 'node:crypto';
import type { Logger } from '@legate/service/outbound';
import type { SingleFlight } from '@legate/single-flight';
import type { Caller } from './domain/caller.ts';
import { allowsScopes, type Connector } from './domain/connector.ts';
import type { AccessToken, Delegation, Obtained, Refusal } from './domain/delegation.ts';
import type { SignOuts } from './domain/sign-outs.ts';
import type { Delegate } from './fallback.ts';
import { type AuthMethod, isRenewable, methodFacts } from './methods/facts.ts';
import type { ServedConnector } from './methods/settings.ts';
import type { SharedFlight } from './shared-flight.ts';
import type { SignInDemand } from './token-cache/demands.ts';
import type { TokenCache } from './token-cache/token-cache.ts';
import type { TokenOwner } from './token-cache/token-keys.ts';
import { createOwnerOf } from './token-owner.ts';

export interface Need {
  /** Scopes that the credential must have; empty: any credential is sufficient. */
  readonly scopes: readonly string[];
  /**
   * The request that needs the scopes. A token with scopes beyond the connector's own is cached for that request, and
   * sent with no other.
   */
  readonly operation?: string | undefined;
  /** An access token that the tool server has rejected. */
  readonly rejected?: string | undefined;
}

export interface Delegations {
  /** Returns a credential for this user at this connector: the cached one if it is sufficient, otherwise a new one. */
  obtain(caller: Caller, connector: ServedConnector, need: Need): Promise<Obtained>;
  /**
   * Revokes this user's cached and pending tokens in all processes, and removes the cached ones at these connectors.
   * @throws {Error} when the store cannot be reached
   */
  signOut(caller: Caller, connectors: readonly ServedConnector[]): Promise<void>;
}

interface Parts {
  readonly cache: TokenCache;
  /** Flights of this process */
  readonly flights: SingleFlight<Obtained>;
  /** Flights of all processes on the store */
  readonly shared: SharedFlight;
  readonly delegate: Delegate;
  /** Read together with the cached token: an ID token is no longer valid after its user has signed out. */
  readonly signOuts: SignOuts;
  /** Saves which user a sign-in (`sid`) belongs to: a logout token may name only the sign-in. */
  readonly rememberSignIn: (caller: Caller) => Promise<void>;
  /** Counts each method that was tried */
  readonly outcomes: { inc(labels: { method: AuthMethod; outcome: Delegation['outcome'] }): void };
  /** True if the identity provider receives proof of the agent */
  readonly provesActors?: boolean | undefined;
  readonly log: Logger;
}

/** A delegation that is shared by all callers that wait for it. */
interface Flight {
  readonly caller: Caller;
  readonly connector: ServedConnector;
  readonly need: Need;
  /** Read with the cached token before the flight began (`Lookup`); undefined: the store is unavailable */
  readonly revocationEpoch: string | undefined;
  /** Returns true once the user has signed out. */
  readonly isForgotten: () => boolean;
}

/**
 * Obtains credentials, step by step:
 *
 * 1. `refuseScopes`: nobody gets scopes that the connector or the agent's binding does not list.
 * 2. `cache`: a cached token is used, unless the user has signed out or the tool server has rejected the token.
 * 3. `flights`, `shared`: all callers that need the same token wait for one delegation, in this process and in others.
 * 4. `tryMethods`: tries the connector's methods, in their order (`fallback.ts`).
 * 5. `keep`: caches the token. A refusal by policy removes the tokens that are cached.
 */
export function createDelegations(parts: Parts): Delegations {
  const { cache, flights, shared, signOuts } = parts;
  const ownerOf = createOwnerOf({ isOfAgent: parts.provesActors === true });
  const delegateAndKeep = createDelegateAndKeep(parts, ownerOf);

  return {
    async obtain(caller, connector, need) {
      const refused = refuseScopes(connector, need.scopes);
      if (refused) return refused;
      if (!connector.methods.some(({ method }) => isRenewable(method))) {
        await signOuts.readAndCheck(caller);
        const own = { scopes: need.scopes };
        return delegateAndKeep({
          caller,
          connector,
          need: own,
          revocationEpoch: undefined,
          isForgotten: () => false,
        });
      }

      const owner = ownerOf(caller, connector);
      const use = { ...signInOf(caller), operation: need.operation };
      const found = await cache.find(owner, use, signOuts.entryNamesOf(caller));
      signOuts.check(caller, found.further);
      const { credential: cached, revocationEpoch } = found;
      if (cached && suffices(cached, need))
        return { outcome: 'granted', credential: cached, fromCache: true };
      // If no new token can be obtained, the next call must not try the rejected one again. If removing the rejected
      // token fails, the only cost is one more try.
      if (cached && cached.accessToken === need.rejected) await cache.drop(owner, cached.accessToken);

      const { operation, rejected } = need;
      const wanted = { scopes: stepUpFrom(cached, need), operation, rejected };
      const key = flightKey(caller, owner, wanted, revocationEpoch);
      return flights.run(key, flightOwner(caller), (isForgotten) => {
        const work = () => delegateAndKeep({ caller, connector, need: wanted, revocationEpoch, isForgotten });
        if (revocationEpoch === undefined) return work(); // without the store, nothing can be shared
        return shared.run(key, work, async (): Promise<Obtained | undefined> => {
          const credential = await cache.findSince(owner, use, revocationEpoch);
          if (!credential || !suffices(credential, need)) return undefined;
          return { outcome: 'granted', credential, fromCache: true };
        });
      });
    },
    async signOut(caller, connectors) {
      flights.forget(flightOwner(caller));
      const { organizationId, userId } = caller;
      await cache.revoke({ organizationId, userId });
      await Promise.all(connectors.map((connector) => cache.remove(ownerOf(caller, connector))));
    },
  };
}

/** Carries out steps 4 and 5 of `createDelegations`. */
function createDelegateAndKeep(
  parts: Pick<Parts, 'cache' | 'delegate' | 'rememberSignIn' | 'outcomes' | 'log'>,
  ownerOf: ReturnType<typeof createOwnerOf>,
) {
  const { cache, delegate, rememberSignIn, outcomes, log } = parts;

  function tryMethods(
    caller: Caller,
    connector: ServedConnector,
    { scopes, rejected }: Need,
  ): Promise<Delegation> {
    const onOutcome = (method: AuthMethod, tried: Delegation): void => {
      outcomes.inc({ method, outcome: tried.outcome });
      if (tried.outcome === 'granted') return;
      const { outcome, reason } = tried;
      const about = { connector_id: connector.id, organization_id: connector.organizationId };
      log.info({ ...about, user_id: caller.userId, method, outcome, reason }, 'delegation refused');
    };
    return delegate(caller, connector, scopes, onOutcome, rejected);
  }

  async function keep(
    delegation: Delegation,
    { caller, connector, need, revocationEpoch, isForgotten }: Flight,
  ): Promise<void> {
    const isStepUp = need.scopes.length > 0;
    const owner = ownerOf(caller, connector);
    const demand: SignInDemand = delegation.outcome === 'expired' ? delegation : {};
    // A refusal of additional scopes says nothing about the ordinary token. A demand for claims must be remembered, or
    // the next sign-in's token with these scopes would be used for this one too.
    if (endsTokens(delegation) && (!isStepUp || demand.claims !== undefined))
      await cache.refuse(owner, caller.authentication, demand);
    if (delegation.outcome !== 'granted' || isForgotten()) return;
    const { credential } = delegation;
    // The caller's own token and a connector's secret are not cached.
    if (credential.kind !== 'access_token' || !isRenewable(credential.method)) return;
    await rememberSignIn(caller);
    const operation = isStepUp ? need.operation : undefined;
    const hasMetClaims = caller.session?.claimsMet !== undefined;
    const use = { ...signInOf(caller), operation, method: methodFacts(credential.method), hasMetClaims };
    await cache.store(owner, use, credential, revocationEpoch);
  }

  return async (flight: Flight): Promise<Obtained> => {
    const delegation = await tryMethods(flight.caller, flight.connector, flight.need);
    await keep(delegation, flight);
    return delegation.outcome === 'granted' ? { ...delegation, fromCache: false } : delegation;
  };
}

/** Refuses scopes that are not bound to the agent, or that the connector's administrator has not listed. */
function refuseScopes(connector: Connector, scopes: readonly string[]): Refusal | undefined {
  if (allowsScopes(connector, scopes)) return undefined;
  return connector.binding?.scopesKey === undefined
    ? { outcome: 'denied', by: 'connector', scopes, reason: 'beyond the scopes of the connector' }
    : { outcome: 'denied', by: 'binding', scopes, reason: 'not bound to the agent' };
}

/**
 * Returns true for a refusal that invalidates the user's cached tokens: policy was consulted about them, and did not
 * grant a token.
 */
function endsTokens(delegation: Delegation): delegation is Refusal {
  switch (delegation.outcome) {
    case 'denied':
      return delegation.by === 'idp' || delegation.by === 'tool_server';
    case 'expired':
      return delegation.connect === undefined && !delegation.needsSession;
    default:
      return false;
  }
}

/** Returns the scopes for a step-up. They include those of the ordinary token, because the tool may need them too. */
const stepUpFrom = (cached: AccessToken | undefined, { scopes }: Need): readonly string[] =>
  scopes.length > 0 ? [...new Set([...(cached?.scopes ?? []), ...scopes])].sort() : [];

/**
 * Returns the key of a flight. No caller joins a flight that began before a revocation, or with an older configuration
 * of the connector.
 */
function flightKey(
  caller: Caller,
  owner: TokenOwner,
  need: Need,
  revocationEpoch: string | undefined,
): string {
  const { scopes, operation, rejected } = need;
  // Another ID token of the same user may be older, or from a weaker sign-in, so its outcome is separate.
  const subject = hash('sha256', caller.subjectToken, 'base64url');
  // A flight that may return the rejected token must not be shared with callers who need another one.
  const refusedToken = rejected && hash('sha256', rejected, 'base64url');
  // A token with more scopes than the ordinary one is only for this operation.
  const stepUpFor = scopes.length > 0 ? operation : undefined;
  const parts = [Object.values(owner), revocationEpoch, subject, scopes, stepUpFor ?? null, refusedToken];
  return JSON.stringify(parts);
}

const suffices = ({ accessToken, scopes }: AccessToken, { scopes: needed, rejected }: Need): boolean =>
  accessToken !== rejected && needed.every((scope) => scopes.includes(scope));

/** A session is one sign-in, however often its ID token is renewed; without one, each ID token is its own. */
const signInOf = ({ authentication, session, subjectTokenId }: Caller) => ({
  authentication,
  signInKey: session?.key ?? subjectTokenId,
});

const flightOwner = (caller: Caller): string => JSON.stringify([caller.organizationId, caller.userId]);
