import {
  allowsScopes,
  type Credential,
  type DelegationFacts,
  isRenewable,
  methodFacts,
  type Refusal,
} from '@legate/delegation';
import { formatBearerChallenge, shown } from '@legate/oauth';
import type { Outage, Problem } from '@legate/service';
import type { Connector } from '../domain/connector.ts';
import { type Decided, rowOf } from '../domain/decision.ts';
import { CallRefused } from './call-refused.ts';
import { connectionRequired, connectionStoreUnavailable } from './connection-problems.ts';
import { refusalDecided } from './refusal-decided.ts';

const RETRY_AFTER_SECONDS = 5;

const fallbackNotApproved = (decided: Decided, connector: Connector, cause: Error): Problem =>
  new CallRefused(decided, 'fallback_not_approved', {
    detail:
      `Users could act as themselves at the tool server of connector "${connector.id}" before, and it no longer offers that. ` +
      'An administrator of your organization must find out why, and can approve the fallback. Trying again does not help.',
    extensions: { connector_id: connector.id, slug: connector.slug },
    cause,
  });

const recordUnavailable = (decided: Decided, connector: Connector, cause: unknown): Problem =>
  new CallRefused(decided, 'token_store_unavailable', {
    detail: 'The hub cannot read at the moment whether the connector may use its fallback. Try again.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    extensions: { connector_id: connector.id },
    cause,
  });

const NEEDS_SESSION = {
  access_token:
    "This identity provider exchanges access tokens, not ID tokens: sign the user in at the hub, or open a session with `access_token`, or with a refresh token of the hub's client or of a public client.",
  refresh_token:
    "This identity provider exchanges refresh tokens, not ID tokens: sign the user in at the hub, or open a session with a refresh token of the hub's own client, which the provider renews with an ID token.",
} as const;

const DENIED_BY = {
  idp: "The identity provider's policy",
  tool_server: 'The tool server',
  binding: 'The binding of the agent',
  connector: 'The list of scopes of the connector',
  audience: "The audience of the user's token",
} as const;

function denialOf(
  { by, why }: { by: keyof typeof DENIED_BY; why?: 'target_unknown' | 'scope_refused' | undefined },
  { id }: Connector,
): string {
  const peer = by === 'idp' ? 'The identity provider' : "The tool server's authorization server";
  switch (why) {
    case 'target_unknown':
      return `${peer} does not know the tool server of connector "${id}".`;
    case 'scope_refused':
      return `${peer} does not grant the scopes that connector "${id}" requests.`;
    case undefined:
      return `${DENIED_BY[by]} does not allow this user to use connector "${id}" in this way.`;
  }
}

const MAX_NAMED_SCOPES = 5;

/** Names the scopes that the connector or the agent's binding does not list; undefined for any other denial. */
function unlistedScopes(
  { by, scopes }: Extract<Refusal, { outcome: 'denied' }>,
  connector: Connector,
): string | undefined {
  if (by !== 'connector' && by !== 'binding') return undefined;
  const unlisted = scopes.filter((scope) => !allowsScopes(connector, [scope]));
  if (unlisted.length === 0) return undefined;
  const named = unlisted.slice(0, MAX_NAMED_SCOPES).map(shown).join(', ');
  return unlisted.length > MAX_NAMED_SCOPES ? `${named}, …` : named;
}

const scopeDenial = (by: string, unlisted: string, { id }: Connector): string =>
  by === 'binding'
    ? `The agent's binding to connector "${id}" does not include the required scopes: ${unlisted}.`
    : `Connector "${id}" does not list the required scopes: ${unlisted}.`;

/** Turns the outcome of a delegation into a response of our API; no other code does. */
export function delegationProblem(
  refusal: Refusal & { readonly facts?: DelegationFacts | undefined },
  connector: Connector,
): Problem {
  return refusalProblem(refusal, connector, refusalDecided(refusal, refusal.facts));
}

/** Refuses a call because the tool server requires scopes that cannot be obtained */
export const insufficientScope = (connector: Connector, scopes: readonly string[]): Problem => {
  const reason = 'the tool needs scopes that were not granted';
  const decided: Decided = { leg: 'tool_server', rule: 'scope_insufficient', reason };
  return refusalProblem({ outcome: 'denied', by: 'tool_server', scopes, reason }, connector, decided);
};

