import type { TraceContext } from '@legate/service/outbound';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import { type ClientInfo, describeClient } from './client-description.ts';
import type { ClientExtensions } from './client-extensions.ts';
import { followStream, isUnanswered } from './follow-stream.ts';
import { HttpFailure } from './http-failure.ts';
import { createLegacySessions, type SessionPlace } from './legacy-sessions.ts';
import type { McpAnswer } from './mcp-answer.ts';
import {
  cancelledMessage,
  initializedMessage,
  initializeMessage,
  type LegacySession,
  legacyMessage,
  type McpRequest,
  modernMessage,
  resumeRequest,
  type WireMessage,
} from './mcp-request.ts';
import type { McpTarget, OnListChanged } from './mcp-target.ts';
import { readAnswer } from './read-answer.ts';
import { bestCommonRevision, isModern, isModernError, statusOf, suggestsLegacy } from './revision-signs.ts';
import { LEGACY_REVISIONS, type LegacyRevision, MODERN_REVISION, type Revision } from './revisions.ts';
import type { RawAnswer } from './send-http.ts';
import { createMessageSender, MAX_URLS } from './send-message.ts';
import { withinTrace } from './within-trace.ts';

export type McpClient = (target: McpTarget, request: McpRequest) => Promise<McpAnswer>;

interface KnownEra {
  readonly era: 'modern' | 'legacy';
  readonly sinceMs: number;
  /** The best revision that both sides support, if the server has listed its revisions */
  readonly revision?: LegacyRevision | undefined;
}

/** Milliseconds after which a server's era is determined again. */
const ERA_AGE_MS = 3_600_000;

/**
 * Speaks MCP in both current eras: tries the modern one first, falls back to the `initialize` handshake if the server
 * supports nothing else, and remembers which. A call creates no SDK objects.
 */
export function createMcpClient(deps: {
  client: ClientInfo;
  dispatcher: Dispatcher;
  /** Waits before an unsent request is retried. */
  pause: () => Promise<void>;
  clock: () => Date;
  maxBytes: number;
  onListChanged: OnListChanged;
  /** Makes the error of a request whose answer finds no memory. */
  noMemory: () => Error;
}): McpClient {
  // With `max` it would allocate memory for all of them now.
  const eras = new LRUCache<string, KnownEra>({ maxSize: MAX_URLS, sizeCalculation: () => 1 });
  const sessions = createLegacySessions(deps);
  const client = describeClient(deps.client);
  const { nextId, send, aside } = createMessageSender(deps);

  async function callModern(
    target: McpTarget,
    request: McpRequest,
    trace: TraceContext | undefined,
  ): Promise<McpAnswer> {
    const id = nextId();
    return readAnswer(
      await send(target, modernMessage(client, request, id, target.credential, trace), id),
      id,
    );
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
      // 404 means that the session has expired, 400 that one is required after all: the request was not processed.
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
    const raw = await send(target, initializeMessage(client, id, target.credential, offered, extensions), id);
    const answer = readAnswer(raw, id);
    if (answer.kind !== 'result') return answer;
    const revision = LEGACY_REVISIONS.find((known) => known === answer.result.protocolVersion);
    if (!revision) return { kind: 'unusable', reason: 'it speaks no MCP revision that we know' };
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
      // A server that has been upgraded refuses this way before it processes the request.
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
    // Only a server that completed the handshake is remembered; otherwise the first response is more informative.
    if (isModernError(legacy) || suggestsLegacy(legacy)) return answer;
    if (legacy.kind === 'result') eras.set(target.url, { era: 'legacy', sinceMs });
    return legacy;
  }

  /** A server that refuses a revision has not processed the request, so even a tool call may be sent again. */
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
      return await withinTrace(target, request.method, (trace) => call(target, request, trace));
    } catch (err) {
      if (!(err instanceof HttpFailure)) throw err;
      const { kind, reason, isUnsent } = err;
      if (kind === 'no_memory') throw deps.noMemory();
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
