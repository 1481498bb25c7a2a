import { randomUUID } from 'node:crypto';
import type { OrganizationId } from '@legate/ids';
import { epochSeconds, type IdTokenClaims, type SigningKeys } from '@legate/jwt';
import { formatScope, OAuthError } from '@legate/oauth';
import type { Affiliation, Directory } from '../directory/directory.ts';
import type { Client, Membership, User } from '../directory/model.ts';
import { userClaims } from '../directory/user-claims.ts';
import type { IdJagRules } from '../personalities/personality.ts';
import { RefusedAsRecorded } from '../personalities/refused-as-recorded.ts';
import type { CheckActorToken } from './actor-token.ts';
import { decide } from './policy.ts';
import { resolveTarget, type Target } from './target.ts';

/** Lifetime of an ID-JAG; a widely used verifier refuses longer ones. */
export const ID_JAG_LIFETIME_SECONDS = 300;
const ID_JAG_TYPE = 'oauth-id-jag+jwt';

export interface ExchangeRequest {
  readonly subjectToken: string;
  /** RFC 8693 §2.1 */
  readonly actorToken: string | undefined;
  readonly audience: string;
  readonly resources: readonly string[];
  /** Empty: everything that can be granted is requested */
  readonly scopes: readonly string[];
}

export type ExchangeToken = ReturnType<typeof createTokenExchange>;

/**
 * Exchanges an ID token for an ID-JAG. The client has been authenticated. The user and the policies are read at the
 * time of the exchange, not of the sign-in. The granted scopes may be fewer than the requested ones, never more.
 * @throws {OAuthError} `invalid_grant`, `invalid_target`, `invalid_scope`, `access_denied`
 * @see draft-ietf-oauth-identity-assertion-authz-grant §4.3.3
 */
export function createTokenExchange(deps: {
  directory: Directory;
  issuer: string;
  keys: SigningKeys;
  clock: () => Date;
  checkSubjectToken: (subjectToken: string, audiences: readonly string[]) => Promise<IdTokenClaims>;
  checkActorToken: CheckActorToken;
  /** Claim of ID tokens that contains the organization; undefined: the user's affiliation is used */
  organizationClaim: string | undefined;
}) {
  const { directory } = deps;

  return async (client: Client, request: ExchangeRequest, rules: IdJagRules) => {
    const subject = await deps.checkSubjectToken(request.subjectToken, [
      client.clientId,
      ...client.exchangeableAudiences,
    ]);
    // A token with `act` was not issued at a sign-in: somebody already acts for the user (RFC 8693 §4.1).
    if (subject.act !== undefined) throw new OAuthError('invalid_grant', 'subject_token: act');
    const user = await directory.users.find(subject.sub);
    if (!user || user.disabled) throw new OAuthError('access_denied', 'the user is unknown or disabled');
    const membership =
      deps.organizationClaim === undefined
        ? await directory.findAffiliation(user.id)
        : await findMembership(directory, user, subject.organization_id);
    const act =
      request.actorToken === undefined
        ? undefined
        : await deps.checkActorToken(request.actorToken, client, membership?.organizationId);
    const target = await resolveTarget(directory, { ...request, clientId: client.clientId }, rules);
    const scopes = await grantScopes(directory, {
      ...{ user, membership, client, target, rules },
      agentId: act?.sub,
      asked: request.scopes,
    });

    const issuedAt = epochSeconds(deps.clock());
    const [firstResource = '', ...otherResources] = target.resources;
    const resource = otherResources.length > 0 ? [firstResource, ...otherResources] : firstResource;
    const scope = formatScope(scopes);
    const idJag = await deps.keys.sign(
      {
        iss: deps.issuer,
        sub: user.id,
        aud: target.audience,
        client_id: target.clientId,
        resource,
        scope,
        iat: issuedAt,
        exp: issuedAt + ID_JAG_LIFETIME_SECONDS,
        jti: randomUUID(),
        ...(membership &&
          Object.fromEntries(rules.organizationClaims.map((name) => [name, membership.organizationId]))),
        ...(act && { act }),
        ...userClaims(user, membership, target.claims),
      },
      { typ: ID_JAG_TYPE },
    );
    return { idJag, subject: user.id, expiresIn: ID_JAG_LIFETIME_SECONDS, scope, resource };
  };
}

/**
 * Returns the user's organization, which comes from the subject token and never from the request (draft §6). The user
 * must still belong to it.
 */
async function findMembership(
  directory: Directory,
  user: User,
  organizationId: OrganizationId | undefined,
): Promise<Membership | undefined> {
  if (organizationId === undefined) return undefined;
  const membership = await directory.findMembership(user.id, organizationId);
  if (!membership) throw new OAuthError('access_denied', 'the user has left the organization');
  return membership;
}

async function grantScopes(
  directory: Directory,
  grant: {
    user: User;
    membership: Affiliation | undefined;
    client: Client;
    target: Target;
    rules: IdJagRules;
    agentId: string | undefined;
    asked: readonly string[];
  },
): Promise<readonly string[]> {
  const { user, membership, client, target, rules, agentId, asked } = grant;
  const available = asked.length > 0 ? asked.filter((scope) => target.scopes.includes(scope)) : target.scopes;
  if (available.length < asked.length && rules.scopeNotPermitted)
    throw new RefusedAsRecorded(
      rules.scopeNotPermitted,
      new OAuthError('unauthorized_client', 'a scope that the connection does not permit'),
    );
  if (available.length === 0) throw new OAuthError('invalid_scope', 'no such scope for this client');
  const answer = decide(await directory.policies.list(), {
    userId: user.id,
    groups: user.groups,
    organizationId: membership?.organizationId,
    clientId: client.clientId,
    agentId,
    resources: target.resources,
    scopes: available,
  });
  switch (answer.kind) {
    case 'granted':
      return answer.scopes;
    case 'denied':
      throw new OAuthError('access_denied', `policy ${answer.policyId}`);
    case 'nothing_left':
      throw new OAuthError('invalid_scope', 'the policy leaves no scope');
  }
}
