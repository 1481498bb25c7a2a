import type { Authentication } from '../domain/caller.ts';
import type { AccessToken } from '../domain/delegation.ts';
import type { AuthMethodFacts } from '../domain/method-facts.ts';

/** The cached token record, member by member (product spec §2). No token that is cached here has a refresh token. */
interface TokenRecord {
  readonly access_token: string;
  readonly expires_at: number;
  readonly refresh_token?: string;
  readonly scopes: readonly string[];
}

/** The conditions for using an access token, encrypted together with its record. Times are epoch seconds. */
export interface KeptToken {
  readonly token: TokenRecord;
  /** The `tokenId` of the token, stored so that it need not be computed for each call */
  readonly id: string;
  readonly method: string;
  readonly registration: string;
  readonly epoch: string;
  /** Time at which the token expires in the cache. Another token under the same key may live longer */
  readonly kept_until: number;
  /** The sign-in that the token was obtained with; absent: it was obtained without a sign-in */
  readonly obtained_with?: {
    readonly client: string;
    readonly acr: string | undefined;
    readonly amr: readonly string[] | undefined;
    readonly auth_time: number | undefined;
  };
  /** Seconds for which the identity provider accepts a sign-in for this connector */
  readonly max_age?: number;
  /** The only operation that may use the token, if it has more scopes than the ordinary one */
  readonly operation: string | undefined;
}

/** The identity provider's demand on a client's sign-ins; it outlives the tokens that were dropped because of it. */
interface Demand {
  readonly client: string;
  readonly max_age: number;
  readonly kept_until: number;
}

/**
 * Version of the encrypted form. It must change with the members of these interfaces. Only this program writes such
 * entries, so the version is sufficient, and checking each member would cost as much as decryption.
 */
const VERSION = 1;

interface Envelope {
  readonly version: typeof VERSION;
  readonly tokens: readonly KeptToken[];
  readonly demands?: readonly Demand[];
}

/** The value of one key of the cache */
export interface Kept {
  readonly tokens: readonly KeptToken[];
  readonly demands: readonly Demand[];
}

export const NOTHING_KEPT: Kept = { tokens: [], demands: [] };

/**
 * Maximum number of tokens of one user at one connector: enough for a few applications and sign-ins, and tools with
 * extra scopes. The oldest are dropped first.
 */
const MAX_TOKENS = 12;
const MAX_DEMANDS = 4;

/** Returns an empty value for an entry that another version of this program wrote. */
export function parseKept(text: string): Kept {
  try {
    const { version, tokens, demands = [] }: Partial<Envelope> = JSON.parse(text);
    return version === VERSION && Array.isArray(tokens) ? { tokens, demands } : NOTHING_KEPT;
  } catch {
    return NOTHING_KEPT; // the parser's error is dropped, because it would quote the text
  }
}

export const serializeKept = ({ tokens, demands }: Kept): string =>
  JSON.stringify({ version: VERSION, tokens, ...(demands.length > 0 && { demands }) } satisfies Envelope);

/** The requested token, and its user */
export interface TokenUse {
  readonly authentication: Authentication;
  /** The request that the token is for; a token for this request is preferred to the ordinary one. */
  readonly operation?: string | undefined;
}

/** The use of a new token, and the method that obtained the token */
export interface KeepingUse extends TokenUse {
  readonly method: Pick<AuthMethodFacts, 'issuesTokens' | 'grantedBy'>;
}

/** The conditions that a token must meet besides its use */
export interface Validity {
  /** Epoch seconds */
  readonly now: number;
  readonly epoch: string;
  readonly registration: string;
}

export function chooseToken(
  { tokens }: Kept,
  { authentication, operation }: TokenUse,
  validity: Validity,
): KeptToken | undefined {
  let ordinary: KeptToken | undefined;
  for (const kept of tokens) {
    if (!isValid(kept, validity) || !mayBeUsedWith(kept, authentication, validity.now)) continue;
    if (kept.operation === undefined) ordinary ??= kept;
    else if (kept.operation === operation) return kept;
  }
  return ordinary;
}

/** A token that a slow clock has kept too long counts as absent. */
const isValid = ({ token, kept_until, registration, epoch }: KeptToken, expected: Validity): boolean =>
  token.expires_at > expected.now &&
  kept_until > expected.now &&
  registration === expected.registration &&
  epoch === expected.epoch;

/**
 * Returns true if a token may be used with a sign-in: it must be of the same application, and no weaker and no older
 * than the sign-in that obtained the token. Authentication contexts (`acr`) have no known order, so they must be equal.
 * Of `amr` every method must be present. All other sign-ins obtain their own token, if policy grants it.
 */
