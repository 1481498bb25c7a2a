import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Settled } from '../../design/settled.tsx';
import { t } from '../../text/en.ts';
import { Calls, Reasons } from './calls.tsx';
import { Checklist } from './checklist.tsx';
import { Health } from './health.tsx';
import styles from './home.module.css';
import { callsQuery, overviewQuery } from './queries.ts';

export const page = createLazyRoute('/shell/')({ component: Home });

function Home() {
  const overview = useQuery(overviewQuery);
  const calls = [useQuery(callsQuery('day')), useQuery(callsQuery('rule'))];
  return (
    <Page title={t.home.title}>
      <Settled queries={[overview, ...calls]}>
        <Loaded query={overview} loading={null}>
          {(data) => <Checklist overview={data} />}
        </Loaded>
        <Calls />
        <div className={styles.columns}>
          <Reasons />
          <Health overview={overview.data} />
        </div>
      </Settled>
    </Page>
  );
}
