import { AgentId } from '@legate/ids';
import { PageQuery, toPage } from '@legate/pagination';
import type { RateLimiter } from '@legate/rate-limit';
import { methodNotAllowed, parseBody, parseQuery } from '@legate/service';
import { Router } from 'express';
import { z } from 'zod';
import type { ConnectorAccess } from '../../connectors/access.ts';
import { limitUser } from '../../limits/per-minute.ts';
import { problem } from '../../refusals/problem-codes.ts';
import { callerOf } from '../../sign-in/authenticate.ts';
import { forAgents, forUser } from '../../sign-in/served-for.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import type { UserSession, UserSessionsOf } from '../../sign-in/user-sessions.ts';

export const OpenRequest = z.strictObject({
  refresh_token: z.string().min(1).max(16_384).optional(),
  /** Client to which the refresh token was issued; default: the ID token's client */
  client_id: z.string().min(1).max(255).optional(),
  /** The agent that the session is bound to */
  agent_id: AgentId.optional(),
});

/** `/sessions`, for applications that have signed a user in, and for users who look at what acts as them. */
export function sessionRoutes(deps: {
  sessions: Sessions;
  userSessionsOf: UserSessionsOf;
  /** Says whether the organization has such an agent. */
  access: ConnectorAccess;
  limiter: RateLimiter;
}): Router {
  const { sessions, userSessionsOf, access, limiter } = deps;
  const router = Router();
  // For an ID token alone, which is the user's.
  router.post('/sessions', forAgents, async (req, res) => {
    const caller = callerOf(res);
    const { session, subjectToken } = caller;
    if (session)
      throw problem('id_token_required', {
        detail: 'A session is opened with an ID token, not with another session.',
      });
    const body = parseBody(OpenRequest, req.body ?? {}); // it may be left out
    const { refresh_token: refreshToken, client_id: clientId, agent_id: agentId } = body;
    await limitUser(limiter, 'sessions', caller);
    if (agentId !== undefined) await access(caller, agentId);
    const { handle, endsAt } = await sessions.open(subjectToken, { refreshToken, clientId, agentId });
    res
      .status(201)
      .set('Cache-Control', 'no-store')
      .json({ session: handle, expires_at: new Date(endsAt * 1000).toISOString(), agent_id: agentId });
  });

  router.get('/sessions', forUser, async (req, res) => {
    const page = parseQuery(PageQuery, req.query);
    const { session, ...caller } = callerOf(res);
    const all = await userSessionsOf(caller);
    const items = all.slice(page.offset, page.offset + page.limit).map((one) => toWire(one, session?.key));
    res.set('Cache-Control', 'no-store').json(toPage(items, all.length, page));
  });

  router.delete('/sessions/current', forAgents, async (_req, res) => {
    const { session } = callerOf(res);
    if (!session)
      throw problem('session_not_found', {
        detail: 'This request came with an ID token, not with the handle of a session.',
      });
    await sessions.end(session);
    res.status(204).end();
  });

  router.delete('/sessions/:sessionId', forUser, async (req, res) => {
    const own = await userSessionsOf(callerOf(res));
    const found = own.find(({ id }) => id === req.params.sessionId);
    if (!found)
      throw problem('session_not_found', { detail: 'You have no session of this id, or it has ended.' });
    await sessions.end(found);
    res.status(204).end();
  });

  router.all('/sessions', methodNotAllowed(['GET', 'HEAD', 'POST']));
  router.all(['/sessions/current', '/sessions/:sessionId'], methodNotAllowed(['DELETE']));
  return router;
}

const toWire = (session: UserSession, currentKey: string | undefined) => ({
  id: session.id,
  client_id: session.clientId,
  agent_id: session.agentId ?? null,
  opened_at: new Date(session.openedAtMs).toISOString(),
  last_used_at: new Date(session.usedAt * 1000).toISOString(),
  expires_at: new Date(session.endsAt * 1000).toISOString(),
  renewable: session.isRenewable,
  current: session.key === currentKey,
});
