import type { ExchangeToken } from '@legate/delegation';
import { readBearer } from '@legate/oauth';
import type { Caller } from '../domain/caller.ts';
import { sessionEnded, tokenMissing } from '../refusals/sign-in-problems.ts';
import { tokenRefused } from '../refusals/token-refusals.ts';
import { CLIENT_TOKEN_PREFIX, type ClientTokens } from './client-tokens.ts';
import type { SessionInUse } from './find-session.ts';
import { HANDLE } from './session-record.ts';
import type { Sessions } from './sessions.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

/** The endpoint of a request. Access tokens of the hub's authorization server are valid only at some endpoints. */
export type CallerEndpoint =
  /** `resource`: resource identifier of the URL */
  | { readonly kind: 'mcp'; readonly resource: string }
  /** The endpoint that explains a response of `/mcp` to the caller that got it */
  | { readonly kind: 'explanation' }
  | { readonly kind: 'api' };

/** Identifies callers that present a token of the hub's authorization server. */
export interface CallersByClient {
  readonly tokens: ClientTokens;
  /** Resource identifier of `/mcp`. A token for it is valid at each connector's URL too. */
  readonly mcpResource: string;
  /** Verifies the ID token of a sign-in by the hub's own client. */
  readonly verifyOwn: VerifyIdToken;
  /** False if ID tokens and handles of sessions are refused at `/mcp` */
  readonly takesIdTokens: boolean;
}

/**
 * @param endpoint default: the one that accepts the fewest tokens
 * @throws {Problem} 401, 403 or 503
 */
export type VerifyCaller = (authorization: string | undefined, endpoint?: CallerEndpoint) => Promise<Caller>;

/**
 * Identifies the caller from the Authorization header: by the user's ID token, by the handle of a session, which contains
 * one, or by an access token of the hub's authorization server, which stands for a session. The token of a session is
 * checked like any other: if the identity provider withdraws its key, or the client is no longer accepted, the session
 * ends.
 */
export function createCallerVerifier(deps: {
  verifyIdToken: VerifyIdToken;
  sessions: Pick<Sessions, 'find' | 'findByKey'>;
  clients: CallersByClient | undefined;
  /** The token that callers without a session exchange; undefined: their ID token */
  exchangeToken?: ExchangeToken | undefined;
}): VerifyCaller {
  const { verifyIdToken, sessions, clients, exchangeToken } = deps;

  async function byClient(
    token: string,
    endpoint: CallerEndpoint,
    { tokens, mcpResource, verifyOwn }: CallersByClient,
  ) {
    const looked = tokens.find(token);
    const found = looked instanceof Promise ? await looked : looked;
    if (!found) throw tokenRefused('unknown');
    const isGoodHere =
      endpoint.kind === 'explanation' ||
      (endpoint.kind === 'mcp' && (found.resource === mcpResource || found.resource === endpoint.resource));
    if (!isGoodHere) throw tokenRefused('wrong_endpoint');
    const inUse = await sessions.findByKey(found.sessionKey);
    return inSession((await verifyOwn(inUse.idToken)).caller, inUse, inUse.grant?.clientId);
  }

  return async (authorization, endpoint = { kind: 'api' }) => {
    const bearer = readBearer(authorization);
    if (bearer.kind === 'absent') throw tokenMissing();
    if (bearer.kind === 'malformed') throw tokenRefused('malformed');
    if (clients && bearer.token.startsWith(CLIENT_TOKEN_PREFIX))
      return byClient(bearer.token, endpoint, clients);
    if (endpoint.kind === 'mcp' && clients && !clients.takesIdTokens) throw tokenRefused('wrong_type');
    if (!HANDLE.test(bearer.token)) {
      const { caller } = await verifyIdToken(bearer.token);
      return exchangeToken ? { ...caller, exchangeToken } : caller;
    }
    const inUse = await sessions.find(bearer.token);
    return inSession((await verifyIdToken(inUse.idToken)).caller, inUse);
  };
}

/**
 * Returns the caller without `signIn`, because a session stores the sign-in in its own record.
 * @throws {Problem} 401 `session_ended` if the token has another user or organization now, by other settings: what
 * would end the session is recorded for the former ones
 */
function inSession(
  caller: Caller,
  inUse: Pick<SessionInUse, 'userId' | 'organizationId' | 'session' | 'agentId' | 'exchangeToken'>,
  mcpClient?: string,
): Caller {
  const { userId, organizationId, session, agentId, exchangeToken } = inUse;
  if (caller.userId !== userId || caller.organizationId !== organizationId) throw sessionEnded();
  return { ...caller, signIn: undefined, exchangeToken, session, agentId, mcpClient };
}
