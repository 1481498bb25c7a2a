import type { ClientDescription } from './client-description.ts';
import { createHandshake } from './handshake.ts';
import { createLegacySessions, type SessionPlace, type SharedSession } from './legacy-sessions.ts';
import type { McpAnswer } from './mcp-answer.ts';
import type { McpCall } from './mcp-target.ts';
import type { LegacyRevision } from './revisions.ts';
import type { createMessageSender } from './send-message.ts';
import { createSessionEnds } from './session-ends.ts';

const SWEEP_MS = 60_000;

/** Opens sessions at servers, keeps them, and ends them there when they are given up. */
export function createKeptSessions(deps: {
  client: ClientDescription;
  sender: ReturnType<typeof createMessageSender>;
  clock: () => Date;
  sessionNames?: ((owner: string) => readonly string[]) | undefined;
}) {
  const shakeHands = createHandshake(deps);
  const { end, idle } = createSessionEnds(deps.sender);
  const { clock, sessionNames: namesOf } = deps;
  const sessions = createLegacySessions({ clock, namesOf, onGivenUp: end });
  let sweeping: NodeJS.Timeout | undefined;

  function keep(place: SessionPlace, session: SharedSession): SharedSession {
    sweeping ??= setInterval(sweep, SWEEP_MS).unref();
    return sessions.keep(place, session);
  }

  function sweep(): void {
    sessions.sweep();
    if (sessions.hasAny()) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }

  const { find, within, drop, giveUp } = sessions;
  return {
    find: (call: McpCall) => find(placeOf(call)),
    within,
    drop: (call: McpCall, session: SharedSession) => drop(placeOf(call), session),
    giveUp: (call: McpCall) => giveUp(placeOf(call)),
    /**
     * Shakes hands, and keeps the session. If there is one by now, which may hold the state of a tool, it ends the new one.
     * @param revision to offer
     * @returns the answer to the handshake, and the session to use, unless that was refused
     */
    async open(
      call: McpCall,
      revision: LegacyRevision | undefined,
    ): Promise<{ readonly answer: McpAnswer; readonly session?: SharedSession }> {
      const { answer, session } = await shakeHands(call, revision);
      if (!session) return { answer };
      const place = placeOf(call);
      // A caller who has left may have been signed out meanwhile.
      const kept = call.target.presence?.hasLeft ? undefined : keep(place, session);
      if (kept !== session && session.id !== undefined) end({ session, place });
      return { answer, session: kept ?? session };
    },
    /** @param name see `endSessions` of `OpenMcpClient` */
    giveUpNamed: sessions.giveUpNamed,
    close(): Promise<void> {
      clearInterval(sweeping);
      for (const given of sessions.takeAll()) end(given);
      return idle();
    },
  };
}

const placeOf = ({ target: { url, owner, credential }, request }: McpCall): SessionPlace => ({
  url,
  owner,
  extensions: request.agent?.extensions?.digest,
  credential,
});
