import { methodFacts } from '@legate/delegation/methods';
import { type ChosenIssuer, chooseIssuer, isSpelledAlike } from '@legate/oauth';
import type { Connector, ConnectorSettings } from './connector.ts';

/** Reason why the hub cannot use any authorization server that a tool server lists */
export type IssuerFault = 'no_authorization_server' | 'issuer_not_listed' | 'issuer_not_pinned';

const CODES: Readonly<Record<Exclude<ChosenIssuer['kind'], 'chosen'>, IssuerFault>> = {
  none_listed: 'no_authorization_server',
  not_listed: 'issuer_not_listed',
  not_pinned: 'issuer_not_pinned',
};

/** Returns true if the tool server lists the pinned authorization server only in another spelling. */
export const isListedOtherwise = (
  { issuer }: Pick<ConnectorSettings, 'issuer'>,
  listed: readonly string[],
): boolean =>
  issuer !== null && !listed.includes(issuer) && listed.some((each) => isSpelledAlike(each, issuer));

/**
 * Checks the connector's own method, because a fallback is used only if the tool server does not support
 * that.
 * @param listed `authorization_servers` (RFC 9728 §2), absolute URLs
 * @param spelled spelling that the pinned authorization server uses for itself, if `isListedOtherwise`
 * @param idpIssuer the identity provider, which issues the tokens of `token-exchange` itself
 * @returns undefined also for a method without an authorization server
 */
export function findIssuerFault(
  { auth_method, resource_url, issuer, has_secret }: Connector,
  listed: readonly string[],
  spelled: string | undefined,
  idpIssuer: string,
): IssuerFault | undefined {
  const { issuesTokens, exchangesAccessTokens } = methodFacts(auth_method);
  if (!issuesTokens) return undefined;
  if (exchangesAccessTokens)
    return issuer === idpIssuer ? undefined : faultOfExchange(issuer, idpIssuer, listed);
  const isPublicClient = !has_secret;
  const client = { resource: resource_url, issuer: issuer ?? undefined, isPublicClient };
  const chosen = chooseIssuer(client, listed);
  if (chosen.kind !== 'chosen') return CODES[chosen.kind];
  return isListedOtherwise({ issuer }, listed) && spelled !== issuer ? 'issuer_not_listed' : undefined;
}

function faultOfExchange(
  issuer: string | null,
  idpIssuer: string,
  listed: readonly string[],
): IssuerFault | undefined {
  if (listed.some((each) => each === idpIssuer || isSpelledAlike(each, idpIssuer))) return undefined;
  return issuer === null ? 'issuer_not_pinned' : 'issuer_not_listed';
}
