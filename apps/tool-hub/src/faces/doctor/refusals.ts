import { tokenEndpointAuthMethod } from '@legate/client-authentication';
import type { IdJagSettings } from '@legate/delegation';
import { type Evidence, type Finding, fail, shown } from '@legate/doctor';

/** Remedies by error code of the identity provider at the token exchange (RFC 6749 §5.2, RFC 8693 §2.2.2) */
const AT_IDP: Readonly<Record<string, string>> = {
  invalid_client:
    "Compare the hub's IDP_CLIENT_ID, IDP_CLIENT_SECRET or IDP_CLIENT_KEYS, IDP_TOKEN_ENDPOINT_AUTH_METHOD and IDP_CLIENT_ASSERTION_AUDIENCE with its registration.",
  unauthorized_client: "Allow the hub's client the token exchange at the identity provider.",
  unsupported_grant_type:
    'Enable the token exchange (RFC 8693) at the identity provider, or use another method for the connector.',
  invalid_target:
    'Register the tool server at the identity provider, with this audience and this resource in this spelling.',
  access_denied:
    'A policy of the identity provider denies this user the tool server: change the policy there.',
  invalid_scope:
    'Let the identity provider grant these scopes for the tool server, or take them from the connector.',
  invalid_grant:
    "Sign in again. If that does not help, let the identity provider accept ID tokens of the application's client from the hub's.",
  invalid_request:
    "Sign in again. If that does not help, let the identity provider accept ID tokens of the application's client from the hub's.",
  insufficient_user_authentication: 'Sign in with what the policy of the identity provider asks for.',
};

export const idpRefusal = (error: string, evidence: Evidence): Finding =>
  fail(
    `The identity provider refuses the token exchange: ${shown(error)}.`,
    AT_IDP[error] ?? 'Look into the log of the identity provider.',
    { ...evidence, error: shown(error) },
  );

/** Explains a refusal by the tool server's authorization server at the JWT bearer grant (RFC 7523). */
export function serverRefusal(
  error: string,
  {
    idp,
    settings,
    authMethods,
  }: { idp: string; settings: IdJagSettings; authMethods: readonly string[] | undefined },
  evidence: Evidence,
): Finding {
  const client = `client ${shown(settings.clientId)}`;
  const remedies: Readonly<Record<string, string>> = {
    invalid_client: `Compare id, secret and ${tokenEndpointAuthMethod(settings.clientAuth, authMethods)} of ${client} with its registration there. If it is registered with another method, set the connector's token_endpoint_auth_method.`,
    unauthorized_client: `Allow ${client} the JWT bearer grant there.`,
    unsupported_grant_type: 'Serve the JWT bearer grant (RFC 7523) at the token endpoint.',
    invalid_grant: `Let it trust ${shown(idp)} and its keys, accept assertions for ${client} with the aud above, and set its clock.`,
    invalid_scope: 'Let it know the scopes that the identity provider grants.',
    access_denied: 'A policy there denies this user: change it there.',
  };
  return fail(
    `The authorization server refuses the ID-JAG: ${shown(error)}.`,
    remedies[error] ?? 'Look into the log of the authorization server.',
    { ...evidence, error: shown(error) },
  );
}

/** The identity provider exchanges a token that the hub does not hold. */
export const withoutSubject = (reason: string, evidence: Evidence): Finding =>
  fail(
    `There is nothing to exchange: ${reason}.`,
    'Examine the connector with the handle of a session that has a refresh token.',
    evidence,
  );
