import { randomUUID } from 'node:crypto';
import { type Actor, actorToken, epochSeconds, type SigningKeys } from '@legate/jwt';
import type { Caller } from '../../domain/caller.ts';

/** An authenticated agent, as it is presented to the identity provider. */
export interface ProvenActor {
  /** The expected `act` of the ID-JAG, if the ID-JAG has one */
  readonly act: Actor;
  readonly token: string;
}

/**
 * Returns a token that proves to the identity provider which agent acts for a user.
 * @param audience issuer of the identity provider
 * @returns undefined if no agent has authenticated
 * @see RFC 8693 §2.1
 */
export type ProveActor = (caller: Caller, audience: string) => Promise<ProvenActor | undefined>;

const LIFETIME_SECONDS = 60;
const SUB_PROFILE = 'ai_agent';

/**
 * @param deps.issuer issuer of the tokens, whose keys sign them: ours
 * @param deps.clientId our client at the identity provider, which alone may present the tokens
 */
export function createProveActor(deps: {
  issuer: string;
  clientId: string;
  signingKeys: SigningKeys;
  clock: () => Date;
}): ProveActor {
  const { issuer, clientId, signingKeys, clock } = deps;
  return async ({ agentId, organizationId }, audience) => {
    if (agentId === undefined) return undefined;
    const now = epochSeconds(clock());
    const act = { iss: issuer, sub: agentId, sub_profile: SUB_PROFILE };
    const token = await signingKeys.sign(
      {
        ...act,
        aud: audience,
        client_id: clientId,
        organization_id: organizationId,
        iat: now,
        exp: now + LIFETIME_SECONDS,
        jti: randomUUID(),
      },
      { typ: actorToken.typ[0] },
    );
    return { act, token };
  };
}
