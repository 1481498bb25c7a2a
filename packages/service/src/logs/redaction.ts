/**
 * Members whose values are credentials wherever they appear. `code` is not among them: errors have their names in it,
 * and authorization codes are sent in queries and forms, which are never logged.
 */
export const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  ...['authorization', 'Authorization', 'cookie', 'Cookie', 'set-cookie', 'Set-Cookie', 'password', 'secret'],
  ...['Proxy-Authorization', 'proxy-authorization', 'X-Api-Key', 'x-api-key', 'Txn-Token', 'txn-token'],
  ...['token', 'assertion', 'idJag', 'txn_token', 'txnToken', 'id_token_hint', 'logout_token', 'logoutToken'],
  ...['csrf_token', 'csrfToken'],
  ...['access_token', 'refresh_token', 'id_token', 'subject_token', 'actor_token'],
  ...['client_secret', 'client_assertion', 'code_verifier', 'api_key'],
  ...['fallback_secret', 'client_certificate', 'client_private_key', 'privateKey', 'privateJwk'],
  ...['accessToken', 'refreshToken', 'idToken', 'subjectToken', 'actorToken'],
  ...['clientSecret', 'clientAssertion', 'codeVerifier', 'apiKey'],
]);

/**
 * Secrets that services issue, recognized by their prefix wherever they are written: invitations, API keys and the like
 * of `management-api`; handles of sessions and tokens of MCP clients of `tool-hub`. Without word boundaries: in JSON a
 * line break before one is the letter `n`.
 */
const GIVEN_OUT = /(lg[a-z]_)[0-9A-Za-z]{38}|(l(?:at|rt|hs)_)[0-9A-Za-z_-]{43}/g;

/** Maximum depth of the search for secrets; nothing we log is nested deeper. */
const MAX_DEPTH = 5;
export const CENSORED = '[redacted]';

/**
 * Replaces the values of secret members in plain objects and arrays. Returns the same object if there is nothing to
 * hide, which is nearly always: pino's own redaction of that many nested paths takes thirty times as long as writing
 * the line.
 */
export function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return hasSecret(fields, MAX_DEPTH) ? redactMembers(fields, MAX_DEPTH) : fields;
}

/** Replaces secrets that are recognized by their prefix, in a whole line: also in messages and texts of errors. */
export const redactGivenOut = (line: string): string => line.replace(GIVEN_OUT, `$1$2${CENSORED}`);

function hasSecret(value: object, depth: number): boolean {
  for (const [name, member] of Object.entries(value)) {
    if (SECRET_MEMBERS.has(name)) return true;
    if (depth > 0 && isWalkable(member) && hasSecret(member, depth - 1)) return true;
  }
  return false;
}

function redactMembers(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, member]) => [
      name,
      SECRET_MEMBERS.has(name) ? CENSORED : redactValue(member, depth - 1),
    ]),
  );
}

function redactValue(value: unknown, depth: number): unknown {
  if (depth < 0 || !isWalkable(value)) return value;
  return Array.isArray(value)
    ? value.map((item) => redactValue(item, depth - 1))
    : redactMembers(value, depth);
}

/** Errors, dates and the like have their own serialization in a log line. */
function isWalkable(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
