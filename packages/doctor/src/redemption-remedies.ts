import { shown } from './report.ts';

const LOG = 'The log of the authorization server has the reason';

/**
 * Returns the remedy for a valid ID-JAG that the token endpoint refuses.
 * @param error code of the response (RFC 6749 §5.2), if it has one
 * @param sent `iss` is undefined if the ID-JAG cannot be read
 */
export function remedyForGood(
  { status, error }: { status: number; error: string | undefined },
  sent: { iss: string | undefined; aud: string; resource: string; clientId: string },
): string {
  const [issuer, client] = [shown(sent.iss ?? 'this identity provider'), shown(sent.clientId)];
  if (status >= 500)
    return `It cannot check the ID-JAG now. Let it read the metadata and keys of ${issuer}, and its own store. ${LOG}.`;
  if (status === 401)
    return `Compare the client ${client} (--client-id) and its secret (CLIENT_SECRET) with the clients that are registered there.`;
  const remedies: Readonly<Record<string, string>> = {
    invalid_grant: `Trust the issuer ${issuer}, byte for byte (option "trustedIssuers" of @legate/tool-server), accept ${shown(sent.aud)} as "aud", and check the clock of the server. ${LOG} (@legate/tool-server: "oauth request refused").`,
    invalid_scope: 'Grant the scopes that "scopes_supported" lists.',
    invalid_target: `Accept ${shown(sent.resource)} as "resource".`,
    access_denied: 'Admit the user of --user, or choose another one.',
    unauthorized_client: `Allow the client ${client} to use the JWT bearer grant.`,
    unsupported_grant_type: 'Serve the JWT bearer grant (RFC 7523) at the token endpoint.',
  };
  return remedies[error ?? ''] ?? `${LOG}.`;
}
