import type { MemoryHold, TraceContext } from '@legate/service';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import type { Presence } from '../caller/presence.ts';
import type { Credential } from '../delegation/delegation.ts';
import { tells } from '../delegation/secret-echo.ts';
import { hubBusy } from '../requests/hub-busy.ts';
import type { Pause } from '../resilience/pause.ts';
import type { McpAnswer } from './answer.ts';
import type { ClientExtensions } from './client-extensions.ts';
import { createAnswerFinder, type Progress, type ServerRequest } from './event-stream.ts';
import { ExchangeFailure, exchange, type RawAnswer } from './exchange.ts';
import { followStream, isUnanswered } from './follow-stream.ts';
import {
  CAPABILITY_MISSING,
  HEADER_MISMATCH,
  INVALID_REQUEST,
  parseObject,
  UNSUPPORTED_VERSION,
} from './json-rpc.ts';
import { createLegacySessions, type SessionPlace } from './legacy-sessions.ts';
import type { ListKind } from './list-kinds.ts';
import type { LogMessage } from './log-message.ts';
import {
  cancelledMessage,
  initializedMessage,
  initializeMessage,
  LEGACY_REVISIONS,
  type LegacyRevision,
  type LegacySession,
  legacyMessage,
  type McpRequest,
  MODERN_REVISION,
  modernMessage,
  type Revision,
  responseMessage,
  resumeRequest,
  type StreamRequest,
  type WireMessage,
} from './mcp-request.ts';
import { readAnswer } from './read-answer.ts';
import { withinTrace } from './within-trace.ts';

/** Receives what a tool server sends before its answer. */
export interface Interim {
  progress(progress: Progress): void;
  log(message: LogMessage): void;
}

/** To whom a request goes, as whom, and until when. */
export interface McpTarget {
  /** MCP endpoint */
  readonly url: string;
  readonly credential: Credential;
  /** Names the user and the connector: what a server keeps for one is never used for another. */
  readonly owner: string;
  /** On `performance.now()`'s scale, in milliseconds */
  readonly deadline: number;
  /** Of a caller who may go away; the tool server is told. */
  readonly presence?: Presence | undefined;
  readonly interim?: Interim | undefined;
  /** Counts what is kept of the answer, until the request that it is for is answered */
  readonly memory?: MemoryHold | undefined;
}

/** What a tool server says has changed, while it answers whatever request */
export type OnListChanged = (mcpUrl: string, kinds: readonly ListKind[]) => void;

export type McpClient = (target: McpTarget, request: McpRequest) => Promise<McpAnswer>;

/** Only servers of the modern revision (2026-07-28) use these. */
const MODERN_ERRORS: readonly number[] = [HEADER_MISMATCH, CAPABILITY_MISSING, UNSUPPORTED_VERSION];

interface KnownEra {
  readonly era: 'modern' | 'legacy';
  readonly sinceMs: number;
  /** Where a server has said which revisions it supports: the best that the hub has in common with it */
  readonly revision?: LegacyRevision | undefined;
}

/** As many as there are connectors, which administrators may point somewhere else as often as they like */
const MAX_URLS = 10_000;

/** Milliseconds after which it is found out anew which era a server belongs to. */
const ERA_AGE_MS = 3_600_000;

/** Milliseconds that telling a tool server of a cancellation, or answering what it asks, may take. */
const ASIDE_MS = 2000;

/** Requests of a tool server that are answered while it carries out one of ours */
const MAX_SERVER_REQUESTS = 100;

/**
 * Speaks MCP in both living revisions: the modern one first, the `initialize` handshake where a server knows nothing else,
 * and remembers which. No object of an SDK is made for a call.
 */
