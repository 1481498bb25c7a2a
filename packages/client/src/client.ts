import { type Bearer, idTokenBearer, openedSession, sessionBearer, signInRequired } from './bearer.ts';
import { readExplanation } from './explanation.ts';
import { keepInternals } from './internals.ts';
import { mcpTransport } from './mcp-transport.ts';
import { type ClientOptions, checkCredential, checkNames, readHubUrl } from './options.ts';
import type { ConnectLink, ConnectOptions, Explanation, Failure, Outcome } from './outcome.ts';
import { notFound, problemOf, type Remedies, toFailure } from './read-problem.ts';
import { unreadable } from './read-result.ts';
import { createReader, restTransport } from './rest-transport.ts';
import { createSend, type Send, type SendOptions } from './send.ts';
import type { LegateTool, ToolList } from './tool.ts';
import type { CallOptions } from './transport.ts';
import { isObject, readJson, stringOf } from './wire.ts';

/** A client of the tool hub that acts as one user. Create one for each user who is signed in. */
export interface Legate {
  /** Lists the tools that the user may call. */
  tools(options?: { readonly signal?: AbortSignal }): Promise<ToolList>;
  /**
   * Calls a tool as the user. Never calls twice.
   * @param tool its name, or an item of the list
   */
  call(
    tool: string | Pick<LegateTool, 'name'>,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<Outcome>;
  /** Gets a link that lets the user connect their own account at a connector's tool server. */
  connect(connectorId: string, options?: ConnectOptions): Promise<ConnectLink | Failure>;
  /** Explains how a call ended. */
  explain(callId: string, options?: { readonly signal?: AbortSignal }): Promise<Explanation | Failure>;
  /**
   * Ends the session. Without a session, signs the user out at the hub, which ends their tokens and sessions there. Do
   * not use this client afterwards.
   */
  end(): Promise<Ended | Failure>;
}

export interface Ended {
  readonly kind: 'ended';
}

/** @throws {TypeError} for invalid options */
export function createClient(options: ClientOptions): Legate {
  checkNames(options);
  const { agentId } = options;
  const hub = { hub: readHubUrl(options.hub), agentId, fetch: options.fetch ?? globalFetch };
  const { bearer, end } = authenticate(options, hub);
  let hasEnded = false;
  const whileOpen: Bearer = {
    current: async () =>
      hasEnded ? signInRequired('session_ended', 'The session was ended.') : bearer.current(),
    renew: async (refused) => (hasEnded ? undefined : bearer.renew(refused)),
    idToken: bearer.idToken,
  };
  const send = createSend(hub, whileOpen);
  const remedies: Remedies = {
    connect: (connectorId, requiredScope) => (own) =>
      connect(connectorId, { ...(requiredScope && { scopes: requiredScope.split(' ') }), ...own }),
    explain: async (callId) => (callId === undefined ? notCalled() : explain(callId)),
  };
  const transport =
    options.transport === 'mcp'
      ? mcpTransport(send, remedies, { hub: hub.hub, onElicitation: options.onElicitation })
      : restTransport(send, remedies);
  const read = createReader(send, remedies);

  const explain: Legate['explain'] = async (callId, { signal } = {}) => {
    const answer = await read(`/api/v1/calls/${encodeURIComponent(callId)}/explanation`, signal);
    return answer.kind === 'read' ? readExplanation(answer.body) : answer;
  };

  const connect: Legate['connect'] = async (connectorId, { returnTo, scopes, signal } = {}) => {
    const path = `/api/v1/connectors/${encodeURIComponent(connectorId)}/connections`;
    const body = { ...(returnTo !== undefined && { return_to: returnTo }), ...(scopes && { scopes }) };
    const response = await send(path, { method: 'POST', body, signal });
    return response instanceof Response ? toLink(response, remedies) : response;
  };

  const legate: Legate = {
    tools: ({ signal } = {}) => transport.listTools({ ...(signal && { signal }) }),
    async call(tool, args = {}, callOptions = {}) {
      const name = typeof tool === 'string' ? tool : tool.name;
      if (typeof name !== 'string' || name === '') throw new TypeError('a tool has a name');
      if (!isObject(args)) throw new TypeError('the arguments of a tool must be an object');
      return transport.callTool(name, args, callOptions);
    },
    connect,
    explain,
    async end() {
      const ended = await end(remedies);
      hasEnded ||= ended.kind === 'ended';
      return ended;
    },
  };
  keepInternals(legate, { hub, bearer: whileOpen });
  return legate;
}

/**
 * Looks up `fetch` for each request, so that a program can replace it, and calls it without `this`, as browsers
 * require.
 */
const globalFetch: typeof fetch = (...args) => fetch(...args);

function authenticate(options: ClientOptions, hub: SendOptions) {
  checkCredential(options);
  const { idToken, session, openSession } = options;
  if (session !== undefined) {
    const bearer = sessionBearer(session);
    return { bearer, end: ends(createSend(hub, bearer), '/api/v1/sessions/current') };
  }
  const idTokens = idTokenBearer(idToken);
  const byIdToken = createSend(hub, idTokens);
  if (!openSession) return { bearer: idTokens, end: ends(byIdToken, '/api/v1/tokens') };

  const bearer = openedSession(openSession, idTokens, async () => {
    const { refreshToken: source, accessToken: accessSource, clientId } = openSession;
    const refreshToken = typeof source === 'function' ? await askFor(source, 'refresh token') : source;
    if (typeof refreshToken === 'object') return refreshToken;
    const accessToken = accessSource && (await askFor(accessSource, 'access token'));
    if (typeof accessToken === 'object') return accessToken;
    const body = {
      refresh_token: refreshToken,
      access_token: accessToken,
      client_id: clientId,
      agent_id: hub.agentId,
    };
    const response = await byIdToken('/api/v1/sessions', { method: 'POST', body });
    return response instanceof Response ? toHandle(response) : response;
  });
  return {
    bearer,
    async end(remedies: Remedies): Promise<Ended | Failure> {
      const handle = bearer.handle();
      if (handle === undefined) return { kind: 'ended' };
      // Only with this handle: if the session has ended already, no new session must be opened just to end it.
      return ends(createSend(hub, sessionBearer(handle)), '/api/v1/sessions/current')(remedies);
    },
  };
}

const ends =
  (send: Send, path: string) =>
  async (remedies: Remedies): Promise<Ended | Failure> => {
    const response = await send(path, { method: 'DELETE' });
    if (!(response instanceof Response)) return response;
    if (response.ok) return { kind: 'ended' };
    const failure = toFailure(problemOf(response, await readJson(response)), remedies);
    return failure.kind === 'sign_in_required' && failure.reason === 'session_ended'
      ? { kind: 'ended' }
      : failure;
  };

/** @returns a failure if the application has no token, which is a failure of its sign-in */
const askFor = (source: () => string | Promise<string>, name: string): Promise<string | Failure> =>
  Promise.resolve()
    .then(source)
    .catch((cause: unknown) =>
      signInRequired('no_id_token', `The application has no ${name} for the user.`, cause),
    );

async function toHandle(response: Response): Promise<string | Failure> {
  const body = await readJson(response);
  if (!response.ok) return toFailure(problemOf(response, body), NO_REMEDIES);
  return (isObject(body) && stringOf(body.session)) || unreadable(body);
}

/** Failure for an explanation if no tool was called: the hub keeps none for a denied list. */
const notCalled = (): Failure => notFound('call_not_found', 'No tool was called.');

/** Opening a session is not a call, so it has no explanation and needs no connected account. */
const NO_REMEDIES: Remedies = {
  connect: () => async () => unreadable(undefined),
  explain: async () => unreadable(undefined),
};

async function toLink(response: Response, remedies: Remedies): Promise<ConnectLink | Failure> {
  const body = await readJson(response);
  if (!response.ok) return toFailure(problemOf(response, body), remedies);
  if (!isObject(body) || typeof body.authorize_url !== 'string') return unreadable(body);
  return {
    kind: 'link',
    authorizeUrl: body.authorize_url,
    expiresAt: new Date(stringOf(body.expires_at) ?? Number.NaN),
  };
}
