import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Skeleton } from '../../design/states.tsx';
import { t } from '../../text/en.ts';
import { Calls, Reasons } from './calls.tsx';
import { Checklist } from './checklist.tsx';
import { Health } from './health.tsx';
import styles from './home.module.css';
import { overviewQuery } from './queries.ts';

export const page = createLazyRoute('/shell/')({ component: Home });

function Home() {
  const overview = useQuery(overviewQuery);
  return (
    <Page title={t.home.title}>
      <Loaded query={overview} loading={<Skeleton height="block" />}>
        {(data) => <Checklist overview={data} />}
      </Loaded>
      <Calls />
      <div className={styles.columns}>
        <Reasons />
        <Health overview={overview.data} />
      </div>
    </Page>
  );
}