export function createMcpClient(deps: {
  dispatcher: Dispatcher;
  /** Waits before what was not sent is tried a second time. */
  pause: Pause;
  clock: () => Date;
  maxBytes: number;
  onListChanged: OnListChanged;
}): McpClient {
  const eras = new LRUCache<string, KnownEra>({ max: MAX_URLS });
  const sessions = createLegacySessions(deps);
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

  /** What has not left us may be sent a second time; what has, may have had its effect. */
  async function send(
    target: McpTarget,
    message: WireMessage | StreamRequest,
    id: number,
    session?: LegacySession,
  ): Promise<RawAnswer> {
    try {
      return await sendOnce(target, message, id, session);
    } catch (err) {
      if (!(err instanceof ExchangeFailure) || !err.isUnsent) throw err;
      await deps.pause();
      return sendOnce(target, message, id, session);
    }
  }

  /** @param session in which the server may ask something while it answers */
  function sendOnce(
    target: McpTarget,
    message: WireMessage | StreamRequest,
    id: number,
    session?: LegacySession,
  ): Promise<RawAnswer> {
    const timeoutMs = Math.floor(target.deadline - performance.now());
    if (timeoutMs <= 0) throw new ExchangeFailure('unavailable', 'it did not answer in time');
    const { origin, path } = endpointOf(target.url);
    const { headers, body } = message;
    const { maxBytes } = deps;
    // Member by member: spreading two objects into one costs V8 a hundred times as much.
    const { credential } = target;
    const dispatcher = credential.kind === 'client_certificate' ? credential.dispatcher : deps.dispatcher;
    return exchange(dispatcher, {
      method: body === null ? 'GET' : 'POST',
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
          onRequest: session && answering(target, session),
        }),
      presence: target.presence,
      memory: target.memory,
    });
  }

  /**
   * Answers what a server of the older revisions asks while it carries out our request, which it may not finish before:
   * `ping`, and with an error what needs a capability that the hub has not declared.
   */
  function answering(target: McpTarget, session: LegacySession): (request: ServerRequest) => void {
    let answered = 0;
    return (request) => {
      answered += 1;
      if (answered <= MAX_SERVER_REQUESTS)
        aside(target, responseMessage(request, target.credential, session));
    };
  }

  /** Sends a message whose failure changes nothing. */
  function aside({ url, credential, owner, memory }: McpTarget, message: WireMessage): Promise<unknown> {
    const own = { url, credential, owner, memory, deadline: performance.now() + ASIDE_MS };
    return send(own, message, nextId()).catch(() => {});
  }

  async function callModern(
    target: McpTarget,
    request: McpRequest,
    trace: TraceContext | undefined,
  ): Promise<McpAnswer> {
    const id = nextId();
    return readAnswer(await send(target, modernMessage(request, id, target.credential, trace), id), id);
  }

  async function callLegacy(
    target: McpTarget,
    request: McpRequest,
    trace: TraceContext | undefined,
    revision?: LegacyRevision,
  ): Promise<McpAnswer> {
    const extensions = request.agent?.extensions;
    const place = placeOf(target, extensions);
    for (let handshakes = 0; ; handshakes += 1) {
      let session = sessions.find(place);
      if (!session) {
        const shaken = await shakeHands(target, revision, extensions);
        if ('kind' in shaken) return shaken;
        session = shaken;
        sessions.keep(place, session);
      }
      const id = nextId();
      const message = legacyMessage(request, id, target.credential, session, trace);
      const raw = await sendInSession(target, message, id, session);
      const answer = readAnswer(raw, id);
      // 404 says that the session is over, 400 that one is wanted after all: the request was not looked at.
      const isOver = statusOf(answer) === 404 || statusOf(answer) === 400;
      if (!isOver || handshakes > 0) return answer;
      sessions.drop(place);
    }
  }

  async function sendInSession(
    target: McpTarget,
    message: WireMessage,
    id: number,
    session: LegacySession,
  ): Promise<RawAnswer> {
    try {
      const first = await send(target, message, id, session);
      if (!isUnanswered(first)) return first;
      const resume = (lastEventId: string) =>
        send(target, resumeRequest(lastEventId, target.credential, session), id, session);
      return await followStream(first, resume, target.deadline);
    } catch (err) {
      if (target.presence?.hasLeft) await aside(target, cancelledMessage(id, target.credential, session));
      throw err;
    }
  }

  async function shakeHands(
    target: McpTarget,
    offered: LegacyRevision | undefined,
    extensions: ClientExtensions | undefined,
  ): Promise<LegacySession | McpAnswer> {
    const id = nextId();
    const raw = await send(target, initializeMessage(id, target.credential, offered, extensions), id);
    const answer = readAnswer(raw, id);
    if (answer.kind !== 'result') return answer;
    const revision = LEGACY_REVISIONS.find((known) => known === answer.result.protocolVersion);
    if (!revision) return { kind: 'unusable', reason: 'it speaks no MCP revision that the hub knows' };
    const sessionId = raw.headers['mcp-session-id'];
    const session = { revision, id: typeof sessionId === 'string' ? sessionId : undefined };
    await send(target, initializedMessage(target.credential, session), id);
    return session;
  }

  function eraOf(url: string): KnownEra | undefined {
    const known = eras.get(url);
    return known && deps.clock().getTime() - known.sinceMs < ERA_AGE_MS ? known : undefined;
  }

  async function call(
    target: McpTarget,
    request: McpRequest,
    trace: TraceContext | undefined,
  ): Promise<McpAnswer> {
    const known = eraOf(target.url);
    if (known?.era === 'legacy') {
      const legacy = await callLegacy(target, request, trace, known.revision);
      // A server that was upgraded meanwhile refuses so, before it looks at the request.
      if (!isModernError(legacy) || statusOf(legacy) !== 400) return legacy;
    }
    const answer = await callModern(target, request, trace);
    const common = bestCommonRevision(answer);
    if (common !== undefined) return callAgain(target, request, trace, common);
    if (known?.era === 'modern') return answer;
    const sinceMs = deps.clock().getTime();
    if (isModern(answer)) eras.set(target.url, { era: 'modern', sinceMs });
    if (!suggestsLegacy(answer)) return answer;
    const legacy = await callLegacy(target, request, trace);
    if (isModernError(legacy)) eras.set(target.url, { era: 'modern', sinceMs });
    // Only a server that took part in the handshake is remembered; of another one the first answer says more.
    if (isModernError(legacy) || suggestsLegacy(legacy)) return answer;
    if (legacy.kind === 'result') eras.set(target.url, { era: 'legacy', sinceMs });
    return legacy;
  }

  /** A server that refuses a revision has not looked at the request: a tool call too can be sent again. */
  async function callAgain(
    target: McpTarget,
    request: McpRequest,
    trace: TraceContext | undefined,
    revision: Revision,
  ): Promise<McpAnswer> {
    if (revision === MODERN_REVISION) return callModern(target, request, trace);
    sessions.drop(placeOf(target, request.agent?.extensions));
    const answer = await callLegacy(target, request, trace, revision);
    if (answer.kind === 'result')
      eras.set(target.url, { era: 'legacy', sinceMs: deps.clock().getTime(), revision });
    return answer;
  }

  return async (target, request) => {
    try {
      return await withinTrace(target.url, request.method, (trace) => call(target, request, trace));
    } catch (err) {
      if (!(err instanceof ExchangeFailure)) throw err;
      const { kind, reason, isUnsent } = err;
      if (kind === 'no_memory') throw hubBusy();
      if (kind === 'unavailable') return { kind, reason, isUnsent };
      if (kind !== 'certificate_refused') return { kind, reason };
      return target.credential.kind === 'client_certificate'
        ? { kind: 'unauthorized' }
        : { kind: 'unusable', reason };
    }
  };
}

