import type { LegacyRevision } from '@legate/mcp-wire';
import type { ClientDescription } from './client-description.ts';
import { createGivenUpNames } from './given-up-names.ts';
import { createHandshake } from './handshake.ts';
import {
  createLegacySessions,
  giveUpAfterUse,
  type SessionPlace,
  type SharedSession,
} from './legacy-sessions.ts';
import type { McpAnswer } from './mcp-answer.ts';
import type { McpCall } from './mcp-target.ts';
import type { createMessageSender } from './send-message.ts';
import { createSessionEnds } from './session-ends.ts';

const SWEEP_MS = 60_000;

/** Opens sessions at servers, keeps them for later calls, and ends them at the server when they are given up. */
export function createKeptSessions(deps: {
  client: ClientDescription;
  sender: ReturnType<typeof createMessageSender>;
  clock: () => Date;
  sessionNames?: ((owner: string) => readonly string[]) | undefined;
}) {
  const shakeHands = createHandshake(deps);
  const { clock, sessionNames } = deps;
  const sessions = createLegacySessions({ clock, onGivenUp: (given) => ends.end(given) });
  const ends = createSessionEnds({ aside: deps.sender.aside, isInUse: sessions.isInUse });
  const givenUp = createGivenUpNames();
  let sweeping: NodeJS.Timeout | undefined;

  /** Keeps a session. If it was given up since the call began, only this call uses it. */
  function keep({ since, target }: McpCall, place: SessionPlace, session: SharedSession): SharedSession {
    const names = [place.owner, ...(sessionNames?.(place.owner) ?? [])];
    // If the caller has left, they may have been signed out meanwhile.
    const isGivenUp = target.presence?.hasLeft || givenUp.hasSince(since, names);
    if (isGivenUp && session.id !== undefined) return giveUpAfterUse({ session, place }).session;
    sweeping ??= setInterval(sweep, SWEEP_MS).unref();
    return sessions.keep(place, session, names);
  }

  function sweep(): void {
    sessions.sweep();
    if (sessions.hasAny()) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }

  const { find, within, drop, giveUp } = sessions;
  return {
    now: givenUp.now,
    find: (call: McpCall) => find(placeOf(call)),
    within,
    drop: (call: McpCall, session: SharedSession) => drop(placeOf(call), session),
    giveUp: (call: McpCall) => giveUp(placeOf(call)),
    /**
     * Shakes hands, and keeps the session. If another call has opened one meanwhile, which may hold the state of a
     * tool, the new session is ended.
     * @param revision to offer
     * @returns the response to the handshake, and the session to use with `within` unless the handshake was refused
     */
    async open(
      call: McpCall,
      revision: LegacyRevision | undefined,
    ): Promise<{ readonly answer: McpAnswer; readonly session?: SharedSession }> {
      const { answer, session } = await shakeHands(call, revision);
      if (!session) return { answer };
      return { answer, session: keep(call, placeOf(call), session) };
    },
    /** @param name see `endSessions` of `OpenMcpClient` */
    giveUpNamed(name: string): void {
      givenUp.add(name);
      sessions.giveUpNamed(name);
    },
    close(): Promise<void> {
      clearInterval(sweeping);
      givenUp.addAll();
      sessions.giveUpAll();
      return ends.idle();
    },
  };
}

const placeOf = ({ target: { url, owner, credential }, request }: McpCall): SessionPlace => ({
  url,
  owner,
  extensions: request.agent?.extensions?.digest,
  credential,
});
