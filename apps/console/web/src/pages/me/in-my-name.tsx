import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditEvent } from '../../api/types.ts';
import { Section } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Forbidden } from '../../design/states.tsx';
import { type Column, DataTable } from '../../design/table.tsx';
import { TableSkeleton } from '../../design/table-skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { outcomeOf, partsOf } from '../audit/describe.ts';
import { Agent, Outcome, What } from '../audit/row-parts.tsx';
import { myActionsQuery } from './queries.ts';

const READ_AUDIT = 'audit:read';

/** A list of what the reader did, and what agents and applications did as them. */
export function InMyName() {
  const { user, scopes, role } = useSession();
  const mayRead = scopes.includes(READ_AUDIT);
  const actions = useQuery({ ...myActionsQuery(user.id), enabled: mayRead });
  return (
    <Section
      bare
      title={t.me.inMyName}
      description={t.me.inMyNameText}
      actions={
        mayRead && (
          <Link to="/audit" search={{ actor: user.id }}>
            {t.me.allInAudit}
          </Link>
        )
      }
    >
      {mayRead ? (
        <Loaded query={actions} loading={<TableSkeleton rows={5} />}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="muted">{t.me.nothingDone}</p>
            ) : (
              <DataTable label={t.me.inMyName} rows={data} keyOf={({ id }) => id} columns={COLUMNS} />
            )
          }
        </Loaded>
      ) : (
        <Forbidden scope={READ_AUDIT} asRole={role} />
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<AuditEvent>[] = [
  { header: t.audit.what, cell: (event) => <ActionCell event={event} /> },
  { header: t.audit.outcome, narrow: true, cell: (event) => <Outcome event={event} /> },
  { header: t.audit.time, narrow: true, cell: ({ occurred_at: at }) => <Time at={at} /> },
  { header: t.audit.details, narrow: true, hideHeader: true, cell: (event) => <InAudit event={event} /> },
];

/** A sentence: "Support (proven) called list_notes at Reference tools", or "You changed connector Billing". */
function ActionCell({ event }: { readonly event: AuditEvent }) {
  const { agent } = partsOf(event);
  return (
    <div>
      {agent ? <Agent agent={agent} event={event} /> : t.me.you} <What event={event} />
    </div>
  );
}

function InAudit({ event }: { readonly event: AuditEvent }) {
  const isCall = outcomeOf(event) !== 'done';
  const at = event.occurred_at;
  return (
    <Link
      to="/audit"
      search={{ actor: event.actor.id, event: event.id }}
      data-row-link=""
      aria-label={isCall ? t.audit.whyOf(at) : t.audit.viewOf(at)}
    >
      {isCall ? t.audit.why : t.audit.view}
    </Link>
  );
}
