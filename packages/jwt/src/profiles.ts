import { OrganizationId, UserId } from '@legate/ids';
import { z } from 'zod';
import { Actor } from './actor.ts';
import { identifier } from './identifier.ts';
import { optional, strictIfThere } from './optional-members.ts';
import { subjectIdentifierClaim } from './subject-identifier.ts';
import { registered, type TokenProfile } from './token-profile.ts';

/** Claims about a user besides `sub`; optional everywhere (product spec §5). */
const userClaims = {
  email: optional.text,
  groups: optional.texts,
  roles: optional.texts,
  organization_id: OrganizationId.optional(),
};

/** OpenID Connect Core §2. An access token or an ID-JAG is refused here by its `typ` (RFC 8725 §3.11). */
export const IdTokenClaims = z.looseObject({
  ...registered,
  sub: UserId,
  ...userClaims,
  organization_id: strictIfThere(OrganizationId),
  azp: strictIfThere(z.string()),
  email_verified: optional.flag,
  name: optional.text,
  auth_time: optional.number,
  acr: optional.name,
  amr: optional.texts,
});
export type IdTokenClaims = z.output<typeof IdTokenClaims>;
export const idToken: TokenProfile<IdTokenClaims> = {
  kind: 'ID token',
  typ: ['JWT', undefined],
  skewSeconds: 5,
  singleAudience: false,
  claims: IdTokenClaims,
};

/** draft-ietf-oauth-identity-assertion-authz-grant §3.1; 60 s skew by the product’s specification. */
const IdJagClaims = z.looseObject({
  ...registered,
  sub: UserId,
  ...userClaims,
  client_id: identifier,
  jti: identifier,
  resource: z.union([z.url(), z.array(z.url()).min(1)]).optional(),
  scope: z.string().optional(),
  /** The tenant at a multi-tenant issuer. `sub` is unique only within the tenant */
  tenant: identifier.optional(),
  /** Tenant and user at the authorization server in `aud` */
  aud_tenant: strictIfThere(identifier),
  aud_sub: strictIfThere(identifier),
  sub_id: subjectIdentifierClaim,
  act: Actor.optional(),
  cnf: z.looseObject({}).optional(),
});
export type IdJagClaims = z.output<typeof IdJagClaims>;
export const idJag: TokenProfile<IdJagClaims> = {
  kind: 'ID-JAG',
  typ: ['oauth-id-jag+jwt'],
  skewSeconds: 60,
  maxLifetimeSeconds: 600,
  singleAudience: true,
  claims: IdJagClaims,
};

/** RFC 9068 §2.2: an access token that a tool server issued to itself. */
const AccessTokenClaims = z.looseObject({
  ...registered,
  sub: UserId,
  ...userClaims,
  client_id: identifier,
  jti: identifier,
  scope: z.string().optional(),
  /** Issuer of the identity behind `sub`, and tenant there: `sub` is unique only together with them. */
  idp: z.string().optional(),
  tenant: identifier.optional(),
  act: Actor.optional(),
});
export type AccessTokenClaims = z.output<typeof AccessTokenClaims>;
export const accessToken: TokenProfile<AccessTokenClaims> = {
  kind: 'access token',
  typ: ['at+jwt'],
  skewSeconds: 60,
  // The product's specification (§5) requires `aud` to be equal; a tool server that issues tokens for itself has no
  // other audience.
  singleAudience: true,
  claims: AccessTokenClaims,
};

/** Space-separated (RFC 9068 §2.2.3), or a list, as some providers send it. */
const scope = z.union([z.string(), z.array(z.string()).transform((scopes) => scopes.join(' '))]);

/**
 * An access token of the identity provider for one of our APIs; providers differ in all claims except the registered
 * ones. `scp` becomes `scope`, so that the token does not count as unlimited.
 */
const ProviderClaims = z.looseObject({
  ...registered,
  /** The subject; for a service that calls without a user, its client id (RFC 9068 §2.2). */
  sub: UserId,
  ...userClaims,
  organization_id: strictIfThere(OrganizationId),
  client_id: z.string().optional(),
  scope: scope.optional(),
  scp: scope.optional(),
  email_verified: optional.flag,
  name: optional.text,
});
export type IdpAccessTokenClaims = z.output<typeof ProviderClaims>;
const IdpAccessTokenClaims = ProviderClaims.transform(
  (claims): IdpAccessTokenClaims => ({ ...claims, scope: claims.scope ?? claims.scp }),
);
export const idpAccessToken: TokenProfile<IdpAccessTokenClaims> = {
  kind: 'IdP access token',
  typ: ['at+jwt'],
  skewSeconds: 60,
  singleAudience: false,
  claims: IdpAccessTokenClaims,
};