function mayBeUsedWith(
  { obtained_with, max_age }: KeptToken,
  authentication: Authentication,
  now: number,
): boolean {
  if (obtained_with === undefined) return true;
  if (
    max_age !== undefined &&
    !(authentication.authTime !== undefined && now - authentication.authTime <= max_age)
  )
    return false;
  const { client, acr, amr, auth_time } = obtained_with;
  return (
    client === authentication.client &&
    (acr === undefined || acr === authentication.acr) &&
    (amr === undefined || amr.every((method) => authentication.amr?.includes(method))) &&
    (auth_time === undefined ||
      (authentication.authTime !== undefined && authentication.authTime >= auth_time))
  );
}

/**
 * Adds a token. It replaces the tokens that are no longer needed, because every sign-in that may use them may use the
 * new one. So two sign-ins of a user at one application end up with the token of the weaker one, and two applications
 * with a token each.
 */
export function withToken(
  kept: Kept,
  credential: AccessToken & { readonly expiresAt: number },
  facts: Validity & KeepingUse & { readonly id: string; readonly keptUntil: number },
): Kept {
  const { authentication, operation, now } = facts;
  // A user's consent is not bound to the application in which they gave it.
  const isBound = facts.method.grantedBy === 'identity_provider';
  const demand = kept.demands.find(({ client }) => client === authentication.client);
  const added: KeptToken = {
    token: {
      access_token: credential.accessToken,
      expires_at: credential.expiresAt,
      scopes: [...credential.scopes],
    },
    id: facts.id,
    method: credential.method,
    registration: facts.registration,
    epoch: facts.epoch,
    kept_until: facts.keptUntil,
    ...(isBound && { obtained_with: toRecord(authentication) }),
    ...(isBound && demand && { max_age: demand.max_age }),
    operation,
  };
  const isNeeded = (other: KeptToken): boolean =>
    isValid(other, facts) &&
    !(other.operation === operation && mayBeUsedWith(added, authenticationOf(other) ?? authentication, now));
  return {
    demands: kept.demands.filter(({ kept_until }) => kept_until > now),
    tokens: [...kept.tokens.filter(isNeeded), added].slice(-MAX_TOKENS),
  };
}

export const withoutToken = (kept: Kept, accessToken: string): Kept => ({
  ...kept,
  tokens: kept.tokens.filter(({ token }) => token.access_token !== accessToken),
});

/** The reason why a sign-in was refused. If neither member is set, it was denied or is no longer accepted. */
export interface SignInDemand {
  readonly maxAge?: number | undefined;
  readonly acrValues?: string | undefined;
}

/**
 * Drops the tokens of an application whose user was denied, or must sign in. Tokens that meet the demand are kept: they
 * were obtained with another sign-in, which was strong enough.
 * @param keptUntil expiry of the demand, in epoch seconds
 */
export function withoutRefused(
  kept: Kept,
  { client }: Authentication,
  demand: SignInDemand,
  { now, keptUntil }: { now: number; keptUntil: number },
): Kept {
  const { maxAge, acrValues } = demand;
  const others = kept.demands.filter((other) => other.client !== client && other.kept_until > now);
  return {
    tokens: kept.tokens.flatMap((token): KeptToken[] => {
      if (token.obtained_with?.client !== client) return [token];
      if (!meets(token.obtained_with, demand, now)) return [];
      return [maxAge === undefined ? token : { ...token, max_age: maxAge }];
    }),
    demands:
      maxAge === undefined && acrValues === undefined
        ? kept.demands
        : [
            ...others,
            ...(maxAge === undefined ? [] : [{ client, max_age: maxAge, kept_until: keptUntil }]),
          ].slice(-MAX_DEMANDS),
  };
}

function meets(
  { acr, auth_time }: NonNullable<KeptToken['obtained_with']>,
  { maxAge, acrValues }: SignInDemand,
  now: number,
): boolean {
  if (maxAge === undefined && acrValues === undefined) return false;
  if (acrValues !== undefined && (acr === undefined || !acrValues.split(' ').includes(acr))) return false;
  return maxAge === undefined || (auth_time !== undefined && now - auth_time <= maxAge);
}

const toRecord = ({
  client,
  acr,
  amr,
  authTime,
}: Authentication): NonNullable<KeptToken['obtained_with']> => ({ client, acr, amr, auth_time: authTime });

function authenticationOf({ obtained_with }: KeptToken): Authentication | undefined {
  return (
    obtained_with && {
      client: obtained_with.client,
      acr: obtained_with.acr,
      amr: obtained_with.amr,
      authTime: obtained_with.auth_time,
    }
  );
}
