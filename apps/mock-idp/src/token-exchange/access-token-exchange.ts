import { randomUUID } from 'node:crypto';
import { epochSeconds, type SigningKeys } from '@legate/jwt';
import { formatScope, OAuthError, type OAuthErrorCode } from '@legate/oauth';
import type { Directory } from '../directory/directory.ts';
import type { AccessTokenResourceServer, Client } from '../directory/model.ts';
import { userClaims } from '../directory/user-claims.ts';
import type { AccessTokenExchange, ExchangeRefusal, RefusedRequest } from '../personalities/personality.ts';
import { RefusedAsRecorded } from '../personalities/refused-as-recorded.ts';
import { shapeAccessToken, subjectOf, type TokenRules } from '../personalities/tokens.ts';
import type { AccessTokenSubject, ReadAccessToken } from './access-token-subject.ts';

export interface AccessTokenRequest {
  readonly subjectToken: string;
  readonly audience: string;
  /** Names of scopes, with no audience in front. Empty: all that the client may have */
  readonly scopes: readonly string[];
}

const CODES: Readonly<Record<ExchangeRefusal, OAuthErrorCode>> = {
  no_access_token: 'invalid_request',
  other_client: 'invalid_grant',
  unknown_audience: 'invalid_target',
  not_allowed: 'access_denied',
  no_scope: 'invalid_scope',
  scope_not_permitted: 'invalid_scope',
  step_up: 'access_denied',
};

/**
 * Exchanges a user's access token for one of another audience.
 * @throws {OAuthError}
 * @see RFC 8693 §2
 */
export function createAccessTokenExchange(deps: {
  directory: Directory;
  read: ReadAccessToken;
  issuer: string;
  keys: SigningKeys;
  clock: () => Date;
  personality: TokenRules;
  rules: AccessTokenExchange;
}) {
  const { directory, rules, personality } = deps;

  function refuse(refusal: ExchangeRefusal, request: RefusedRequest): never {
    const refused = new OAuthError(CODES[refusal], `access token exchange: ${refusal}`);
    const answer = rules.refusals[refusal];
    if (!answer) throw refused;
    throw new RefusedAsRecorded(typeof answer === 'function' ? answer(request) : answer, refused);
  }

  async function findTarget(client: Client, request: AccessTokenRequest): Promise<AccessTokenResourceServer> {
    const { audience } = request;
    if (rules.audienceIsClient && !(await directory.clients.find(audience)))
      refuse('unknown_audience', request);
    const api = await directory.findApiByAudience(audience);
    if (!api) return refuse(rules.audienceIsClient ? 'not_allowed' : 'unknown_audience', request);
    if (!api.clients[client.clientId]) refuse('not_allowed', request);
    return api;
  }

  /** Returns `aud`: the id of the client for which an audience stands, or the audience. */
  async function audOf(audience: string): Promise<string> {
    const { clientPrefix } = rules;
    if (clientPrefix === undefined || !audience.startsWith(clientPrefix)) return audience;
    const id = audience.slice(clientPrefix.length);
    return (await directory.clients.find(id)) ? id : audience;
  }

  return async (client: Client, request: AccessTokenRequest) => {
    const { audience } = request;
    const subject = (await deps.read(request.subjectToken)) ?? refuse('no_access_token', request);
    if (!isFor(subject, client, personality.kind.subjectScope)) refuse('other_client', request);
    const user = await directory.users.find(subject.userId);
    if (!user || user.disabled) throw new OAuthError('access_denied', 'the user is unknown or disabled');
    const api = await findTarget(client, request);
    if (api.stepUp && !subject.hasDemandedClaims) refuse('step_up', request);
    const permitted = api.clients[client.clientId]?.scopes ?? api.scopes;
    const granted = request.scopes.filter((scope) => permitted.includes(scope));
    if (rules.refusals.scope_not_permitted && granted.length < request.scopes.length)
      refuse('scope_not_permitted', request);
    const scopes = request.scopes.length > 0 ? granted : permitted;
    if (scopes.length === 0) refuse('no_scope', request);

    const affiliation = await directory.findAffiliation(user.id);
    const now = epochSeconds(deps.clock());
    const scope = formatScope(scopes);
    const aud = await audOf(audience);
    const { typ, claims } = shapeAccessToken(personality, {
      userId: user.id,
      claims: {
        ...(affiliation && { organization_id: affiliation.organizationId }),
        ...userClaims(user, affiliation, api.claims),
        iss: deps.issuer,
        sub: subjectOf(personality, { userId: user.id, clientId: aud }),
        aud,
        client_id: client.clientId,
        scope,
        iat: now,
        exp: now + api.accessTokenTtlSeconds,
        jti: randomUUID(),
        ...(rules.namesActors && { act: chainOf(client, subject) }),
      },
    });
    const accessToken = await deps.keys.sign(claims, { typ });
    return {
      userId: user.id,
      body: {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: api.accessTokenTtlSeconds,
        ...rules.answer({
          audience,
          scope,
          isNarrowed: scope !== formatScope(request.scopes),
        }),
      },
    };
  };
}

/** True if the token is for the client: issued to it with the scope that the kind needs, or with it as audience. */
function isFor(subject: AccessTokenSubject, client: Client, subjectScope: string | undefined): boolean {
  if (subject.audiences.includes(client.clientId)) return true;
  const needed = subjectScope?.replace('{client_id}', client.clientId);
  return subject.clientId === client.clientId && (needed === undefined || subject.scopes.includes(needed));
}

const chainOf = (client: Client, { act, clientId }: AccessTokenSubject): object => ({
  sub: client.clientId,
  act: act ?? { sub: clientId },
});
