import { Problem } from '@legate/service';
import type { Request } from 'express';
import { problem, signedOut } from '../domain/problem-codes.ts';
import type { Cookies } from '../sessions/cookies.ts';
import type { Session } from '../sessions/session-record.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Renewal } from './renewal.ts';

export type FindSession = ReturnType<typeof createFindSession>;

/** The session of a request, with tokens that last for it. @throws {Problem} 401, 503 */
export function createFindSession(deps: {
  cookies: Pick<Cookies, 'readSession'>;
  sessions: Pick<Sessions, 'use'>;
  renewal: Renewal;
}) {
  const { cookies, sessions, renewal } = deps;
  async function find(req: Request): Promise<Session> {
    const id = cookies.readSession(req);
    const session = id === undefined ? undefined : await withStore(sessions.use(id));
    if (!session) throw signedOut();
    return session;
  }
  return {
    find,
    findRenewed: async (req: Request): Promise<Session> => withStore(renewal.renewIfDue(await find(req))),
    renew: (session: Session): Promise<Session> => withStore(renewal.renew(session)),
  };
}

/** Treats any failure other than a problem as one of the store. */
async function withStore<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((cause: unknown) => {
    if (cause instanceof Problem) throw cause;
    throw problem('session_store_unavailable', { headers: { 'Retry-After': '5' }, cause });
  });
}
