/** The reason why a sign-in was refused. If neither member is set, it was denied or is no longer accepted. */
export interface SignInDemand {
  readonly maxAge?: number | undefined;
  readonly acrValues?: string | undefined;
  readonly claims?: string | undefined;
}

/** The identity provider's demand on a client's sign-ins; it outlives the tokens that were dropped because of it. */
export interface Demand {
  readonly client: string;
  readonly max_age?: number;
  /** The provider has asked for `claims`, and an ID token need not tell whether its sign-in has met them. */
  readonly by_claims?: true;
  readonly kept_until: number;
}

/** Maximum number of applications of one user whose demands at one connector are kept */
const MAX_DEMANDS = 4;

/** Adds a demand. What its application had to meet before still holds, unless the new demand says otherwise. */
export function withDemand(
  demands: readonly Demand[],
  client: string,
  { maxAge, acrValues, claims }: SignInDemand,
  { now, keptUntil }: { now: number; keptUntil: number },
): readonly Demand[] {
  if (maxAge === undefined && acrValues === undefined && claims === undefined) return demands;
  const current = demands.filter(({ kept_until }) => kept_until > now);
  const former = current.find((other) => other.client === client);
  const max_age = maxAge ?? former?.max_age;
  const isByClaims = claims !== undefined || former?.by_claims === true;
  const added: Demand = {
    client,
    ...(max_age !== undefined && { max_age }),
    ...(isByClaims && { by_claims: true }),
    kept_until: keptUntil,
  };
  const others = current.filter((other) => other !== former);
  return max_age === undefined && !isByClaims ? others : [...others, added].slice(-MAX_DEMANDS);
}
