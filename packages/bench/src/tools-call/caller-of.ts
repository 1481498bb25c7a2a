import { cacheVerified, createKeySet, createTokenVerifier, type IdTokenClaims, idToken } from '@legate/jwt';
import { readBearer } from '@legate/oauth';
import type { JSONWebKeySet } from 'jose';
import { request } from 'undici';
import { APPLICATION_ID, WORLD_PATHS } from './scene.ts';

/** The data of a caller that a peer uses. */
export interface PeerCaller {
  readonly idToken: string;
  readonly organizationId: string;
  readonly userId: string;
}

/** Reads and verifies the ID token of a request as the hub does, with the same cache of verified tokens. */
export function createCallerOf(world: string) {
  const clock = () => new Date();
  const issuer = `${world}${WORLD_PATHS.idp}`;
  const keys = createKeySet({
    issuer,
    load: async () => (await (await request(`${world}${WORLD_PATHS.idpJwks}`)).body.json()) as JSONWebKeySet,
    clock,
  });
  const verify = cacheVerified(
    createTokenVerifier<IdTokenClaims>(idToken, {
      issuers: [{ issuer, keys }],
      audience: APPLICATION_ID,
      clock,
    }),
    { clock },
  );
  /** @returns undefined for a request without such a token */
  return async (authorization: string | undefined): Promise<PeerCaller | undefined> => {
    const bearer = readBearer(authorization);
    if (bearer.kind !== 'token') return undefined;
    const { claims } = await verify(bearer.token);
    const { organization_id: organizationId, sub: userId } = claims;
    return organizationId === undefined ? undefined : { idToken: bearer.token, organizationId, userId };
  };
}
