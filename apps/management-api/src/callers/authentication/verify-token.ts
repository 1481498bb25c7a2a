import {
  createTokenVerifier,
  type IdpAccessTokenClaims,
  idpAccessToken,
  organizationFrom,
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
 * @param options.organizationClaim the claim that names the organization; it becomes `organization_id`
 * @throws {TokenRefused}
 * @throws {KeysUnavailable}
 */
export function createCallerTokenVerifier(options: {
  issuers: readonly TrustedIssuer[];
  audience: string;
  clock: () => Date;
  types: readonly AccessTokenType[];
  organizationClaim: string;
}): VerifyToken<IdpAccessTokenClaims> {
  const { types, organizationClaim } = options;
  const typed = createTokenVerifier(
    { ...idpAccessToken, typ: types.filter((type) => type === 'at+jwt') },
    options,
  );
  const untyped = createTokenVerifier(
    {
      ...untypedIdpAccessToken,
      typ: types.filter((type) => type !== 'at+jwt').map((type) => (type === 'absent' ? undefined : type)),
    },
    options,
  );
  // The type is checked before the signature, so that only one of the two verifies it.
  const verify: typeof typed = (token) =>
    typed(token).catch((err: unknown) => {
      if (err instanceof TokenRefused && err.reason === 'typ') return untyped(token);
      throw err;
    });
  return organizationFrom(organizationClaim, verify);
}
