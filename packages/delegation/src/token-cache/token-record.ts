import type { Authentication } from '../domain/caller.ts';
import type { AccessToken } from '../domain/delegation.ts';
import type { AuthMethodFacts } from '../domain/method-facts.ts';
import { type Demand, type SignInDemand, withDemand } from './demands.ts';

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
  /** The `signInKey` of the only sign-in that may use the token; absent: every sign-in as strong as `obtained_with` */
  readonly sign_in?: string;
  /** The only operation that may use the token, if it has more scopes than the ordinary one */
  readonly operation: string | undefined;
}

/**
 * Version of the encrypted form. It must change with the members of these interfaces that are not optional. Only this
 * program writes such entries, so the version is sufficient, and checking each member would cost as much as decryption.
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
  /** The id of this very sign-in, which stays the same when a session renews its ID token */
  readonly signInKey: string;
  /** The request that the token is for; a token for this request is preferred to the ordinary one. */
  readonly operation?: string | undefined;
}

/** The use of a new token, and the method that obtained the token */
export interface KeepingUse extends TokenUse {
  readonly method: Pick<AuthMethodFacts, 'issuesTokens' | 'grantedBy'>;
  /** True if the user has signed in because the identity provider asked for it with `claims` */
  readonly hasMetClaims?: boolean | undefined;
}

/** The conditions that a token must meet besides its use */
export interface Validity {
  /** Epoch seconds */
  readonly now: number;
  readonly epoch: string;
  readonly registration: string;
}

export function chooseToken({ tokens }: Kept, use: TokenUse, validity: Validity): KeptToken | undefined {
  let ordinary: KeptToken | undefined;
  for (const kept of tokens) {
    if (!isValid(kept, validity) || !mayBeUsedWith(kept, use, validity.now)) continue;
    if (kept.operation === undefined) ordinary ??= kept;
    else if (kept.operation === use.operation) return kept;
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
 * Of `amr` every method must be present. What an ID token says may not tell two sign-ins apart, so a token that needed
 * `claims` is only for the sign-in that obtained it. All other sign-ins obtain their own token, if policy grants it.
 */
function mayBeUsedWith(
  { obtained_with, max_age, sign_in }: KeptToken,
  { authentication, signInKey }: Pick<TokenUse, 'authentication' | 'signInKey'>,
  now: number,
): boolean {
  if (obtained_with === undefined) return true;
  if (sign_in !== undefined && sign_in !== signInKey) return false;
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
    ...(isBound && demand?.max_age !== undefined && { max_age: demand.max_age }),
    ...(isBound && (demand?.by_claims || facts.hasMetClaims) && { sign_in: facts.signInKey }),
    operation,
  };
  const isNeeded = (other: KeptToken): boolean =>
    isValid(other, facts) &&
    !(other.operation === operation && mayBeUsedWith(added, useThatObtained(other) ?? facts, now));
  return {
    demands: kept.demands.filter(({ kept_until }) => kept_until > now),
    tokens: [...kept.tokens.filter(isNeeded), added].slice(-MAX_TOKENS),
  };
}

export const withoutToken = (kept: Kept, accessToken: string): Kept => ({
  ...kept,
  tokens: kept.tokens.filter(({ token }) => token.access_token !== accessToken),
});

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
  const { maxAge } = demand;
  return {
    tokens: kept.tokens.flatMap((token): KeptToken[] => {
      if (token.obtained_with?.client !== client) return [token];
      if (!meets(token.obtained_with, demand, now)) return [];
      return [maxAge === undefined ? token : { ...token, max_age: maxAge }];
    }),
    demands: withDemand(kept.demands, client, demand, { now, keptUntil }),
  };
}

function meets(
  { acr, auth_time }: NonNullable<KeptToken['obtained_with']>,
  { maxAge, acrValues, claims }: SignInDemand,
  now: number,
): boolean {
  // No ID token says which `claims` its sign-in has met.
  if (claims !== undefined || (maxAge === undefined && acrValues === undefined)) return false;
  if (acrValues !== undefined && (acr === undefined || !acrValues.split(' ').includes(acr))) return false;
  return maxAge === undefined || (auth_time !== undefined && now - auth_time <= maxAge);
}

const toRecord = ({
  client,
  acr,
  amr,
  authTime,
}: Authentication): NonNullable<KeptToken['obtained_with']> => ({ client, acr, amr, auth_time: authTime });

/** A token that is not bound to its sign-in does not name it, so the sign-in counts as different from every other. */
function useThatObtained({ obtained_with, sign_in = '' }: KeptToken): TokenUse | undefined {
  return (
    obtained_with && {
      authentication: {
        client: obtained_with.client,
        acr: obtained_with.acr,
        amr: obtained_with.amr,
        authTime: obtained_with.auth_time,
      },
      signInKey: sign_in,
    }
  );
}
