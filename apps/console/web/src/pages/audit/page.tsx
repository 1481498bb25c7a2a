import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import type { AuditEvent } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Pager } from '../../design/pager.tsx';
import { Empty, NothingMatches } from '../../design/states.tsx';
import { type Column, DataTable } from '../../design/table.tsx';
import { TableSkeleton } from '../../design/table-skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { Name } from '../../design/untrusted.tsx';
import { dayRange } from '../../intl/format.ts';
import { t } from '../../text/en.ts';
import styles from './audit.module.css';
import { nameOfActor, nameOfTarget, outcomeOf } from './describe.ts';
import { ExportButton } from './export-button.tsx';
import { Filters } from './filters.tsx';
import { type Live, useLive } from './live.ts';
import { eventsQuery, PAGE_SIZE } from './queries.ts';
import { Outcome, What, Who } from './row-parts.tsx';
import { type AuditSearch, hasDays, isFiltered, rangeOf } from './search.ts';
import { shortChanges } from './short-changes.ts';
import { WhyPanel } from './why-panel.tsx';

export const page = createLazyRoute('/shell/audit')({ component: Audit });

function Audit() {
  const search: AuditSearch = page.useSearch();
  const navigate = useNavigate({ from: '/audit' });
  const change = (next: AuditSearch) => void navigate({ search: { ...search, offset: undefined, ...next } });
  const events = useQuery(eventsQuery(search));
  const isLive = search.offset === undefined && !hasDays(search);
  const shown = isLive && !events.isPlaceholderData ? events.data?.data : undefined;
  const live = useLive(search, shown, search.event !== undefined);
  const close = () => void navigate({ search: { ...search, event: undefined } });
  return (
    <Page
      title={t.shell.pages.audit}
      meta={events.data && <span>{summaryOf(search, events.data.pagination.total)}</span>}
      actions={
        <>
          {isLive && <LiveSwitch live={live} />}
          <ExportButton search={search} />
        </>
      }
    >
      <Filters
        search={search}
        onChange={change}
        nameOf={(id) => nameIn(events.data?.data ?? [], id)}
        end={
          events.data && (
            <Pager
              total={events.data.pagination.total}
              offset={search.offset ?? 0}
              limit={PAGE_SIZE}
              onOffset={(offset) => change({ offset: offset === 0 ? undefined : offset })}
            />
          )
        }
      />
      {live.waiting > 0 && (
        <Button className={styles.fresh} onClick={live.show}>
          {t.audit.fresh(live.waiting)}
        </Button>
      )}
      <Loaded query={events} loading={<TableSkeleton rows={12} />}>
        {({ data }) =>
          data.length > 0 ? (
            <DataTable
              label={t.shell.pages.audit}
              columns={COLUMNS}
              rows={data}
              keyOf={({ id }) => id}
              stale={events.isPlaceholderData}
            />
          ) : isFiltered(search) ? (
            <NothingMatches onClear={() => void navigate({ search: {} })} />
          ) : (
            <Empty>{t.audit.empty}</Empty>
          )
        }
      </Loaded>
      {search.event !== undefined && (
        <WhyPanel
          key={search.event}
          id={search.event}
          row={events.data?.data.find(({ id }) => id === search.event)}
          onClose={close}
        />
      )}
    </Page>
  );
}

/** Returns the name that the events show for an id. */
function nameIn(events: readonly AuditEvent[], id: string): string {
  const actor = events.find((event) => event.actor.id === id);
  const target = events.flatMap(({ targets }) => targets).find((one) => one.id === id);
  return actor ? nameOfActor(actor) : target ? nameOfTarget(target) : id;
}

function summaryOf(search: AuditSearch, total: number): string {
  const now = new Date();
  const { from, to } = rangeOf(search, now);
  return `${dayRange(from, to, now)}${t.common.dot}${t.audit.events(total)}`;
}

const COLUMNS: readonly Column<AuditEvent>[] = [
  { header: t.audit.time, narrow: true, cell: ({ occurred_at: at }) => <Time at={at} as="full" /> },
  { header: t.audit.who, cell: (event) => <Who event={event} /> },
  { header: t.audit.outcome, narrow: true, cell: (event) => <Outcome event={event} /> },
  { header: t.audit.what, cell: (event) => <WhatAndChanges event={event} /> },
  { header: t.audit.details, narrow: true, hideHeader: true, cell: (event) => <Details event={event} /> },
];

function WhatAndChanges({ event }: { readonly event: AuditEvent }) {
  const changes = shortChanges(event);
  return (
    <span className={styles.what}>
      <What event={event} />
      {changes.map((text, index) => (
        <span key={text} className="muted">
          <Name text={text} />
          {index < changes.length - 1 && t.audit.comma}
        </span>
      ))}
    </span>
  );
}

/**
 * Opens the event by a link, so that it can be opened in a new tab, `j` and `k` reach it, and Back closes the
 * panel.
 */
function Details({ event }: { readonly event: AuditEvent }) {
  const isCall = outcomeOf(event) !== 'done';
  const at = event.occurred_at;
  return (
    <Link
      to="/audit"
      search={(search: AuditSearch) => ({ ...search, event: event.id })}
      resetScroll={false}
      data-row-link=""
      aria-label={isCall ? t.audit.whyOf(at) : t.audit.viewOf(at)}
    >
      {isCall ? t.audit.why : t.audit.view}
    </Link>
  );
}

function LiveSwitch({ live }: { readonly live: Live }) {
  return (
    <span className={styles.live}>
      <span
        className={live.paused || live.seconds === undefined ? styles.paused : styles.running}
        aria-hidden
      />
      <span aria-live="polite">
        {live.paused
          ? t.audit.paused
          : live.seconds === undefined
            ? t.audit.quotaLow
            : t.audit.live(live.seconds)}
      </span>
      <Button variant="quiet" onClick={live.toggle}>
        {live.paused ? t.audit.resume : t.audit.pause} <kbd aria-hidden>{t.audit.pauseKey}</kbd>
      </Button>
    </span>
  );
}
