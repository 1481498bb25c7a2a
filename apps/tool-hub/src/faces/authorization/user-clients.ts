import { PageQuery, pageOf } from '@legate/pagination';
import { z } from 'zod';
import { problem } from '../../domain/problem-codes.ts';
import type { ClientSession, ClientSessionsOf } from '../../sign-in/client-sessions.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import { noContent, pageOfAll } from '../api/answers.ts';
import { type HubOperation, operation } from '../api/operation.ts';
import type { Consents } from './consents.ts';

const AllowedClient = z
  .strictObject({
    client_id: z.string(),
    name: z.string().nullable(),
    agent_id: z.string().nullable(),
    resources: z.array(z.string()),
    sessions: z.int(),
    allowed_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'AllowedClient' });

/** `/clients`: lists the MCP clients that act as the caller in their organization, and removes one. */
export function userClientOperations(deps: {
  clientSessionsOf: ClientSessionsOf;
  sessions: Pick<Sessions, 'removePending' | 'end'>;
  consents: Pick<Consents, 'forget'>;
}): HubOperation[] {
  const { clientSessionsOf, sessions, consents } = deps;
  return [
    operation('listClients', 'get', '/clients', {
      summary: 'List the MCP clients that act as the user',
      access: 'user',
      query: PageQuery,
      responses: { 200: { description: 'A page of the list', schema: pageOf(AllowedClient) } },
      problems: ['insufficient_permission', 'validation_failed', 'session_store_unavailable'],
      handle: async ({ query, caller }) =>
        pageOfAll(byClient(await clientSessionsOf(caller)), query, (client) => client),
    }),

    operation('removeClient', 'delete', '/clients/{client_id}', {
      summary: 'Remove an MCP client',
      access: 'user',
      responses: { 204: { description: 'The client is removed' } },
      problems: ['insufficient_permission', 'client_not_found', 'session_store_unavailable'],
      handle: async ({ params: { clientId }, caller }) => {
        await sessions.removePending(caller, clientId);
        const all = await clientSessionsOf(caller);
        const own = all.filter((session) => session.clientId === clientId);
        const wasRemembered = await consents.forget(caller, clientId);
        if (own.length === 0 && !wasRemembered)
          throw problem('client_not_found', { detail: 'You have not allowed a client with this id.' });
        await Promise.all(own.map(({ key }) => sessions.end({ key }, 'client_removed')));
        return noContent;
      },
    }),
  ];
}

/** Returns one row for each client, the most recently allowed one first. */
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
