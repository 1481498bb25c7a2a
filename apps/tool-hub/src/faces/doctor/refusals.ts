import { tokenEndpointAuthMethod } from '@legate/client-authentication';
import type { IdJagSettings, PeerFailure, Refusal, ToolServer } from '@legate/delegation';
import {
  type Evidence,
  type Finding,
  fail,
  remedyForOutage,
  remedyForRefusal,
  shown,
  skipped,
} from '@legate/doctor';
import type { SubjectTokenType } from '@legate/identity-providers';

/** An ID-JAG that was sent to the tool server's authorization server */
interface Redeemed {
  /** Issuer of the ID-JAG */
  readonly idp: string;
  readonly resource: string;
  readonly settings: IdJagSettings;
  readonly toolServer: Pick<ToolServer, 'audience' | 'authMethods'>;
}

/** Remedies by error code of the identity provider at the token exchange (RFC 6749 §5.2, RFC 8693 §2.2.2) */
const AT_IDP: Readonly<Record<string, string>> = {
  unsupported_grant_type:
    'Enable the token exchange (RFC 8693) at the identity provider, or use another method for the connector.',
  invalid_target:
    'Register the tool server at the identity provider, with exactly this audience and this resource.',
  access_denied:
    'A policy of the identity provider denies this user access to the tool server. Change the policy there.',
  invalid_scope:
    'Allow these scopes for the tool server at the identity provider, or remove them from the connector.',
  invalid_grant:
    "Sign in again. If that does not help, allow the hub's client at the identity provider to exchange ID tokens of the application's client.",
  invalid_request:
    "Sign in again. If that does not help, allow the hub's client at the identity provider to exchange ID tokens of the application's client.",
  insufficient_user_authentication:
    "Sign in as strongly or as recently as the identity provider's policy requires.",
};

/** @param hint what is known about this refusal, from the answer of this provider */
export const idpRefusal = (error: string, hint: string | undefined, evidence: Evidence): Finding =>
  fail(
    `The identity provider refuses the token exchange: ${shown(error)}.`,
    hint ?? AT_IDP[error] ?? 'Check the log of the identity provider.',
    { ...evidence, error: shown(error) },
  );

/** Reports that the tool server's authorization server refuses the ID-JAG, or cannot check it. */
export function redemptionFailure(
  failure: PeerFailure,
  { idp, resource, settings, toolServer }: Redeemed,
  evidence: Evidence,
): Finding {
  const { clientId, clientAuth } = settings;
  const { audience, authMethods } = toolServer;
  const remedyFor = (answer: Parameters<typeof remedyForRefusal>[0]) =>
    remedyForRefusal(
      answer,
      { iss: idp, aud: audience, resource, clientId },
      `Compare the client ${shown(clientId)}, that is, its id, its secret and its method (${tokenEndpointAuthMethod(clientAuth, authMethods)}), with its registration there. If it is registered with another method, set the connector's token_endpoint_auth_method.`,
    );
  if (failure.kind === 'refused') {
    const { error } = failure;
    return fail(`The authorization server refuses the ID-JAG: ${shown(error)}.`, remedyFor({ error }), {
      ...evidence,
      error: shown(error),
    });
  }
  const hasAnswered = failure.kind === 'unavailable' && failure.status !== undefined;
  return unanswered(
    'The authorization server',
    failure,
    evidence,
    hasAnswered ? remedyFor({ status: failure.status }) : undefined,
  );
}

/** Reports that a server gave no usable response. @param remedy instead of the one for any server */
export function unanswered(
  who: string,
  failure: PeerFailure,
  evidence?: Evidence,
  remedy = remedyForFailure(failure),
): Finding {
  const reason = failure.kind === 'refused' ? failure.error : failure.reason;
  return fail(`${who} cannot be used: ${reason}.`, remedy, evidence);
}

const remedyForFailure = (failure: PeerFailure): string =>
  failure.kind === 'unavailable'
    ? (remedyForOutage(failure.status) ?? 'Check that it is running, and that the hub can reach it.')
    : "Its operator must fix this response. If a proxy or a firewall in front of it gave the response, let the hub's requests pass there.";

/** Reports that the identity provider exchanges a type of token that the hub does not have. */
export const withoutSubject = (refusal: Refusal, evidence: Evidence): Finding =>
  refusal.outcome === 'expired' && refusal.needsSession
    ? withoutSession(refusal.needsSession)
    : fail(
        `The hub has no token that it could exchange: ${refusal.reason}.`,
        'Examine the connector with the handle of a session that has this token.',
        evidence,
      );

/** Why nothing else is run after `withoutSession` */
export const UNTRIED = 'Not run, because the exchange was not tried.';

/** Reports that only the caller lacks something: the connector may work for those who have a session. */
export function withoutSession(type: SubjectTokenType): Finding {
  const name = type.replace('_', ' ');
  return skipped(
    `Not tried: the exchange needs the ${name} of a session, and you have none that can be used, as with an ID token alone. Examine the connector with the handle of a session that has one, or call a tool with an MCP client that is signed in at the hub.`,
  );
}
