import { tokenEndpointAuthMethod } from '@legate/client-authentication';
import type { IdJagSettings, ToolServer } from '@legate/delegation';
import { type Evidence, type Finding, fail, shown } from '@legate/doctor';

/** Remedies by error code of the identity provider at the token exchange (RFC 6749 §5.2, RFC 8693 §2.2.2) */
const AT_IDP: Readonly<Record<string, string>> = {
  invalid_client:
    "Compare the hub's IDP_CLIENT_ID, IDP_CLIENT_SECRET or IDP_CLIENT_KEYS, IDP_TOKEN_ENDPOINT_AUTH_METHOD and IDP_CLIENT_ASSERTION_AUDIENCE with its registration.",
  unauthorized_client: "Allow the hub's client to use the token exchange at the identity provider.",
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

export const idpRefusal = (error: string, evidence: Evidence): Finding =>
  fail(
    `The identity provider refuses the token exchange: ${shown(error)}.`,
    AT_IDP[error] ?? 'Check the log of the identity provider.',
    { ...evidence, error: shown(error) },
  );

/** Explains a refusal by the tool server's authorization server at the JWT bearer grant (RFC 7523). */
export function serverRefusal(
  error: string,
  {
    idp,
    settings,
    toolServer: { audience, authMethods },
  }: { idp: string; settings: IdJagSettings; toolServer: Pick<ToolServer, 'audience' | 'authMethods'> },
  evidence: Evidence,
): Finding {
  const client = `client ${shown(settings.clientId)}`;
  const remedies: Readonly<Record<string, string>> = {
    invalid_client: `Compare id, secret and ${tokenEndpointAuthMethod(settings.clientAuth, authMethods)} of ${client} with its registration there. If it is registered with another method, set the connector's token_endpoint_auth_method.`,
    unauthorized_client: `Allow ${client} to use the JWT bearer grant there.`,
    unsupported_grant_type: 'Serve the JWT bearer grant (RFC 7523) at the token endpoint.',
    invalid_grant: `Configure it to trust ${shown(idp)}, byte for byte, and its keys, and to accept assertions for ${client} with aud ${shown(audience)}. Check its clock. Its log has the reason.`,
    invalid_scope: 'Register there the scopes that the identity provider grants.',
    access_denied: 'A policy there denies this user. Change the policy.',
  };
  return fail(
    `The authorization server refuses the ID-JAG: ${shown(error)}.`,
    remedies[error] ?? 'Check the log of the authorization server.',
    { ...evidence, error: shown(error) },
  );
}

/** Reports that the identity provider exchanges a type of token that the hub does not have. */
export const withoutSubject = (reason: string, evidence: Evidence): Finding =>
  fail(
    `The hub has no token that it could exchange: ${reason}.`,
    'Examine the connector with the handle of a session that has a refresh token.',
    evidence,
  );
