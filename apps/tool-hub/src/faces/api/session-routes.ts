import { AgentId } from '@legate/ids';
import { PageQuery, pageOf } from '@legate/pagination';
import type { RateLimiter } from '@legate/rate-limit';
import { parseBody } from '@legate/service';
import { z } from 'zod';
import type { ConnectorAccess } from '../../connectors/access.ts';
import { problem } from '../../domain/problem-codes.ts';
import { limitUser } from '../../limits/per-minute.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import type { UserSession, UserSessionsOf } from '../../sign-in/user-sessions.ts';
import { created, noContent, pageOfAll } from './answers.ts';
import { type HubOperation, operation, optionalJson } from './operation.ts';
import { CONNECTOR_PROBLEMS } from './problem-groups.ts';

const OpenRequest = z
  .strictObject({
    refresh_token: z.string().min(1).max(16_384).optional(),
    access_token: z
      .string()
      .min(1)
      .max(16_384)
      .optional()
      .describe(
        'An access token of the same sign-in, addressed to the hub. Needed if the identity provider exchanges access tokens, and kept only then',
      ),
    /** Client to which the refresh token was issued; default: the ID token's client */
    client_id: z.string().min(1).max(255).optional(),
    /** The agent that the session is bound to */
    agent_id: AgentId.optional(),
  })
  .default({});

/** The body may also be `null`, which means no body. */
const OpenBody = {
  ...optionalJson(OpenRequest),
  parse: (body: unknown) => parseBody(OpenRequest, body ?? undefined),
};

const Opened = z.strictObject({
  session: z.string().describe('The handle. Send it as bearer token instead of the ID token.'),
  expires_at: z.iso.datetime(),
  agent_id: z.string().optional(),
});

const Session = z
  .strictObject({
    id: z.string().describe('Id of the session, which is not its handle'),
    client_id: z.string().describe('The application, or the MCP client'),
    agent_id: z.string().nullable(),
    opened_at: z.iso.datetime(),
    last_used_at: z.iso
      .datetime()
      .describe('Accurate to a tenth of the idle time: the session may have been used later'),
    expires_at: z.iso.datetime(),
    renewable: z.boolean().describe('Whether the hub renews its ID token'),
    current: z.boolean().describe('Whether this request was made with the session'),
  })
  .meta({ id: 'Session' });

interface SessionDependencies {
  sessions: Sessions;
  userSessionsOf: UserSessionsOf;
  /** Used to check whether the organization has the agent */
  access: ConnectorAccess;
  limiter: RateLimiter;
}

/**
 * `/sessions`, for applications that have signed a user in, and for users who look at the sessions that act as them.
 */
export function sessionOperations(deps: SessionDependencies): HubOperation[] {
  const { sessions, userSessionsOf } = deps;
  return [
    openSession(deps),

    operation('listSessions', 'get', '/sessions', {
      summary: 'List the sessions of the user in this organization',
      access: 'user',
      query: PageQuery,
      responses: { 200: { description: 'A page of the list', schema: pageOf(Session) } },
      problems: ['insufficient_permission', 'validation_failed', 'session_store_unavailable'],
      handle: async ({ query, caller: { session, ...caller } }) =>
        pageOfAll(await userSessionsOf(caller), query, (one) => toWire(one, session?.key)),
    }),

    // Comes before the next route, whose path also matches it
    operation('endSession', 'delete', '/sessions/current', {
      summary: 'End the current session',
      access: 'agents',
      responses: { 204: { description: 'The session has ended' } },
      problems: ['session_not_found', 'session_store_unavailable'],
      handle: async ({ caller: { session } }) => {
        if (!session)
          throw problem('session_not_found', {
            detail: 'This request came with an ID token, not with the handle of a session.',
          });
        await sessions.end(session);
        return noContent;
      },
    }),

    operation('endOneSession', 'delete', '/sessions/{session_id}', {
      summary: 'End a session of the user',
      access: 'user',
      responses: { 204: { description: 'The session has ended' } },
      problems: ['insufficient_permission', 'session_not_found', 'session_store_unavailable'],
      handle: async ({ params: { sessionId }, caller }) => {
        const own = await userSessionsOf(caller);
        const found = own.find(({ id }) => id === sessionId);
        if (!found)
          throw problem('session_not_found', {
            detail: 'You have no session with this id, or it has ended.',
          });
        await sessions.end(found);
        return noContent;
      },
    }),
  ];
}

/** Accepts only ID tokens: an ID token belongs to the user. */
const openSession = ({ sessions, access, limiter }: SessionDependencies): HubOperation =>
  operation('openSession', 'post', '/sessions', {
    summary: 'Open a session that outlives the ID token',
    access: 'agents',
    body: OpenBody,
    responses: { 201: { description: 'The session', schema: Opened } },
    problems: [
      ...CONNECTOR_PROBLEMS,
      ...(['validation_failed', 'id_token_required', 'refresh_token_in_use'] as const),
      'session_store_unavailable',
    ],
    handle: async ({ caller, readBody }) => {
      const { session, subjectToken } = caller;
      if (session)
        throw problem('id_token_required', {
          detail: 'A session is opened with an ID token, not with another session.',
        });
      const body = readBody();
      const { refresh_token: refreshToken, access_token: accessToken, agent_id: agentId } = body;
      await limitUser(limiter, 'sessions', caller);
      if (agentId !== undefined) await access(caller, agentId);
      const { handle, endsAt } = await sessions.open(subjectToken, {
        ...{ refreshToken, accessToken, agentId },
        clientId: body.client_id,
      });
      return created({
        session: handle,
        expires_at: new Date(endsAt * 1000).toISOString(),
        agent_id: agentId,
      });
    },
  });

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