/** Claims of ID tokens (OpenID Connect Core §2, §3.3.2.11), and of logout tokens and other events (RFC 8417 §2.2). */
const NO_ACCESS_TOKEN_HAS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];
/** Claims in which providers name the client: RFC 9068, OpenID Connect, Okta, Entra ID. */
const CLIENT_CLAIMS = ['client_id', 'azp', 'cid', 'appid'];

const isForItsClient = (claims: IdpAccessTokenClaims): boolean => {
  const audiences: readonly unknown[] = [claims.aud].flat();
  return CLIENT_CLAIMS.some((name) => audiences.includes(claims[name]));
};

/**
 * An access token of a provider that sets the same `typ` as for any other JWT, or none. Only the claims then
 * distinguish it from an ID token (RFC 8725 §3.12): it has a scope, has no claim that only other tokens have, and its
 * audience is not its own client.
 */
export const untypedIdpAccessToken: TokenProfile<IdpAccessTokenClaims> = {
  ...idpAccessToken,
  kind: 'IdP access token without a type of its own',
  typ: ['JWT', undefined],
  claims: IdpAccessTokenClaims.superRefine((claims, context) => {
    const refuse = (name: string) => context.addIssue({ code: 'custom', path: [name] });
    if (claims.scope === undefined) refuse('scope');
    for (const name of NO_ACCESS_TOKEN_HAS) if (claims[name] !== undefined) refuse(name);
    if (isForItsClient(claims)) refuse('aud');
  }),
};

/**
 * draft-ietf-oauth-transaction-tokens: a token for one operation at one service. It is valid for seconds, so the skew
 * is small too.
 */
const TransactionTokenClaims = z.looseObject({
  ...registered,
  sub: UserId,
  txn: identifier,
  scope: identifier,
  req_wl: identifier,
  jti: identifier,
  act: Actor.optional(),
  tctx: z.looseObject({}).optional(),
  rctx: z.looseObject({}).optional(),
});
export type TransactionTokenClaims = z.output<typeof TransactionTokenClaims>;
export const transactionToken = {
  kind: 'transaction token',
  typ: ['txntoken+jwt'] as const,
  skewSeconds: 5,
  maxLifetimeSeconds: 300,
  singleAudience: true,
  claims: TransactionTokenClaims,
} satisfies TokenProfile<TransactionTokenClaims>;

/**
 * RFC 8693 §2.1 `actor_token`: the tool hub states which agent acts for the user. The media type is that of
 * draft-mcguinness-oauth-actor-profile.
 */
const ActorTokenClaims = z.looseObject({
  ...registered,
  client_id: identifier,
  organization_id: OrganizationId,
  sub_profile: identifier.optional(),
  jti: identifier,
});
export type ActorTokenClaims = z.output<typeof ActorTokenClaims>;
export const actorToken = {
  kind: 'actor token',
  typ: ['actor+jwt'] as const,
  skewSeconds: 5,
  maxLifetimeSeconds: 300,
  singleAudience: true,
  claims: ActorTokenClaims,
} satisfies TokenProfile<ActorTokenClaims>;

/** `private_key_jwt` (RFC 7523 §2.2, RFC 7523bis: `typ` is new, so its absence is tolerated). */
const ClientAssertionClaims = z.looseObject({ ...registered, jti: identifier });
export type ClientAssertionClaims = z.output<typeof ClientAssertionClaims>;
export const clientAssertion: TokenProfile<ClientAssertionClaims> = {
  kind: 'client assertion',
  typ: ['client-authentication+jwt', 'JWT', undefined],
  skewSeconds: 60,
  maxLifetimeSeconds: 300,
  singleAudience: true,
  claims: ClientAssertionClaims,
};

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/**
 * OpenID Connect Back-Channel Logout §2.4, §2.6. The limit of an hour is long: the specification recommends two
 * minutes.
 */
const LogoutTokenClaims = z
  .looseObject({
    ...registered,
    sub: UserId.optional(),
    sid: identifier.optional(),
    jti: identifier,
    events: z.looseObject({ [LOGOUT_EVENT]: z.looseObject({}) }),
    /** Must be absent. Only ID tokens have a nonce, so neither kind is accepted as the other. */
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, { path: ['sub'] });
export type LogoutTokenClaims = z.output<typeof LogoutTokenClaims>;
export const logoutToken: TokenProfile<LogoutTokenClaims> = {
  kind: 'logout token',
  typ: ['logout+jwt', 'JWT', undefined],
  skewSeconds: 60,
  maxLifetimeSeconds: 3600,
  singleAudience: false,
  claims: LogoutTokenClaims,
};
