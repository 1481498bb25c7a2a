import { useQuery } from '@tanstack/react-query';
import { hub } from '../../api/client.ts';
import { agentsQuery } from '../../api/queries.ts';
import type { HubSession } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Section } from '../../design/layout.tsx';
import { Listed } from '../../design/listed.tsx';
import { Problem } from '../../design/states.tsx';
import { Status } from '../../design/status.tsx';
import { type Column, DataTable } from '../../design/table.tsx';
import { TableSkeleton } from '../../design/table-skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { Name } from '../../design/untrusted.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { type ConsoleSession, clientsQuery, consoleSessionsQuery, hubSessionsQuery } from './queries.ts';
import { useEnding } from './use-ending.ts';

interface SessionRow {
  /** The path of the request that ends the session */
  readonly path: string;
  readonly name: string;
  /** The kind of session: at this console, or of an agent */
  readonly kind: { readonly words: string; readonly name?: string } | undefined;
  readonly current: boolean;
  readonly lastUsedAt: string;
  readonly endsAt: string;
  readonly renewable: boolean;
}

/**
 * A list of where the reader is signed in: browsers at this console, and clients and agents that act as them
 * through the hub.
 */
export function Sessions() {
  const own = useQuery(consoleSessionsQuery);
  const atHub = useQuery(hubSessionsQuery);
  const nameOf = useNames(atHub.data?.data ?? []);
  const rows = [
    ...(own.data?.data ?? []).map(consoleRow),
    ...(atHub.data?.data ?? []).map((session) => hubRow(session, nameOf)),
  ];
  return (
    <Section bare title={t.me.sessions} description={t.me.sessionsText}>
      {own.error && <Problem problem={own.error} onRetry={() => void own.refetch()} />}
      {atHub.error && <Problem problem={atHub.error} onRetry={() => void atHub.refetch()} />}
      {rows.length > 0 && (
        <DataTable label={t.me.sessions} rows={rows} keyOf={({ path }) => path} columns={COLUMNS} />
      )}
      <Listed query={atHub} />
      {(own.isPending || atHub.isPending) && <TableSkeleton rows={1} />}
    </Section>
  );
}

const COLUMNS: readonly Column<SessionRow>[] = [
  {
    header: t.me.where,
    cell: ({ name, kind }) => (
      <div>
        <Name text={name} />{' '}
        {kind && (
          <span className="muted">
            {kind.words} {kind.name !== undefined && <Name text={kind.name} />}
          </span>
        )}
      </div>
    ),
  },
  {
    header: t.me.lastUsed,
    cell: ({ current, lastUsedAt: at }) =>
      current ? <Status tone="allowed">{t.me.current}</Status> : <Time at={at} />,
  },
  {
    header: t.me.until,
    cell: ({ endsAt, renewable }) => (
      <div>
        <Time at={endsAt} as="full" /> {renewable && <span className="muted">{t.me.renewed}</span>}
      </div>
    ),
  },
  {
    header: t.common.more,
    hideHeader: true,
    narrow: true,
    cell: ({ path, current }) => !current && <End path={path} />,
  },
];

const consoleRow = ({ id, device, current, ...times }: ConsoleSession): SessionRow => ({
  path: `/bff/sessions/${encodeURIComponent(id)}`,
  name: device,
  kind: { words: t.me.thisConsole },
  current,
  lastUsedAt: times.last_used_at,
  endsAt: times.expires_at,
  renewable: false,
});

const hubRow = (session: HubSession, nameOf: (id: string) => string): SessionRow => ({
  path: hub(`/sessions/${encodeURIComponent(session.id)}`),
  name: nameOf(session.client_id),
  kind: session.agent_id === null ? undefined : { words: t.me.asAgent, name: nameOf(session.agent_id) },
  current: session.current,
  lastUsedAt: session.last_used_at,
  endsAt: session.expires_at,
  renewable: session.renewable,
});

/** Names of the clients and agents of sessions, if the reader may see them; otherwise their ids. */
function useNames(sessions: readonly HubSession[]): (id: string) => string {
  const { scopes } = useSession();
  const clients = useQuery(clientsQuery);
  const hasAgents = sessions.some(({ agent_id }) => agent_id !== null);
  const agents = useQuery({
    ...agentsQuery({ limit: 100 }),
    enabled: hasAgents && scopes.includes('agents:read'),
  });
  const names = new Map([
    ...(clients.data?.data ?? []).map(({ client_id, name }) => [client_id, name] as const),
    ...(agents.data?.data ?? []).map(({ id, name }) => [id, name] as const),
  ]);
  return (id) => names.get(id) ?? id;
}

function End({ path }: { readonly path: string }) {
  const ending = useEnding(path, t.me.ended);
  return (
    <div>
      <Button variant="quiet" busy={ending.isPending} onClick={() => ending.mutate()}>
        {t.me.end}
      </Button>
      {ending.error && <Problem problem={ending.error} />}
    </div>
  );
}
