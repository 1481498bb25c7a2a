import { type OrganizationRule, withOrganization } from '@legate/identity-providers';
import {
  createTokenVerifier,
  type IdpAccessTokenClaims,
  idpAccessToken,
  TokenRefused,
  type TrustedIssuer,
  untypedIdpAccessToken,
  type VerifyToken,
} from '@legate/jwt';

/** `absent`: the token has no `typ` */
export const ACCESS_TOKEN_TYPES = ['at+jwt', 'JWT', 'absent'] as const;
export type AccessTokenType = (typeof ACCESS_TOKEN_TYPES)[number];

/**
 * Verifies the tokens of callers: access tokens of the identity provider, of the configured types.
 * @param options.types `at+jwt` (RFC 9068 §2.1) excludes every other kind of token; `untypedIdpAccessToken` documents
 * how other types are distinguished from ID tokens
 * @throws {TokenRefused}
 * @throws {KeysUnavailable}
 */
export function createCallerTokenVerifier(options: {
  issuers: readonly TrustedIssuer[];
  audience: string;
  clock: () => Date;
  types: readonly AccessTokenType[];
  organizationRule: OrganizationRule;
}): VerifyToken<IdpAccessTokenClaims> {
  const { types, organizationRule } = options;
  const verifierFor = (profile: typeof idpAccessToken) =>
    createTokenVerifier(withOrganization(profile, organizationRule), options);
  const typed = verifierFor({ ...idpAccessToken, typ: types.filter((type) => type === 'at+jwt') });
  const untyped = verifierFor({
    ...untypedIdpAccessToken,
    typ: types.filter((type) => type !== 'at+jwt').map((type) => (type === 'absent' ? undefined : type)),
  });
  // The type is checked before the signature, so that only one of the two verifies it.
  return (token) =>
    typed(token).catch((err: unknown) => {
      if (err instanceof TokenRefused && err.reason === 'typ') return untyped(token);
      throw err;
    });
}