function refusalProblem(refusal: Refusal, connector: Connector, decided: Decided): Problem {
  const about = { connector_id: connector.id };
  const cause = new Error(`${refusal.outcome}: ${refusal.reason}`);
  switch (refusal.outcome) {
    case 'expired':
      if (refusal.connect) return connectionRequired(decided, connector, refusal.connect.scopes, cause);
      return new CallRefused(decided, 'sign_in_required', {
        ...(refusal.needsSession && { detail: NEEDS_SESSION[refusal.needsSession] }),
        headers: {
          'WWW-Authenticate': formatBearerChallenge({ realm: 'tool-hub', error: 'invalid_token' }),
        },
        extensions: {
          ...about,
          max_age: refusal.maxAge,
          acr_values: refusal.acrValues,
          claims: refusal.claims,
        },
        cause,
      });
    case 'denied': {
      if (refusal.by === 'fallback') return fallbackNotApproved(decided, connector, cause);
      const unlisted = unlistedScopes(refusal, connector);
      const denial =
        unlisted === undefined
          ? denialOf({ by: refusal.by, why: refusal.why }, connector)
          : scopeDenial(refusal.by, unlisted, connector);
      const reason = unlisted === undefined ? refusal.reason : `${refusal.reason}: ${unlisted}`;
      return new CallRefused({ ...decided, reason }, 'delegation_denied', {
        detail: `${denial} An administrator can change that; signing in again does not.`,
        extensions: {
          ...about,
          slug: connector.slug,
          required_scope: refusal.scopes.join(' ') || undefined,
        },
        cause,
      });
    }
    case 'unavailable':
      if (refusal.by === 'store')
        return refusal.unread === 'use_record'
          ? recordUnavailable(decided, connector, refusal.cause)
          : connectionStoreUnavailable(refusal.cause);
      return refusal.by === 'idp'
        ? unavailable(decided, 'idp_unavailable', about, cause, refusal)
        : unavailable(decided, 'tool_server_unavailable', about, cause, refusal);
    case 'unsupported':
    case 'misconfigured':
      return misconfigured(refusal.reason, connector, decided);
  }
}

/** Returns a refusal for the administrator: `reason` names the server to check, and the cause. */
export function misconfigured(reason: string, connector: Pick<Connector, 'id'>, decided: Decided): Problem {
  return new CallRefused(decided, 'connector_misconfigured', {
    detail: `Connector "${connector.id}" cannot be used: ${reason}. ${rowOf(decided).remedy}`,
    extensions: { connector_id: connector.id },
    ...(decided.hint !== undefined && { cause: new Error(decided.hint) }),
  });
}

/**
 * The tool server rejected the hub's credential with 401.
 * @param body content of the response that no MCP server sends, such as `an HTML page`
 */
export function credentialRefused(credential: Credential, connector: Connector, body?: string): Problem {
  // The user's account at the tool server may no longer exist; only the user can connect another one.
  const isGrantedByUser = methodFacts(credential.method).grantedBy === 'user';
  if (body === undefined && credential.kind === 'access_token' && isGrantedByUser) {
    const { scopes } = credential;
    return delegationProblem(
      { outcome: 'expired', reason: 'a new token was refused as well', connect: { scopes } },
      connector,
    );
  }
  const isPage = body !== undefined;
  const reason = isPage
    ? `it responded with status 401 and ${body}, without the challenge of a tool server: the response may come from something in front of it, such as a firewall or a proxy with a password`
    : credentialFault(credential);
  const rule = isPage ? 'answer_unusable' : 'credential_refused';
  return misconfigured(reason, connector, { leg: 'tool_server', rule, reason });
}

function credentialFault(credential: Credential): string {
  switch (credential.kind) {
    case 'access_token':
      if (methodFacts(credential.method).exchangesAccessTokens)
        return 'the tool server refuses the token that the identity provider issued for the exchange_audience of the connector';
      return isRenewable(credential.method)
        ? 'the tool server refuses tokens of its own authorization server'
        : "the tool server does not accept the users' own ID tokens";
    case 'api_key':
      return 'the tool server refuses its API key';
    case 'client_certificate':
      return 'the tool server refuses its client certificate, or does not ask for it';
  }
}

export function toolServerUnavailable(reason: string, connector: Connector, outage: Outage = {}): Problem {
  return unavailable(
    { leg: 'tool_server', rule: 'unavailable', reason },
    'tool_server_unavailable',
    { connector_id: connector.id },
    new Error(reason),
    outage,
  );
}

function peerOf({ leg }: Decided): string {
  if (leg === 'idp') return 'The identity provider';
  return leg === 'authorization_server' ? "The tool server's authorization server" : 'The tool server';
}

function unavailable(
  decided: Decided,
  code: 'idp_unavailable' | 'tool_server_unavailable',
  about: Record<string, unknown>,
  cause: Error,
  { retryAfterSeconds = RETRY_AFTER_SECONDS, isHeldBack = false }: Outage,
): Problem {
  return new CallRefused(decided, code, {
    detail: `${peerOf(decided)} cannot be reached at the moment, or it fails (${decided.reason ?? code}). Try again.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
    extensions: about,
    cause,
    isExpected: isHeldBack,
  });
}
