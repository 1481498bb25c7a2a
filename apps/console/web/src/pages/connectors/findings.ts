import type { AuthMethod } from '@legate/delegation/methods';
import type { Check, DoctorReport } from '../../api/types.ts';
import { safeHref } from '../../untrusted/safe-href.ts';

/** The members of a connector that locate its tool server. */
export interface Addresses {
  readonly resource_url: string;
  /** Absent: the API derives it from `resource_url` */
  readonly mcp_url?: string;
}

/**
 * Returns the identifier that a tool server gives itself, for which a connector is registered, and its MCP
 * endpoint, whose URL people enter. A different spelling is accepted only if the hub itself used it for this
 * URL; otherwise the URL is returned.
 */
export function addressesOf(address: string, checks: readonly Check[] = []): Addresses {
  const found = checks.find(({ check }) => check === 'resource_identifier');
  const { resource, expected, mcp_url: endpoint } = found?.evidence ?? {};
  const isTaken =
    found?.status === 'ok' &&
    Array.isArray(expected) &&
    expected.includes(address) &&
    expected.includes(resource);
  if (!isTaken || typeof resource !== 'string') return { resource_url: address };
  return { resource_url: resource, ...(typeof endpoint === 'string' && { mcp_url: endpoint }) };
}

/** Returns the values as they would be sent: with the identifier that the tool server gives itself. */
export const identified = <Values extends { readonly resource_url: string }>(
  values: Values,
  checks: readonly Check[] | undefined,
): Values => ({ ...values, resource_url: addressesOf(values.resource_url.trim(), checks).resource_url });

/**
 * Returns the authorization server that an administrator could trust, if that is what a check asks for: it is
 * at another origin than the tool server, or writes its own name differently.
 * @param isPinned true if the examination already knew an issuer; a warning is then about something else
 */
export function issuerToTrust({ check, status, evidence }: Check, isPinned: boolean): string | undefined {
  const isAsked = status === 'fail' || (status === 'warn' && !isPinned);
  if (!isAsked) return undefined;
  const named: unknown = check === 'issuer' ? evidence?.issuer : firstOf(check, evidence);
  return typeof named === 'string' && safeHref(named) ? named : undefined;
}

const firstOf = (check: Check['check'], evidence: Check['evidence']): unknown => {
  const listed = check === 'authorization_servers' ? evidence?.authorization_servers : undefined;
  return Array.isArray(listed) ? listed[0] : undefined;
};

/**
 * Returns what an examination says about a connector. `untried`: it has no fault, but needs an access token of a
 * session, which the console does not have.
 */
export function outcomeIn({ status, checks }: Pick<DoctorReport, 'status' | 'checks'>) {
  if (status === 'fail') return 'fault';
  const isUntried = checks.some((one) => one.check === 'tools_list' && one.status === 'skipped');
  return isUntried ? 'untried' : 'works';
}

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Returns the method that the authorization server supports; undefined if the checks did not find one. */
export function methodFound(checks: readonly Check[]): AuthMethod | undefined {
  const grants = checks.find(({ check }) => check === 'grant')?.evidence?.grant_types_supported;
  if (!Array.isArray(grants)) return undefined;
  if (grants.length === 0 || grants.includes(JWT_BEARER)) return 'id-jag';
  return grants.includes('authorization_code') ? 'oauth-pkce' : undefined;
}
