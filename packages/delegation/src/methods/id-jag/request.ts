import type { Actor } from '@legate/jwt';
import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import { decodeJwt } from 'jose';
import type { Caller } from '../../domain/caller.ts';
import type { ToolServer } from '../../oauth-peers/discovery/discover-tool-server.ts';
import type { FoundIdentityProvider } from '../../oauth-peers/identity-provider.ts';
import type { TokenClient } from '../../oauth-peers/token-client.ts';
import { presentForToken, requestToken } from '../../oauth-peers/token-request.ts';
import type { ProvenActor } from './actor-token.ts';
import { type IdJagExpectation, publicSubject } from './checks.ts';
import type { ExpectedOrganization } from './organization-check.ts';
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
  presentForToken(client, GRANT_TYPE.tokenExchange, {
    subject_token: subject.token,
    subject_token_type: subject.tokenType,
    requested_token_type: TOKEN_TYPE.idJag,
    audience: asked.audience,
    ...(sendsResource && { resource: asked.resource }),
    ...(asked.actor && { actor_token: asked.actor.token, actor_token_type: TOKEN_TYPE.jwt }),
    ...(asked.scopes.length > 0 && { scope: asked.scopes.join(' ') }),
  });

/**
 * Redeems an ID-JAG for an access token.
 * @param asked.scopes those of the ID-JAG, and no others: a server refuses an assertion with more scopes than the request
 * @see RFC 7523 §4, RFC 8707 §2; MCP enterprise-managed authorization §7.2.1
 */
export const redeemIdJag = (
  client: TokenClient,
  idJag: string,
  asked: { resource: string; scopes: readonly string[] },
) =>
  requestToken(client, GRANT_TYPE.jwtBearer, {
    assertion: idJag,
    resource: asked.resource,
    ...(asked.scopes.length > 0 && { scope: asked.scopes.join(' ') }),
  });

/** Returns the expected response to that request, for `checkIdJag`. */
export function expectedIdJag(
  { clientId, metadata: { issuer, subject_types_supported: subjectTypes } }: FoundIdentityProvider,
  caller: Pick<Caller, 'userId' | 'subject' | 'organizationId' | 'subjectToken'>,
  toolServer: Pick<ToolServer, 'audience' | 'issuer'>,
  {
    rule,
    idJagOrganization,
    act,
    ...asked
  }: {
    resource: string;
    clientId: string;
    scopes: readonly string[];
    act: Actor | undefined;
  } & Pick<ExpectedOrganization, 'rule' | 'idJagOrganization'>,
): IdJagExpectation {
  const { userId, subject = userId, organizationId, subjectToken } = caller;
  return {
    issuer,
    subject: publicSubject(subjectTypes, subject),
    organization: { organizationId, tenant: tenantIn(subjectToken), rule, idJagOrganization },
    audience: toolServer.audience,
    resolvedAudience: toolServer.issuer,
    actor: { named: act, clientId, issuer },
    ...asked,
  };
}

/** Returns the tenant at a multi-tenant issuer (draft §6) from an ID token that was verified before. */
function tenantIn(idToken: string): string | undefined {
  try {
    const { tenant } = decodeJwt(idToken);
    return typeof tenant === 'string' && tenant !== '' ? tenant : undefined;
  } catch {
    return undefined;
  }
}
