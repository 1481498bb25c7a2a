import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { connectorsQuery } from '../../api/queries.ts';
import { Loaded } from '../../design/loaded.tsx';
import { Skeleton } from '../../design/states.tsx';
import { Status } from '../../design/status.tsx';
import { Name } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import styles from './home.module.css';

/** Number of connectors that are named here; a link leads to all of them. */
const NAMED = 5;

/** The number of connectors that need attention; their names are loaded when the reader opens the list. */
export function ConnectorFaults({ total }: { readonly total: number }) {
  const [open, setOpen] = useState(false);
  const query = useQuery({
    ...connectorsQuery({ status: 'error', enabled: true, sort: 'name', limit: NAMED }),
    enabled: open,
  });
  return (
    <details className={styles.faults} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Status tone="warning">{t.home.connectorsWithErrors(total)}</Status>
      </summary>
      {open && (
        <Loaded query={query} loading={<Skeleton height="line" />}>
          {({ data }) => (
            <ul>
              {data.map(({ id, name, last_error: error }) => (
                <li key={id}>
                  <Link to="/connectors/$connectorId" params={{ connectorId: id }}>
                    <Name text={name} />
                  </Link>
                  <span className="muted">{t.connectors.error(error?.code)}</span>
                </li>
              ))}
              {total > NAMED && (
                <li>
                  <Link to="/connectors" search={{ status: 'error' }}>
                    {t.home.allOfThem}
                  </Link>
                </li>
              )}
            </ul>
          )}
        </Loaded>
      )}
    </details>
  );
}
