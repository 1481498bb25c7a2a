import { createRemoteJWKSet, jwtVerify } from 'jose';
import { IDP_ISSUER, MAX_ASSERTION_SECONDS, RESOURCE, SCOPE, SKEW_SECONDS } from './scene.ts';

export interface CheckedAssertion {
  readonly sub: string;
  readonly scope: string;
  readonly jti: string;
}

const SCOPES = new Set(SCOPE.split(' '));

/** Creates the check of an ID-JAG that the peers have in common: by jose, with every check of the grant, once per `jti`. */
export function createAssertionCheck(jwksUri: string) {
  const idpKeys = createRemoteJWKSet(new URL(jwksUri));
  /** Epoch seconds at which an assertion expires, by its `jti` */
  const used = new Map<string, number>();

  /** @throws {Error} if the assertion is refused */
  return async (assertion: string, clientId: string): Promise<CheckedAssertion> => {
    const { payload } = await jwtVerify(assertion, idpKeys, {
      issuer: IDP_ISSUER,
      audience: RESOURCE,
      typ: 'oauth-id-jag+jwt',
      algorithms: ['RS256', 'ES256'],
      clockTolerance: SKEW_SECONDS,
      requiredClaims: ['sub', 'client_id', 'jti', 'iat', 'exp'],
    });
    const { sub, aud, jti, iat, exp, client_id, resource, scope } = payload;
    const now = Math.floor(Date.now() / 1000);
    const isValid =
      typeof sub === 'string' &&
      typeof jti === 'string' &&
      typeof scope === 'string' &&
      typeof iat === 'number' &&
      typeof exp === 'number' &&
      typeof aud === 'string' &&
      iat <= now + SKEW_SECONDS &&
      exp - iat <= MAX_ASSERTION_SECONDS &&
      client_id === clientId &&
      resource === RESOURCE &&
      scope.split(' ').every((each) => SCOPES.has(each));
    if (!isValid) throw new Error('claims');
    if (used.has(jti)) throw new Error('replayed');
    used.set(jti, exp + SKEW_SECONDS);
    return { sub, scope, jti };
  };
}
