import { AgentId } from '@legate/ids';
import type { RateLimiter } from '@legate/rate-limit';
import { methodNotAllowed, parseBody } from '@legate/service';
import { Router } from 'express';
import { z } from 'zod';
import type { ConnectorAccess } from '../../connectors/access.ts';
import { limitUser } from '../../limits/per-minute.ts';
import { problem } from '../../refusals/problem-codes.ts';
import { callerOf } from '../../sign-in/authenticate.ts';
import type { Sessions } from '../../sign-in/sessions.ts';

export const OpenRequest = z.strictObject({
  refresh_token: z.string().min(1).max(16_384).optional(),
  /** Client to which the refresh token was issued; default: the ID token's client */
  client_id: z.string().min(1).max(255).optional(),
  /** The agent that the session is bound to */
  agent_id: AgentId.optional(),
});

/** `/sessions`, for applications that have signed a user in. */
export function sessionRoutes(deps: {
  sessions: Sessions;
  /** Says whether the organization has such an agent. */
  access: ConnectorAccess;
  limiter: RateLimiter;
}): Router {
  const { sessions, access, limiter } = deps;
  const router = Router();
  router.post('/sessions', async (req, res) => {
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

  router.delete('/sessions/current', async (_req, res) => {
    const { session } = callerOf(res);
    if (!session)
      throw problem('session_not_found', {
        detail: 'This request came with an ID token, not with the handle of a session.',
      });
    await sessions.end(session);
    res.status(204).end();
  });

  router.all('/sessions', methodNotAllowed(['POST']));
  router.all('/sessions/current', methodNotAllowed(['DELETE']));
  return router;
}
