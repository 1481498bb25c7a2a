import type { AuditEvent } from '../../api/types.ts';
import { DataTable } from '../../design/table.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';

type Change = readonly [field: string, change: { readonly from?: unknown; readonly to?: unknown }];

/** The old and new values. The audit trail contains no secret, only the fact that one was changed. */
export function Changes({ changes }: { readonly changes: NonNullable<AuditEvent['changes']> }) {
  return (
    <DataTable<Change>
      label={t.audit.changes}
      rows={Object.entries(changes)}
      keyOf={([field]) => field}
      columns={[
        { header: t.audit.changes, cell: ([field]) => <code>{field}</code> },
        { header: t.audit.from, cell: ([, { from }]) => <Value value={from} secret={t.audit.secret} /> },
        {
          header: t.audit.to,
          cell: ([, { from, to }]) => (
            <Value value={to} secret={from === null ? t.audit.secret : t.audit.secretChanged} />
          ),
        },
      ]}
    />
  );
}

const SHOWN = 200;
/** What the trail has instead of a secret */
const REDACTED = '[redacted]';

interface ValueProps {
  readonly value: unknown;
  /** What stands for a secret */
  readonly secret: string;
}

function Value({ value, secret }: ValueProps) {
  if (value === REDACTED) return <span className="muted">{secret}</span>;
  if (value === null || value === undefined) return <span className="muted">{t.audit.nothing}</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return <Revealed text={text.length > SHOWN ? `${text.slice(0, SHOWN)}${t.common.ellipsis}` : text} />;
}
