import type { Refusal } from '@legate/delegation';
import type { Caller } from '../domain/caller.ts';
import type { Sessions } from '../sign-in/sessions.ts';
import type { StepUps } from '../sign-in/step-ups.ts';

/**
 * Handles a sign-in that the identity provider does not accept:
 *
 * - If the sign-in has ended, the caller's session ends.
 * - If the sign-in is too weak or too old (RFC 9470), the session continues. An MCP client would refresh its tokens,
 * retry, and be refused again without end, so its next refresh is refused, and its next authorization requires the
 * stronger sign-in.
 * - If the session lacks the token that the identity provider exchanges, it continues too, and an MCP client must
 * authorize again, for the same reason.
 * - A missing connected account or session has nothing to do with the sign-in, so nothing changes.
 *
 * @returns the refusal, or a denial if the user has just signed in as the identity provider asked, and it asks again
 */
export async function noteRefusedSignIn(
  { sessions, stepUps }: { sessions: Pick<Sessions, 'endIfRefused'>; stepUps: Pick<StepUps, 'demand'> },
  caller: Pick<Caller, 'session' | 'subjectToken' | 'organizationId' | 'userId' | 'mcpClient'>,
  refusal: Extract<Refusal, { outcome: 'expired' }>,
): Promise<Refusal> {
  const { maxAge, acrValues, claims, connect, needsSession } = refusal;
  const { session, mcpClient: clientId } = caller;
  if (!session || connect !== undefined) return refusal;
  if (needsSession) {
    if (clientId !== undefined) await stepUps.demand(caller, { clientId, sessionKey: session.key }, {});
    return refusal;
  }
  if (maxAge === undefined && acrValues === undefined && claims === undefined) {
    await sessions.endIfRefused(session, caller.subjectToken);
    return refusal;
  }
  if (clientId === undefined) return refusal;
  const demand = { maxAge, acrValues, claims };
  const demanded = await stepUps.demand(caller, { clientId, sessionKey: session.key }, demand);
  if (demanded === 'demanded') return refusal;
  const reason = `${refusal.reason}, again after the sign-in that it asked for`;
  return { outcome: 'denied', by: 'idp', scopes: [], reason };
}
