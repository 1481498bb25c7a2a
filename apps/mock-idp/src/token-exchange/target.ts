import { isSameResource, OAuthError } from '@legate/oauth';
import type { Directory } from '../directory/directory.ts';
import type { UserClaimName } from '../directory/model.ts';
import type { IdJagRules } from '../personalities/personality.ts';

/** The target of an ID-JAG, and the requesting client's rights there. */
export interface Target {
  /** The configured audience, for `aud` */
  readonly audience: string;
  /** The configured resource identifiers, for `resource` */
  readonly resources: readonly string[];
  /** The requesting client's identifier at the resource authorization server */
  readonly clientId: string;
  /** Scopes that the client may be granted */
  readonly scopes: readonly string[];
  /** User claims that all of the resources may get */
  readonly claims: readonly UserClaimName[];
}

/**
 * Looks up the pair (audience, resource) in the table of resource servers; any other pair is refused. Without
 * `resource` the audience must have exactly one.
 * @throws {OAuthError} `invalid_target`; the code of the rules when the client is not registered at that authorization server
 * @see MCP Enterprise-Managed Authorization §7.6.1, RFC 8693 §2.2.2
 */
export async function resolveTarget(
  directory: Directory,
  request: { audience: string; resources: readonly string[]; clientId: string },
  rules: Pick<IdJagRules, 'unconnected' | 'acceptsResourceAsAudience'>,
): Promise<Target> {
  const found = await directory.findIdJagTargets(request.audience);
  const candidates = rules.acceptsResourceAsAudience
    ? found
    : found.filter(({ issuer }) => issuer === request.audience);
  if (candidates.length === 0) throw new OAuthError('invalid_target', 'unknown audience');

  const chosen =
    request.resources.length === 0
      ? candidates
      : [...new Set(request.resources)].map((requested) => {
          const server = candidates.find(({ resource }) =>
            isSameResource({ presented: requested, configured: resource }),
          );
          if (!server) throw new OAuthError('invalid_target', 'the resource does not belong to the audience');
          return server;
        });
  if (request.resources.length === 0 && chosen.length > 1)
    throw new OAuthError('invalid_target', 'the audience has several resources: name one');

  const registrations = chosen.map((server) => server.clients[request.clientId]);
  const [first] = registrations;
  if (!first || registrations.some((registration) => registration?.clientId !== first.clientId))
    throw new OAuthError(rules.unconnected, 'the client is not registered at the resource server');

  const scopes = chosen.flatMap((server) => server.clients[request.clientId]?.scopes ?? server.scopes);
  const [firstServer] = chosen;
  return {
    audience: request.audience,
    resources: [...new Set(chosen.map(({ resource }) => resource))],
    clientId: first.clientId,
    scopes: [...new Set(scopes)],
    claims: (firstServer?.claims ?? []).filter((claim) =>
      chosen.every((server) => server.claims.includes(claim)),
    ),
  };
}
