import type { ClientDescription } from './client-description.ts';
import { followStream } from './follow-stream.ts';
import { createLegacySessions, type SessionPlace } from './legacy-sessions.ts';
import type { McpAnswer } from './mcp-answer.ts';
import type { McpCall } from './mcp-target.ts';
import { readAnswer } from './read-answer.ts';
import { statusOf } from './revision-signs.ts';
import { LEGACY_REVISIONS, type LegacyRevision } from './revisions.ts';
import { isUnanswered, type RawAnswer } from './send-http.ts';
import type { createMessageSender } from './send-message.ts';
import {
  cancelledMessage,
  initializedMessage,
  initializeMessage,
  type LegacySession,
  legacyMessage,
  resumeRequest,
  type WireMessage,
} from './wire-message.ts';

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
    if (!revision) return { answer: { kind: 'unusable', reason: 'it speaks no MCP revision that we know' } };
    const sessionId = raw.headers['mcp-session-id'];
    const session = { revision, id: typeof sessionId === 'string' ? sessionId : undefined };
    await send(target, initializedMessage(credential, session), id);
    return { answer, session };
  }

  return {
    /** @param revision to offer in the handshake */
    async call(call: McpCall, revision?: LegacyRevision): Promise<McpAnswer> {
      const { target, request, trace } = call;
      const place = placeOf(call);
      for (let handshakes = 0; ; handshakes += 1) {
        let session = sessions.find(place);
        if (!session || request.method === 'server/discover') {
          const shaken = await shakeHands(call, revision);
          if (!shaken.session) return shaken.answer;
          session = shaken.session;
          sessions.keep(place, session);
          // A server of these revisions describes itself in the handshake, and at no other time.
          if (request.method === 'server/discover') return shaken.answer;
        }
        const id = nextId();
        const message = legacyMessage(request, id, target.credential, session, trace);
        const answer = readAnswer(await sendInSession(call, message, id, session), id);
        // 404 means that the session has expired, 400 that one is required after all: the request was not processed.
        const isOver = statusOf(answer) === 404 || statusOf(answer) === 400;
        if (!isOver || handshakes > 0) return answer;
        sessions.drop(place);
      }
    },
    dropSession: (call: McpCall): void => sessions.drop(placeOf(call)),
  };
}

const placeOf = ({ target: { url, owner }, request }: McpCall): SessionPlace => ({
  url,
  owner,
  extensions: request.agent?.extensions?.digest,
});
