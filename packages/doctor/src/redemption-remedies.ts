import { remedyForOutage } from './reports/answers.ts';
import { shown } from './reports/report.ts';

const LOG = 'The log of the authorization server has the reason';

/**
 * Returns the remedy for a valid ID-JAG that the token endpoint does not redeem.
 * @param answer its status, if known, and the error code of the response (RFC 6749 §5.2), if it has one
 * @param sent `iss` is undefined if the ID-JAG cannot be read
 * @param ofClient the remedy for a client that cannot authenticate: where its id and secret are configured
 */
export function remedyForRefusal(
  { status, error }: { status?: number | undefined; error?: string | undefined },
  sent: { iss: string | undefined; aud: string; resource: string; clientId: string },
  ofClient: string,
): string {
  const [issuer, client] = [shown(sent.iss ?? 'the identity provider'), `the client ${shown(sent.clientId)}`];
  if (status !== undefined && status >= 500)
    return `It cannot check the ID-JAG at the moment. Check that it can read the metadata and keys of ${issuer}, and its own store. ${LOG}.`;
  const remedies: Readonly<Record<string, string>> = {
    invalid_client: ofClient,
    invalid_grant: `There, trust the issuer ${issuer}, byte for byte (option "trustedIssuers" of @legate/tool-server), accept ${shown(sent.aud)} as "aud" and ${client}, link the account of the user if accounts are linked there, and check the clock of the server. ${LOG} (@legate/tool-server: "oauth request refused").`,
    invalid_scope: 'Allow there the scopes of the ID-JAG.',
    invalid_request: `Accept the parameters "scope" and "resource" there (RFC 8707 §2), with the resource ${shown(sent.resource)}.`,
    invalid_target: `Accept ${shown(sent.resource)} as "resource" there.`,
    access_denied: 'A policy there denies this user. Change the policy, or examine as another user.',
    unauthorized_client: `Allow ${client} to use the JWT bearer grant there.`,
    unsupported_grant_type: 'Serve the JWT bearer grant (RFC 7523) at the token endpoint.',
  };
  return remedyForOutage(status) ?? remedies[error ?? ''] ?? `${LOG}.`;
}
