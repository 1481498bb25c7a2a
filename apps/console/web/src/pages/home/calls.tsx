import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CallCount } from '../../api/types.ts';
import { Bars } from '../../design/bars.tsx';
import { Section } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Skeleton } from '../../design/states.tsx';
import { day, number } from '../../intl/format.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import styles from './home.module.css';
import { callsQuery } from './queries.ts';
import { type Reasons as ReasonsOfCalls, reasonsOf } from './reasons.ts';

const SERIES = [
  { label: t.home.series.allowed, tone: 'allowed' },
  { label: t.home.series.refused, tone: 'refused' },
  { label: t.home.series.failed, tone: 'failed' },
] as const;

/** How many tool calls there were, by day and outcome. */
export function Calls() {
  const query = useQuery(callsQuery('day'));
  return (
    <Section title={t.home.calls}>
      <Loaded query={query} loading={<Skeleton height="chart" />}>
        {({ data }) =>
          data.some(({ allowed, refused, failed }) => allowed + refused + failed > 0) ? (
            <Bars title={t.home.callsByDay} labelHeader={t.home.day} series={SERIES} bars={data.map(barOf)} />
          ) : (
            <p className="muted">{t.home.noCalls}</p>
          )
        }
      </Loaded>
    </Section>
  );
}

const barOf = ({ period_start, allowed, refused, failed }: CallCount) => ({
  key: period_start,
  label: day(new Date(period_start)),
  parts: [allowed, refused, failed],
});

/** A list of the rules by which calls were refused, the most frequent first. */
export function Reasons() {
  const query = useQuery(callsQuery('rule'));
  return (
    <Section title={t.home.why}>
      <Loaded query={query} loading={<Skeleton height="block" />}>
        {({ data }) => <ReasonList reasons={reasonsOf(data)} />}
      </Loaded>
    </Section>
  );
}

/** The description of a rule, if there is one, and its code, with a link to the calls that it decided. */
function ReasonName({ rule }: { readonly rule: string }) {
  const { scopes } = useSession();
  const words = t.home.reason(rule);
  const name = words ?? <code>{rule}</code>;
  return (
    <>
      {scopes.includes('audit:read') ? (
        <Link to="/audit" search={{ rule }}>
          {name}
        </Link>
      ) : (
        name
      )}{' '}
      {words !== undefined && <code className="muted">{rule}</code>}
    </>
  );
}

function ReasonList({ reasons: { shown, others } }: { readonly reasons: ReasonsOfCalls }) {
  const { scopes } = useSession();
  const rest = others.refused + others.failed;
  if (shown.length === 0 && rest === 0) return <p className="muted">{t.home.noneRefused}</p>;
  const words = t.home.otherReasons(rest);
  return (
    <ul className={styles.reasons}>
      {shown.map(({ rule, calls }) => (
        <li key={rule}>
          <span>
            <ReasonName rule={rule} />
          </span>
          <strong>{number(calls)}</strong>
        </li>
      ))}
      {rest > 0 && (
        <li>
          {scopes.includes('audit:read') ? (
            <Link to="/audit" search={{ outcome: others.refused > 0 ? 'refused' : 'failed' }}>
              {words}
            </Link>
          ) : (
            words
          )}
        </li>
      )}
    </ul>
  );
}
