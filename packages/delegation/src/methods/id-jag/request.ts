import type { Actor } from '@legate/jwt';
import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import type { Caller } from '../../domain/caller.ts';
import type { ToolServer } from '../../oauth-peers/discovery/discover-tool-server.ts';
import type { FoundIdentityProvider } from '../../oauth-peers/identity-provider.ts';
import type { TokenClient } from '../../oauth-peers/token-client.ts';
import { requestToken } from '../../oauth-peers/token-request.ts';
import type { ProvenActor } from './actor-token.ts';
import { type IdJagExpectation, type IdJagOrganization, publicSubject } from './checks.ts';
import type { SubjectToken } from './subject-token.ts';

/**
 * Exchanges a token of a user's sign-in, usually the ID token, for an ID-JAG at the identity provider.
 * @see RFC 8693 §2.1, draft-ietf-oauth-identity-assertion-authz-grant §4.3
 */
export const requestIdJag = (
  { client, sendsResource }: FoundIdentityProvider,
  subject: SubjectToken,
  asked: { audience: string; resource: string; scopes: readonly string[]; actor: ProvenActor | undefined },
) =>
  requestToken(client, GRANT_TYPE.tokenExchange, {
    subject_token: subject.token,
    subject_token_type: subject.tokenType,
    requested_token_type: TOKEN_TYPE.idJag,
    audience: asked.audience,
    ...(sendsResource && { resource: asked.resource }),
    ...(asked.actor && { actor_token: asked.actor.token, actor_token_type: TOKEN_TYPE.jwt }),
    ...(asked.scopes.length > 0 && { scope: asked.scopes.join(' ') }),
  });

/**
 * Redeems an ID-JAG for an access token. Requests exactly the scopes of its claim, since the grant is the assertion's;
 * without a claim it requests none. There is no `resource`, because the assertion contains it.
 * @see RFC 7523 §4, RFC 7521 §4.1; MCP enterprise-managed authorization
 */
export const redeemIdJag = (
  client: TokenClient,
  { idJag, claimedScopes = [] }: { idJag: string; claimedScopes?: readonly string[] | undefined },
) =>
  requestToken(client, GRANT_TYPE.jwtBearer, {
    assertion: idJag,
    ...(claimedScopes.length > 0 && { scope: claimedScopes.join(' ') }),
  });

/** Returns the expected response to that request, for `checkIdJag`. */
export function expectedIdJag(
  client: TokenClient,
  { userId, organizationId }: Pick<Caller, 'userId' | 'organizationId'>,
  toolServer: Pick<ToolServer, 'audience' | 'issuer'>,
  asked: {
    resource: string;
    clientId: string;
    scopes: readonly string[];
    idJagOrganization: IdJagOrganization;
    act: Actor | undefined;
  },
): IdJagExpectation {
  const { issuer, subject_types_supported: subjectTypes } = client.serverMetadata();
  return {
    issuer,
    subject: publicSubject(subjectTypes, userId),
    organizationId,
    audience: toolServer.audience,
    resolvedAudience: toolServer.issuer,
    ...asked,
  };
}
