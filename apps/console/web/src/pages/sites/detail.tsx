import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { siteAgentsQuery, siteOriginsQuery, siteQuery } from '../../api/queries.ts';
import { CopyId } from '../../design/copy.tsx';
import { Page } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Settled } from '../../design/settled.tsx';
import { Skeleton } from '../../design/states.tsx';
import { Name } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import { Origins } from './origins.tsx';
import { SiteAgents } from './site-agents.tsx';
import { SiteMenu } from './site-menu.tsx';
import styles from './sites.module.css';
import { TryOrigin } from './try-origin.tsx';

export const page = createLazyRoute('/shell/sites/$siteId')({ component: OneSite });

function OneSite() {
  const { siteId } = page.useParams();
  const query = useQuery(siteQuery(siteId));
  const site = query.data;
  const origins = useQuery(siteOriginsQuery(siteId, { offset: 0 }));
  const agents = useQuery(siteAgentsQuery(siteId, { offset: 0 }));
  return (
    <Page
      title={t.sites.one}
      heading={site && <Name text={site.data.name} />}
      meta={<CopyId id={siteId} />}
      actions={site && <SiteMenu site={site} reread={async () => (await query.refetch()).data} />}
    >
      <Loaded query={query} loading={<Skeleton height="block" />}>
        {() => (
          <Settled queries={[origins, agents]}>
            <Origins siteId={siteId} />
            <div className={styles.columns}>
              <TryOrigin siteId={siteId} />
              <SiteAgents siteId={siteId} />
            </div>
          </Settled>
        )}
      </Loaded>
    </Page>
  );
}
