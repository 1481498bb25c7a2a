import { useMutation, useQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { api, hub } from '../../api/client.ts';
import { connectorQuery } from '../../api/queries.ts';
import type { Connector, DoctorReport } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Empty, Notice, Problem, Skeleton } from '../../design/states.tsx';
import { choicesQuery, ResourceSelect } from '../../lists/resource-select.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { Claims } from './claims.tsx';
import styles from './inspector.module.css';
import { runStepsOf } from './run.ts';
import { Steps } from './steps.tsx';

export const page = createLazyRoute('/shell/inspector')({ component: Inspector });

/** Roles, as in the ID token, to which the hub shows tokens. */
const ROLES: readonly (string | null)[] = ['owner', 'admin', 'developer'];

const ENABLED = { enabled: true };

/** Runs the steps of a call as the reader, and shows each token. Nothing is stored. */
function Inspector() {
  const { connector, event } = page.useSearch();
  const { role } = useSession();
  const navigate = useNavigate({ from: '/inspector' });
  const choices = useQuery(choicesQuery<Connector>('/connectors', ENABLED));
  const chosen = connector ?? choices.data?.data[0]?.id;
  const listed = choices.data?.data.find(({ id }) => id === chosen);
  const run = useRun();
  const unlisted = useQuery({
    ...connectorQuery(chosen ?? ''),
    enabled: chosen !== undefined && choices.isSuccess && !listed,
  });
  const usesIdJag = ((listed ?? unlisted.data?.data)?.auth_method ?? 'id-jag') === 'id-jag';
  const steps = run.data ? runStepsOf(run.data, usesIdJag) : [];
  const unavailable = ROLES.includes(role)
    ? chosen === undefined
      ? t.inspector.noConnector
      : undefined
    : t.inspector.forbidden(role);
  return (
    <Page
      title={t.shell.pages.inspector}
      actions={
        <Button
          variant="primary"
          icon={Play}
          unavailable={unavailable}
          busy={run.isPending}
          onClick={() => chosen !== undefined && run.mutate(chosen)}
        >
          {t.inspector.run}
        </Button>
      }
    >
      <p className={styles.lead}>{t.inspector.lead}</p>
      {event !== undefined && <Notice>{t.inspector.fromEvent}</Notice>}
      <Loaded query={choices} loading={<Skeleton height="line" />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>{t.inspector.noConnectors}</Empty>
          ) : (
            <div className={styles.picker}>
              <ResourceSelect
                name="connector"
                label={t.inspector.connector}
                path="/connectors"
                filter={ENABLED}
                value={chosen ?? ''}
                onChange={(next) => {
                  run.reset();
                  void navigate({ search: { connector: next }, replace: true });
                }}
              />
            </div>
          )
        }
      </Loaded>
      {run.isPending && <Skeleton height="chart" />}
      {run.error && <Problem problem={run.error} onRetry={() => chosen && run.mutate(chosen)} />}
      {run.data && !run.isPending && (
        <>
          <Steps report={run.data} steps={steps} />
          <Claims steps={steps} />
        </>
      )}
    </Page>
  );
}

const useRun = () =>
  useMutation({
    mutationFn: async (connectorId: string) => {
      const path = hub(`/connectors/${encodeURIComponent(connectorId)}/doctor`);
      return (await api.send<DoctorReport>(path, { method: 'POST', body: { legs: true } })).data;
    },
  });
