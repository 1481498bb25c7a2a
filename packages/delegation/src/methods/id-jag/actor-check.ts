import { type Actor, Actor as ActorSchema } from '@legate/jwt';

/** The actors that an ID-JAG may name */
export interface ExpectedActor {
  /** The agent that was named in the request; undefined: none */
  readonly named: Actor | undefined;
  /** Our client at the identity provider, and its issuer, which may name the client as the actor if we named none */
  readonly clientId: string;
  readonly issuer: string;
}

/** `agent`: the named one. `provider`: the identity provider has named our own client. */
export type CheckedActor = 'agent' | 'provider' | 'none' | 'another';

/** Determines whom the claim `act` of an ID-JAG names. Any other actor would appear in the tool server's logs. */
export function actorOf(claimed: unknown, { named, clientId, issuer }: ExpectedActor): CheckedActor {
  if (claimed === undefined) return 'none';
  const { data: actor } = ActorSchema.safeParse(claimed);
  if (!actor || actor.act !== undefined) return 'another';
  if (named === undefined)
    return actor.sub === clientId && (actor.iss === undefined || actor.iss === issuer)
      ? 'provider'
      : 'another';
  return actor.iss === named.iss && actor.sub === named.sub && actor.sub_profile === named.sub_profile
    ? 'agent'
    : 'another';
}
