import { PageQuery, toPage } from '@legate/pagination';
import { methodNotAllowed, parseQuery } from '@legate/service';
import { Router } from 'express';
import { problem } from '../../refusals/problem-codes.ts';
import { callerOf } from '../../sign-in/authenticate.ts';
import type { ClientSession, ClientSessionsOf } from '../../sign-in/client-sessions.ts';
import { forUser } from '../../sign-in/served-for.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import type { Consents } from './consents.ts';

/** `/clients`: which MCP clients act as the caller in their organization, and how to end it. */
export function userClientRoutes(deps: {
  clientSessionsOf: ClientSessionsOf;
  sessions: Pick<Sessions, 'removePending' | 'end'>;
  consents: Pick<Consents, 'forget'>;
}): Router {
  const { clientSessionsOf, sessions, consents } = deps;
  const router = Router();

  router.get('/clients', forUser, async (req, res) => {
    const query = parseQuery(PageQuery, req.query);
    const clients = byClient(await clientSessionsOf(callerOf(res)));
    const page = clients.slice(query.offset, query.offset + query.limit);
    res.set('Cache-Control', 'no-store').json(toPage(page, clients.length, query));
  });

  router.delete('/clients/:clientId', forUser, async (req, res) => {
    const caller = callerOf(res);
    const { clientId } = req.params;
    await sessions.removePending(caller, clientId);
    const all = await clientSessionsOf(caller);
    const own = all.filter((session) => session.clientId === clientId);
    const wasRemembered = await consents.forget(caller, clientId);
    if (own.length === 0 && !wasRemembered)
      throw problem('client_not_found', { detail: 'You have allowed no such client.' });
    await Promise.all(own.map(({ key }) => sessions.end({ key }, 'client_removed')));
    res.status(204).end();
  });

  router.all('/clients', methodNotAllowed(['GET', 'HEAD']));
  router.all('/clients/:clientId', methodNotAllowed(['DELETE']));
  return router;
}

/** One row for each client, the most recently allowed one first */
function byClient(sessions: readonly ClientSession[]) {
  const rows = new Map<string, ClientSession[]>();
  for (const session of sessions)
    rows.set(session.clientId, [...(rows.get(session.clientId) ?? []), session]);
  return [...rows].map(([client_id, own]) => ({
    client_id,
    name: own[0]?.clientName ?? null,
    agent_id: own[0]?.agentId ?? null,
    resources: [...new Set(own.map(({ resource }) => resource))],
    sessions: own.length,
    allowed_at: new Date(Math.max(...own.map(({ openedAtMs }) => openedAtMs))).toISOString(),
    expires_at: new Date(Math.max(...own.map(({ endsAt }) => endsAt)) * 1000).toISOString(),
  }));
}
