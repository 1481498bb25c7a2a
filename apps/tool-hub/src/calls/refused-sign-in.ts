import type { Refusal } from '@legate/delegation';
import type { Caller } from '../domain/caller.ts';
import type { Sessions } from '../sign-in/sessions.ts';
import type { StepUps } from '../sign-in/step-ups.ts';

/**
 * Handles a sign-in that the identity provider does not accept:
 *
 * - It is gone: the caller's session ends.
 * - It is too weak or too old (RFC 9470): the session goes on. An MCP client would refresh its tokens, come back and be
 *   refused for ever, so its next refresh is refused, and its next authorization asks for the stronger sign-in.
 * - A connected account is missing, or a session: that says nothing about the sign-in.
 */
export async function noteRefusedSignIn(
  { sessions, stepUps }: { sessions: Pick<Sessions, 'endIfRefused'>; stepUps: Pick<StepUps, 'demand'> },
  caller: Pick<Caller, 'session' | 'subjectToken' | 'organizationId' | 'userId' | 'mcpClient'>,
  { maxAge, acrValues, connect, needsSession }: Extract<Refusal, { outcome: 'expired' }>,
): Promise<void> {
  const { session, mcpClient: clientId } = caller;
  if (!session || connect !== undefined || needsSession) return;
  if (maxAge === undefined && acrValues === undefined)
    return sessions.endIfRefused(session, caller.subjectToken);
  if (clientId !== undefined)
    await stepUps.demand(caller, { clientId, sessionKey: session.key }, { maxAge, acrValues });
}
