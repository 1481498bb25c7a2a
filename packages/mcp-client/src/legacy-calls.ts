import type { LegacyRevision } from '@legate/mcp-wire';
import { METHOD_NOT_FOUND } from '@legate/mcp-wire';
import type { ClientDescription } from './client-description.ts';
import { followStream } from './follow-stream.ts';
import { createKeptSessions } from './keep-sessions.ts';
import type { SharedSession } from './legacy-sessions.ts';
import type { McpAnswer } from './mcp-answer.ts';
import { mayHaveEffect } from './mcp-request.ts';
import type { McpCall } from './mcp-target.ts';
import { readAnswer } from './read-answer.ts';
import { statusOf } from './revision-signs.ts';
import { isUnanswered } from './send-http.ts';
import type { createMessageSender } from './send-message.ts';
import {
  cancelledMessage,
  type LegacySession,
  legacyMessage,
  pingMessage,
  resumeRequest,
} from './wire-message.ts';

/** Calls servers of the revisions with an `initialize` handshake, and repeats the handshake only if necessary. */
export function createLegacyCalls(deps: {
  client: ClientDescription;
  sender: ReturnType<typeof createMessageSender>;
  clock: () => Date;
  sessionNames?: ((owner: string) => readonly string[]) | undefined;
}) {
  const { nextId, send, aside } = deps.sender;
  const sessions = createKeptSessions(deps);

  async function sendInSession(
    { target, request, trace }: McpCall,
    session: LegacySession,
  ): Promise<McpAnswer> {
    const id = nextId();
    const message = legacyMessage(request, id, target.credential, session, trace);
    try {
      const first = await send(target, message, id, session);
      if (!isUnanswered(first)) return readAnswer(first, id);
      const resume = (lastEventId: string) =>
        send(target, resumeRequest(lastEventId, target.credential, session), id, session);
      return readAnswer(await followStream(first, resume, target.deadline), id);
    } catch (err) {
      if (target.presence?.hasLeft) await aside(target, cancelledMessage(id, target.credential, session));
      throw err;
    }
  }

  /**
   * Returns true if a request can be repeated after 404 or 400. A server returns these if a session has ended, or if a
   * session is required after all; a tool may cause them, too. So a session is given up only if the server also refuses
   * a `ping` in it, and a request that may have had an effect is repeated only if it was sent in that session and the
   * error did not have its id. Nothing is repeated if we have given up the session meanwhile: the server may refuse it
   * because we have ended it.
   * @see MCP 2025-11-25, Transports, "Session Management"
   */
  async function wasNotTaken(call: McpCall, session: SharedSession, answer: McpAnswer): Promise<boolean> {
    const isHarmless = !mayHaveEffect(call.request);
    const isLost = (isHarmless && session.id === undefined) || (await refusesPing(call, session));
    if (session.isOver) return false;
    if (isLost) sessions.drop(call, session);
    const isAnswered = answer.kind === 'error' && answer.isOurs;
    return isLost && (isHarmless || (session.id !== undefined && !isAnswered));
  }

  async function refusesPing({ target }: McpCall, session: LegacySession): Promise<boolean> {
    const id = nextId();
    const raw = await aside(target, pingMessage(id, target.credential, session), id);
    return raw !== undefined && isRefusedPing(readAnswer(raw, id));
  }

  /**
   * Returns the session for a request. Returns an answer instead if the handshake was refused, or if its response is
   * the requested description.
   */
  async function sessionFor(
    call: McpCall,
    revision: LegacyRevision | undefined,
  ): Promise<
    | { readonly session: SharedSession; readonly answer?: never }
    | { readonly answer: McpAnswer; readonly session?: never }
  > {
    // A server of these revisions describes itself only in the handshake.
    const isDescription = call.request.method === 'server/discover';
    const known = sessions.find(call);
    if (known && !isDescription) return { session: known };
    const { answer, session } = await sessions.open(call, revision);
    if (!session) return { answer };
    // `within` ends a session that was given up during its handshake.
    return isDescription ? { answer: await sessions.within(session, async () => answer) } : { session };
  }

  return {
    /** @param revision to offer in the handshake */
    async call(call: McpCall, revision?: LegacyRevision): Promise<McpAnswer> {
      for (let isRepeated = false; ; isRepeated = true) {
        const { session, answer: other } = await sessionFor(call, revision);
        if (!session) return other;
        const { answer, isToRepeat } = await sessions.within(session, async () => {
          const answer = await sendInSession(call, session);
          const isToRepeat = !isRepeated && isRefusal(answer) && (await wasNotTaken(call, session, answer));
          return { answer, isToRepeat };
        });
        if (!isToRepeat) return answer;
      }
    },
    now: sessions.now,
    dropSession: sessions.giveUp,
    endSessions: sessions.giveUpNamed,
    close: sessions.close,
    /** Returns true if a server has a session for this caller, which means that it speaks one of these revisions */
    hasSession: (call: McpCall): boolean => sessions.find(call)?.id !== undefined,
  };
}

/** Returns true if the session itself was refused. A server without `ping` has still accepted the session. */
const isRefusedPing = (answer: McpAnswer): boolean =>
  isRefusal(answer) && !(answer.kind === 'error' && answer.code === METHOD_NOT_FOUND);

const isRefusal = (answer: McpAnswer): boolean => statusOf(answer) === 404 || statusOf(answer) === 400;
