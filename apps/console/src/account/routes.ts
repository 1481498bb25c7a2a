import { inOnePiece, methodNotAllowed, notFound, Problem } from '@legate/service';
import express, { type Response as Answer, type Request, Router } from 'express';
import { z } from 'zod';
import { problem } from '../domain/problem-codes.ts';
import type { Cookies } from '../sessions/cookies.ts';
import type { Session } from '../sessions/session-record.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { FindSession } from '../sign-in/find-session.ts';
import { forwardedHeaders, type Upstreams } from '../upstream/upstream.ts';
import type { SignOut } from './sign-out.ts';

const Me = z.looseObject({
  user: z.unknown(),
  organization: z.unknown(),
  role: z.unknown(),
  scopes: z.unknown(),
});
const MAX_BODY_BYTES = 1024;
const SignOutRequest = z.strictObject({ everywhere: z.boolean().default(false) });

interface Dependencies {
  readonly findSession: FindSession;
  readonly sessions: Pick<Sessions, 'listOf' | 'remove'>;
  readonly upstreams: Upstreams;
  readonly signOut: SignOut;
  readonly cookies: Pick<Cookies, 'clearSession'>;
}

/** Routes for the signed-in user and their sessions at the console. */
export function accountRoutes(deps: Dependencies): Router {
  const { findSession, cookies } = deps;
  const router = Router();
  router
    .route('/session')
    .get(sendSession(deps))
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/session/refresh')
    .post(async (req, res) => {
      await findSession.renew(await findSession.find(req));
      res.status(204).end();
    })
    .all(methodNotAllowed(['POST']));
  router
    .route('/sessions')
    .get(async (req, res) => {
      const own = await findSession.find(req);
      const sessions = await deps.sessions.listOf(own.record.userId);
      res.json({ data: sessions.map((session) => describe(session, own)) });
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/sessions/:id')
    .delete(async (req, res) => {
      const own = await findSession.find(req);
      const sessions = await deps.sessions.listOf(own.record.userId);
      const session = sessions.find(({ record }) => record.id === req.params.id);
      if (!session) throw notFound();
      await deps.signOut.end(session);
      if (session.key === own.key) cookies.clearSession(res);
      res.status(204).end();
    })
    .all(methodNotAllowed(['DELETE']));
  router
    .route('/sign-out')
    .post(inOnePiece(MAX_BODY_BYTES, express.json({ limit: MAX_BODY_BYTES })), async (req, res) => {
      const asked = SignOutRequest.safeParse(req.body ?? {});
      if (!asked.success)
        throw problem('malformed_json', { detail: 'The body is {"everywhere": true or false}.' });
      const session = await findSession.find(req);
      const headers = forwardedHeaders(req);
      const answer = asked.data.everywhere
        ? await deps.signOut.everywhere(session, headers)
        : await deps.signOut.here(session);
      cookies.clearSession(res);
      res.json(answer);
    })
    .all(methodNotAllowed(['POST']));
  return router;
}

const sendSession =
  ({ findSession, upstreams }: Dependencies) =>
  async (req: Request, res: Answer): Promise<void> => {
    const session = await findSession.findRenewed(req).catch(undefinedIfSignedOut);
    // Every page load sends this request: the browser would log a 401 as an error in its console.
    if (!session) return void res.status(204).end();
    const answer = await upstreams.ask(
      { upstream: 'api', method: 'GET', path: '/me', headers: forwardedHeaders(req) },
      session,
    );
    const text = await answer.text();
    if (answer.status !== 200) {
      res.status(answer.status).set('Content-Type', 'application/problem+json');
      const retryAfter = answer.headers.get('retry-after');
      if (retryAfter !== null) res.set('Retry-After', retryAfter);
      return void res.end(text);
    }
    const { user, organization, role, scopes } = Me.parse(JSON.parse(text));
    const expires_at = new Date(session.record.endsAt * 1000).toISOString();
    res.json({ user, organization, role, scopes, expires_at });
  };

function undefinedIfSignedOut(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'signed_out') return undefined;
  throw error;
}

const describe = ({ key, record, lastUsedAt }: Session, own: Session) => ({
  id: record.id,
  current: key === own.key,
  device: record.device,
  created_at: new Date(record.createdAt * 1000).toISOString(),
  last_used_at: new Date(lastUsedAt * 1000).toISOString(),
  expires_at: new Date(record.endsAt * 1000).toISOString(),
});
