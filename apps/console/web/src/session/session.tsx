import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
import { api } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
import { list } from '../intl/format.ts';
import { t } from '../text/en.ts';
import type { Config, Session } from './types.ts';

/** The session, or `null` if nobody is signed in. Read once: responses of the APIs show when it has ended. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    const response = await fetch('/bff/session', { headers: { 'Legate-Console': '1' } });
    if (response.status === 204) return null;
    if (response.ok) return response.json();
    const document = await response.json().catch(() => ({}));
    throw new ApiProblem(response.status, document, response.headers, t.problem.unexpected);
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: () => api.get<Config>('/config.json'),
  staleTime: Number.POSITIVE_INFINITY,
});

const SessionContext = createContext<Session | undefined>(undefined);

export function SessionProvider({
  session,
  children,
}: {
  readonly session: Session;
  readonly children: ReactNode;
}) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Returns the reader: who they are, and what they may do. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession is called outside the shell');
  return session;
}

/** Returns the settings of the operator; empty until they are loaded. */
export const useConfig = (): Config => useQuery(configQuery).data ?? {};

export interface Right {
  readonly has: boolean;
  /** Text for a button's `unavailable`: `undefined` if the reader has the right */
  readonly reason: string | undefined;
}

/** Returns whether the reader has a scope, and the reason if not. This is only a prediction: the services decide. */
export function useRight(scope: string): Right {
  const { scopes, role } = useSession();
  const has = scopes.includes(scope);
  return {
    has,
    reason: has ? undefined : t.problem.forbiddenReason(role, scope, list(t.roles.having(scope))),
  };
}

/** Obtains new tokens and reads the session again, after the reader's rights have changed. */
export async function renewSession(client: QueryClient): Promise<void> {
  await api.send('/bff/session/refresh', { method: 'POST' });
  await client.invalidateQueries(sessionQuery);
}
