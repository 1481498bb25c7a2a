export { OrganizationId, UserId } from '@legate/ids';
export { Actor } from './actor.ts';
export { KeysUnavailable, type RefusalReason, TokenRefused } from './errors.ts';
export {
  ACCESS_TOKEN_MARKS,
  type AccessTokenMark,
  boundedIdToken,
  DEFAULT_MAX_ID_TOKEN_LIFETIME_SECONDS,
} from './id-token-profile.ts';
export { ASYMMETRIC_ALGORITHMS, readJwt } from './jws.ts';
export { createKeySet, createLocalKeys, type KeyLookup, type KeySetOptions } from './key-set.ts';
export { oneTimeKey } from './one-time-key.ts';
export { optional, strictIfThere } from './optional-members.ts';
export { privateJwks } from './private-jwks.ts';
export {
  type AccessTokenClaims,
  type ActorTokenClaims,
  accessToken,
  actorToken,
  type ClientAssertionClaims,
  clientAssertion,
  type IdJagClaims,
  type IdpAccessTokenClaims,
  type IdTokenClaims,
  idJag,
  idpAccessToken,
  idToken,
  type LogoutTokenClaims,
  logoutToken,
  type TransactionTokenClaims,
  transactionToken,
  untypedIdpAccessToken,
} from './profiles.ts';
export { createSigningKeys, publicJwk, type SigningAlgorithm, type SigningKeys } from './signing-keys.ts';
export type { SubjectIdentifier } from './subject-identifier.ts';
export { tokenId } from './token-id.ts';
export type { RegisteredClaims, TokenProfile } from './token-profile.ts';
export { keyFault } from './usable-keys.ts';
export { type CachedVerifyToken, cacheVerified } from './verified-cache.ts';
export {
  createTokenVerifier,
  epochSeconds,
  type TrustedIssuer,
  type VerifiedToken,
  type VerifyToken,
} from './verifier.ts';