const placeOf = ({ url, owner }: McpTarget, extensions: ClientExtensions | undefined): SessionPlace => ({
  url,
  owner,
  extensions: extensions?.digest,
});

/** The newest first */
const REVISIONS: readonly Revision[] = [MODERN_REVISION, ...LEGACY_REVISIONS];

/** Returns undefined where a server has not refused the revision, or names none that the hub speaks. */
function bestCommonRevision(answer: McpAnswer): Revision | undefined {
  if (answer.kind !== 'error' || answer.code !== UNSUPPORTED_VERSION) return undefined;
  const supported = parseObject(answer.data ?? '')?.supported;
  if (!Array.isArray(supported)) return undefined;
  return REVISIONS.find((revision) => supported.includes(revision));
}

/** What holds our secret goes nowhere. */
const heardBy = (interim: Interim, credential: Credential) => ({
  onProgress: (progress: Progress, text: string): void => {
    if (!tells(text, credential)) interim.progress(progress);
  },
  onLog: (message: LogMessage, text: string): void => {
    if (!tells(text, credential)) interim.log(message);
  },
});

const isModern = (answer: McpAnswer): boolean =>
  answer.kind === 'result' || answer.kind === 'input_required' || isModernError(answer);

const isModernError = (answer: McpAnswer): boolean =>
  answer.kind === 'error' && MODERN_ERRORS.includes(answer.code);

/**
 * Whether a server may know only the old revisions: it refused the request as such. 401, 403 and 5xx decide nothing, and
 * neither does an error that a tool may have given: a tool that did run is never run again.
 */
function suggestsLegacy(answer: McpAnswer): boolean {
  if (answer.kind === 'rejected') return true;
  if (answer.kind !== 'error' || isModernError(answer) || answer.status >= 500) return false;
  return answer.status !== 200 || answer.code === INVALID_REQUEST;
}

const statusOf = (answer: McpAnswer): number | undefined =>
  answer.kind === 'rejected' || answer.kind === 'error' ? answer.status : undefined;
