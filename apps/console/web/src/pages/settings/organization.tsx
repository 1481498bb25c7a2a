import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import type { Organization } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { CopyId } from '../../design/copy.tsx';
import { Facts, Section, Stack } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Notice, Skeleton } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { toast } from '../../design/toast.tsx';
import { useEdited } from '../../forms/use-edited.ts';
import { restoreOrganization } from '../../session/restore-organization.ts';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { ProfileForm } from './profile-form.tsx';
import { organizationQuery, rateLimitQuery } from './queries.ts';
import styles from './settings.module.css';

export function OrganizationSettings() {
  const query = useQuery(organizationQuery);
  const { edited, take, reload } = useEdited(query);
  return (
    <div className={styles.page}>
      {query.data?.data.status === 'deleted' && <Deleted organization={query.data.data} onDone={reload} />}
      {edited === undefined ? (
        <Loaded query={query} loading={<Skeleton height="form" />}>
          {() => null}
        </Loaded>
      ) : (
        <ProfileForm
          organization={edited.data.data}
          etag={edited.data.etag}
          onSaved={take}
          onReload={reload}
        />
      )}
      {(edited !== undefined || query.isError) && <PlanAndLimit />}
      {edited !== undefined && edited.data.data.status !== 'deleted' && (
        <Danger organization={edited.data.data} etag={edited.data.etag} onReload={reload} />
      )}
    </div>
  );
}

function PlanAndLimit() {
  const organization = useQuery(organizationQuery);
  const rate = useQuery(rateLimitQuery);
  return (
    <Section title={t.settings.about}>
      <Loaded query={organization} loading={<Skeleton height="block" />}>
        {({ data }) => (
          <Facts
            facts={[
              { term: t.settings.plan, value: t.settings.plans[data.plan] },
              { term: t.settings.limit, value: t.settings.limitOf(data.requests_per_minute) },
              {
                term: t.settings.left,
                value: (
                  <Loaded query={rate} loading={t.common.ellipsis}>
                    {({ remaining, limit }) => t.settings.leftOf(remaining, limit)}
                  </Loaded>
                ),
              },
              { term: t.settings.id, value: <CopyId id={data.id} /> },
              { term: t.settings.created, value: <Time at={data.created_at} as="full" /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

interface DangerProps {
  readonly organization: Organization;
  readonly etag: string | undefined;
  onReload(): void;
}

function Danger({ organization: { id, name }, etag, onReload }: DangerProps) {
  const right = useRight('org:write');
  const [asking, setAsking] = useState(false);
  async function remove() {
    await api.send(management('/organization'), {
      method: 'DELETE',
      query: { confirm: name },
      ifMatch: etag,
    });
    onReload();
  }
  return (
    <Section title={t.settings.danger}>
      <Stack>
        <p>{t.settings.dangerText}</p>
        <div>
          <Button variant="danger" unavailable={right.reason} onClick={() => setAsking(true)}>
            {t.settings.delete}
          </Button>
        </div>
      </Stack>
      {asking && (
        <Confirm
          key={etag}
          typed
          title={t.settings.deleteTitle}
          button={t.settings.delete}
          subject={{ name, id }}
          run={remove}
          onReload={onReload}
          onClose={() => setAsking(false)}
        >
          {t.settings.dangerText}
        </Confirm>
      )}
    </Section>
  );
}

interface DeletedProps {
  readonly organization: Organization;
  onDone(): void;
}

function Deleted({ organization: { purge_at: purgeAt }, onDone }: DeletedProps) {
  const client = useQueryClient();
  const right = useRight('org:write');
  const [busy, setBusy] = useState(false);
  async function restore() {
    setBusy(true);
    await restoreOrganization().finally(() => setBusy(false));
    toast(t.settings.restored);
    await client.invalidateQueries({ queryKey: ['api'] });
    onDone();
  }
  return (
    <Notice tone="warning" title={t.settings.deleted}>
      <p>
        {t.settings.deletedText} {purgeAt !== null && <Time at={purgeAt} as="full" />}
      </p>
      <Button busy={busy} unavailable={right.reason} onClick={() => void restore()}>
        {t.settings.restore}
      </Button>
    </Notice>
  );
}
