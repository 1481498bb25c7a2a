import { setTimeout as wait } from 'node:timers/promises';
import type { ClientDescription } from './client-description.ts';
import { followStream } from './follow-stream.ts';
import { HttpFailure } from './http-failure.ts';
import { METHOD_NOT_FOUND } from './json-rpc.ts';
import { createLegacySessions, type SessionPlace } from './legacy-sessions.ts';
import type { McpAnswer } from './mcp-answer.ts';
import { mayHaveEffect } from './mcp-request.ts';
import type { McpCall } from './mcp-target.ts';
import { readAnswer } from './read-answer.ts';
import { statusOf } from './revision-signs.ts';
import { LEGACY_REVISIONS, type LegacyRevision, MODERN_REVISION } from './revisions.ts';
import { isUnanswered, type RawAnswer } from './send-http.ts';
import type { createMessageSender } from './send-message.ts';
import {
  cancelledMessage,
  endRequest,
  initializedMessage,
  initializeMessage,
  type LegacySession,
  legacyMessage,
  pingMessage,
  resumeRequest,
  type WireMessage,
} from './wire-message.ts';

/** Milliseconds that a server gets to confirm that it has read the end of a handshake */
const CONFIRMATION_MS = 500;

/** Calls servers of the revisions with an `initialize` handshake, and repeats the handshake only where it must. */
export function createLegacyCalls(deps: {
  client: ClientDescription;
  sender: ReturnType<typeof createMessageSender>;
  clock: () => Date;
}) {
  const { client } = deps;
  const { nextId, send, aside } = deps.sender;
  const sessions = createLegacySessions(deps);

  async function sendInSession(
    { target }: McpCall,
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
    { target, request }: McpCall,
    offered: LegacyRevision | undefined,
  ): Promise<{ readonly answer: McpAnswer; readonly session?: LegacySession }> {
    const id = nextId();
    const { credential } = target;
    const message = initializeMessage(client, id, credential, offered, request.agent?.extensions);
    const raw = await send(target, message, id);
    const answer = readAnswer(raw, id);
    if (answer.kind !== 'result') return { answer };
    const revision = LEGACY_REVISIONS.find((known) => known === answer.result.protocolVersion);
    if (!revision) throw new HttpFailure('unusable', unknownRevision(answer.result));
    const sessionId = raw.headers['mcp-session-id'];
    const session = { revision, id: typeof sessionId === 'string' ? sessionId : undefined };
    // JSON-RPC 2.0 §4.1: nothing answers a notification. Most servers confirm it, and some refuse what comes before it.
    const initialized = aside(target, initializedMessage(credential, session));
    await Promise.race([initialized, wait(CONFIRMATION_MS, undefined, { ref: false })]);
    return { answer, session };
  }

  /**
   * Whether a request can be repeated after 404 or 400. A server gives these to a session that has ended, or where it wants
   * one after all; a tool may give them, too. What may have had an effect is repeated only if it was sent in a session
   * that the server refuses as such, and got no answer of its own.
   * @see MCP 2025-11-25, Transports, "Session Management"
   */
  async function wasNotTaken(call: McpCall, session: LegacySession, answer: McpAnswer): Promise<boolean> {
    const isHarmless = !mayHaveEffect(call.request);
    const isLost = isHarmless || (await refusesPing(call, session));
    if (isLost) sessions.drop(placeOf(call));
    const isAnswered = answer.kind === 'error' && answer.isOurs;
    return isHarmless || (isLost && session.id !== undefined && !isAnswered);
  }

  async function refusesPing({ target }: McpCall, session: LegacySession): Promise<boolean> {
    const id = nextId();
    const raw = await aside(target, pingMessage(id, target.credential, session), id);
    return raw !== undefined && isRefusedPing(readAnswer(raw, id));
  }

  /** Nobody waits for the end of a session, and servers need not support it (405). */
  function endSession({ target }: McpCall, session: LegacySession): void {
    if (session.id !== undefined) void aside(target, endRequest(target.credential, session));
  }

  return {
    /** @param revision to offer in the handshake */
    async call(call: McpCall, revision?: LegacyRevision): Promise<McpAnswer> {
      const { target, request, trace } = call;
      const place = placeOf(call);
      for (let isRepeated = false; ; isRepeated = true) {
        let session = sessions.find(place);
        if (!session || request.method === 'server/discover') {
          const shaken = await shakeHands(call, revision);
          if (!shaken.session) return shaken.answer;
          const isToDescribe = request.method === 'server/discover';
          // The one that is there may hold the state of a tool.
          if (isToDescribe && session?.id !== undefined) endSession(call, shaken.session);
          else sessions.keep(place, shaken.session);
          // A server of these revisions describes itself in the handshake, and at no other time.
          if (isToDescribe) return shaken.answer;
          session = shaken.session;
        }
        const id = nextId();
        const message = legacyMessage(request, id, target.credential, session, trace);
        const answer = readAnswer(await sendInSession(call, message, id, session), id);
        if (isRepeated || !isRefusal(answer) || !(await wasNotTaken(call, session, answer))) return answer;
      }
    },
    dropSession(call: McpCall): void {
      const session = sessions.find(placeOf(call));
      if (session) endSession(call, session);
      sessions.drop(placeOf(call));
    },
    /** Returns true if a server has a session for this caller, and so is of one of these revisions */
    hasSession: (call: McpCall): boolean => sessions.find(placeOf(call))?.id !== undefined,
  };
}

/** A server that does not know `ping` has read it all the same, so the session goes on. */
const isRefusedPing = (answer: McpAnswer): boolean =>
  isRefusal(answer) && !(answer.kind === 'error' && answer.code === METHOD_NOT_FOUND);

function unknownRevision({ protocolVersion }: Readonly<Record<string, unknown>>): string {
  const isDate = typeof protocolVersion === 'string' && /^\d{4}-\d\d-\d\d$/.test(protocolVersion);
  const theirs = isDate ? `speaks MCP ${protocolVersion}` : 'names no MCP revision';
  return `it ${theirs}, and not one of ${[...LEGACY_REVISIONS, MODERN_REVISION].toSorted().join(', ')}`;
}

const placeOf = ({ target: { url, owner }, request }: McpCall): SessionPlace => ({
  url,
  owner,
  extensions: request.agent?.extensions?.digest,
});

const isRefusal = (answer: McpAnswer): boolean => statusOf(answer) === 404 || statusOf(answer) === 400;
