import { activeRequest, runInRequest } from '@legate/service/outbound';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import type { ClientDescription } from './client-description.ts';
import { createAnswerFinder } from './event-stream.ts';
import { HttpFailure } from './http-failure.ts';
import type { JsonMembers } from './json-members.ts';
import type { LogMessage } from './log-message.ts';
import type { ServerRequest } from './mcp-request.ts';
import type { Interim, McpCredential, McpTarget, OnListChanged } from './mcp-target.ts';
import { containsSecret } from './secret-echo.ts';
import { type RawAnswer, sendHttp } from './send-http.ts';
import {
  type BodylessRequest,
  type LegacySession,
  responseMessage,
  type WireMessage,
} from './wire-message.ts';

/** A limit on cached URLs, since administrators may change a connector's URL at any time */
export const MAX_URLS = 10_000;

/** Time limit in milliseconds for a notification to a tool server, or a response to its request. */
const ASIDE_MS = 2000;

/** Maximum number of requests of a tool server that are answered while it processes one of ours */
const MAX_SERVER_REQUESTS = 100;

/** Sends messages to tool servers of any revision. */
export function createMessageSender(deps: {
  client: Pick<ClientDescription, 'headers'>;
  dispatcher: Dispatcher;
  /** Waits before an unsent request is retried. */
  pause: () => Promise<void>;
  maxBytes: number;
  onListChanged: OnListChanged;
}) {
  const endpoints = new LRUCache<string, { origin: string; path: string }>({ max: MAX_URLS });
  let lastId = 0;

  const nextId = (): number => {
    lastId = (lastId % 1_000_000_000) + 1;
    return lastId;
  };

  function endpointOf(url: string): { origin: string; path: string } {
    const known = endpoints.get(url);
    if (known) return known;
    const { origin, pathname, search } = new URL(url);
    const endpoint = { origin, path: `${pathname}${search}` };
    endpoints.set(url, endpoint);
    return endpoint;
  }

  /**
   * Retries a request that was not sent; one that was sent may have taken effect.
   * @param session in which the server may send requests before its response
   * @throws {HttpFailure}
   */
  async function send(
    target: McpTarget,
    message: WireMessage | BodylessRequest,
    id: number,
    session?: LegacySession,
  ): Promise<RawAnswer> {
    try {
      return await sendOnce(target, message, id, session);
    } catch (err) {
      if (!(err instanceof HttpFailure) || !err.isUnsent) throw err;
      await deps.pause();
      return sendOnce(target, message, id, session);
    }
  }

  function sendOnce(
    target: McpTarget,
    message: WireMessage | BodylessRequest,
    id: number,
    session?: LegacySession,
  ): Promise<RawAnswer> {
    const timeoutMs = Math.floor(target.deadline - performance.now());
    if (timeoutMs <= 0) throw new HttpFailure('unavailable', 'it did not answer in time');
    const { origin, path } = endpointOf(target.url);
    const { headers, body } = message;
    const { maxBytes } = deps;
    const within = activeRequest();
    headers.push(...deps.client.headers);
    if (within) headers.push('x-request-id', within.requestId);
    const answer = session && answering(target, session);
    const { credential } = target;
    const dispatcher = credential.kind === 'client_certificate' ? credential.dispatcher : deps.dispatcher;
    return sendHttp(dispatcher, {
      method: 'method' in message ? message.method : 'POST',
      origin,
      path,
      headers,
      body,
      timeoutMs,
      maxBytes,
      readStream: () =>
        createAnswerFinder(id, {
          ...(target.interim && heardBy(target.interim, credential)),
          onListChanged: (kinds) => deps.onListChanged(target.url, kinds),
          // The connection calls it, which may have been opened within another user's request.
          onRequest: answer && ((request) => runInRequest(within, () => answer(request))),
        }),
      presence: target.presence,
      memory: target.memory,
    });
  }

  /**
   * Responds to requests that a server of the older revisions sends while it processes ours, since it may wait for the
   * response: to `ping` with a result, and with an error to requests that need a capability that the client has not
   * declared.
   */
  function answering(target: McpTarget, session: LegacySession): (request: ServerRequest) => void {
    let answered = 0;
    return (request) => {
      answered += 1;
      if (answered <= MAX_SERVER_REQUESTS)
        aside(target, responseMessage(request, target.credential, session));
    };
  }

  /** Sends a message whose failure is ignored. */
  function aside(
    { url, credential, owner, memory }: McpTarget,
    message: WireMessage | BodylessRequest,
    id = nextId(),
  ): Promise<RawAnswer | undefined> {
    const own = { url, credential, owner, memory, deadline: performance.now() + ASIDE_MS };
    return send(own, message, id).catch(() => undefined);
  }

  return { nextId, send, aside };
}

/** Drops messages that contain our secret. */
const heardBy = (interim: Interim, credential: McpCredential) => ({
  onProgress: (progress: JsonMembers, text: string): void => {
    if (!containsSecret(text, credential)) interim.progress(progress);
  },
  onLog: (message: LogMessage, text: string): void => {
    if (!containsSecret(text, credential)) interim.log(message);
  },
});
