import {
  epochSeconds,
  type IdJagClaims,
  KeysUnavailable,
  type OrganizationId,
  readJwt,
  type SigningKeys,
  type SubjectIdentifier,
  TokenRefused,
  type UserId,
  type VerifyToken,
} from '@legate/jwt';
import { formatScope, OAuthError, type OAuthLog, shown } from '@legate/oauth';
import { messageOf } from '../http/causes.ts';
import type { UseOnce } from '../one-time/use-once.ts';
import { checkResource, grantScopes } from './grant.ts';
import { organizationOf } from './organizations.ts';

/** Spec §4.4: seconds that an access token lives. */
export const ACCESS_TOKEN_LIFETIME_SECONDS = 3600;

/** The user of the token to be issued. `subject` is unique only together with `issuer` and `tenant`. */
export interface Identity {
  readonly issuer: string;
  readonly tenant: string | undefined;
  readonly subject: UserId;
  readonly organizationId: OrganizationId | undefined;
  readonly email: string | undefined;
  /** Tenant and user at this server, by the identity provider's record. Compare each that you use. */
  readonly audTenant: string | undefined;
  readonly audSub: string | undefined;
  /**
   * Another name of the same user (RFC 9493, in the form of the token), such as that of a SAML sign-in. It never
   * establishes trust. Compare every member that you use, and never `nameid` alone.
   */
  readonly subId: SubjectIdentifier | undefined;
}

/** `refused`: the user is unknown or disabled here, or denied by policy; the client gets `access_denied`. */
export type UserDecision = 'accepted' | 'refused';

export type ResolveUser = (identity: Identity, clientId: string) => UserDecision | Promise<UserDecision>;

/** RFC 6749 §5.1, with `resource` of the ID-JAG draft; never a refresh token (§4.4.3 there). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
  readonly resource: string;
}

export interface Redemption {
  readonly assertion: string;
  /** The client that authenticated itself. */
  readonly clientId: string;
  readonly scope: string | undefined;
  readonly resources: readonly string[];
}

/**
 * Redeems an ID-JAG for an access token. Every fault of the assertion is `invalid_grant`; if the issuer's keys or the
 * replay store are unavailable it is `temporarily_unavailable`, since that says nothing about the assertion.
 * @throws {OAuthError}
 * @see draft-ietf-oauth-identity-assertion-authz-grant §4.4, RFC 7523 §3
 */
export function createAssertionRedemption(deps: {
  resource: string;
  accessTokenIssuer: string;
  scopes: ReadonlySet<string>;
  verifyIdJag: VerifyToken<IdJagClaims>;
  /** Named in the log if the issuer of an assertion is none of them */
  trustedIssuers: readonly string[];
  /** Organizations of the issuers that have one, by issuer */
  organizations: ReadonlyMap<string, OrganizationId>;
  signingKeys: SigningKeys;
  resolveUser: ResolveUser;
  useOnce: UseOnce;
  clock: () => Date;
  log: Pick<OAuthLog, 'info'>;
}) {
  const { resource } = deps;
  return async ({ assertion, clientId, scope, resources }: Redemption): Promise<TokenResponse> => {
    const verified = await deps
      .verifyIdJag(assertion)
      .catch((err) => refuseUnlessOutage(err, assertion, deps.trustedIssuers));
    const { acceptedUntil } = verified;
    const organizationId = organizationOf(verified.claims, deps.organizations);
    const claims: IdJagClaims = { ...verified.claims, organization_id: organizationId };
    if (claims.client_id !== clientId) throw new OAuthError('invalid_grant', 'assertion: client_id');
    // Bound to a key: without proof of possession anyone could use it (RFC 7800 §3).
    if (claims.cnf !== undefined) throw new OAuthError('invalid_grant', 'assertion: cnf');
    checkResource(resource, claims.resource, resources);
    const granted = formatScope(grantScopes(deps.scopes, claims.scope, scope));
    if ((await deps.resolveUser(identityOf(claims), clientId)) !== 'accepted')
      throw new OAuthError('access_denied', 'the user is not accepted');

    // Last, so that only its client can use up an assertion, and only with a request that would succeed.
    const now = epochSeconds(deps.clock());
    if (!(await deps.useOnce(['id_jag', claims.iss, claims.jti], acceptedUntil - now)))
      throw new OAuthError('invalid_grant', 'assertion: replayed');

    const jti = crypto.randomUUID();
    const accessToken = await deps.signingKeys.sign(
      accessTokenClaims(claims, { issuer: deps.accessTokenIssuer, resource, scope: granted, jti, now }),
      { typ: 'at+jwt' },
    );
    // Records which token came from which assertion, for whom: the `jti`s are identifiers, not credentials.
    deps.log.info(
      { client_id: clientId, idp: claims.iss, sub: claims.sub, id_jag: claims.jti, jti, scope: granted },
      'access token issued',
    );
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
      scope: granted,
      resource,
    };
  };
}

function refuseUnlessOutage(err: unknown, assertion: string, trustedIssuers: readonly string[]): never {
  if (err instanceof TokenRefused) {
    const issuers = err.reason === 'issuer' ? ` ${comparedIssuers(assertion, trustedIssuers)}` : '';
    throw new OAuthError('invalid_grant', `assertion: ${err.message}${issuers}`, { cause: err });
  }
  if (err instanceof KeysUnavailable)
    throw new OAuthError('temporarily_unavailable', `${err.message}: ${messageOf(err.cause)}`, {
      cause: err,
    });
  throw err;
}

/** Returns the issuer of an assertion, which is not verified, beside the trusted ones, for the log. */
function comparedIssuers(assertion: string, trustedIssuers: readonly string[]): string {
  const { iss } = readJwt(assertion).claims;
  const received = typeof iss === 'string' ? shown(iss) : 'none';
  return `(received: ${received}; trusted: ${trustedIssuers.join(', ')})`;
}

const identityOf = (claims: IdJagClaims): Identity => ({
  issuer: claims.iss,
  tenant: claims.tenant,
  subject: claims.sub,
  organizationId: claims.organization_id,
  email: claims.email,
  audTenant: claims.aud_tenant,
  audSub: claims.aud_sub,
  subId: claims.sub_id,
});

/** RFC 9068 §2.2; absent members are left out of the JSON. */
function accessTokenClaims(
  claims: IdJagClaims,
  grant: { issuer: string; resource: string; scope: string; jti: string; now: number },
) {
  return {
    iss: grant.issuer,
    aud: grant.resource,
    sub: claims.sub,
    client_id: claims.client_id,
    jti: grant.jti,
    iat: grant.now,
    exp: grant.now + ACCESS_TOKEN_LIFETIME_SECONDS,
    scope: grant.scope || undefined,
    idp: claims.iss,
    tenant: claims.tenant,
    organization_id: claims.organization_id,
    // For information, and for policies that restrict: the claim grants no permission (RFC 8693 §4.1).
    act: claims.act,
    email: claims.email,
    groups: claims.groups,
    roles: claims.roles,
  };
}
