import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import { siteOriginsQuery } from '../../api/queries.ts';
import type { SiteOrigin } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { TextField } from '../../design/inputs.tsx';
import { Section } from '../../design/layout.tsx';
import { Empty, Problem } from '../../design/states.tsx';
import { type Column, DataTable } from '../../design/table.tsx';
import { TableSkeleton } from '../../design/table-skeleton.tsx';
import { Time } from '../../design/time.tsx';
import { toast } from '../../design/toast.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Paged, usePage } from '../../lists/paged.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import styles from './sites.module.css';

/** The origins whose pages may embed the site's agents. */
export function Origins({ siteId }: { readonly siteId: string }) {
  const client = useQueryClient();
  const right = useRight('sites:write');
  const page = usePage();
  const origins = useQuery(siteOriginsQuery(siteId, { offset: page.offset }));
  const path = management(`/sites/${siteId}/origins`);
  const refresh = () => client.invalidateQueries({ queryKey: ['api'] });
  const [leaving, setLeaving] = useState<string>();
  async function remove(origin: string) {
    await api.send(path, { method: 'DELETE', query: { origin } });
    await refresh();
    toast(t.sites.removed);
  }
  const form = useForm({
    initial: { origin: '', expires_at: '' },
    check: ({ origin }) => (origin.trim() === '' ? { origin: t.sites.originMissing } : {}),
    send: async ({ origin, expires_at: until }) => {
      const body = { origin: origin.trim(), expires_at: until === '' ? null : new Date(until).toISOString() };
      await api.send(path, { method: 'POST', body, idempotencyKey: crypto.randomUUID() });
      form.setValues({ origin: '', expires_at: '' });
      await refresh();
    },
  });
  const columns: readonly Column<SiteOrigin>[] = [
    { header: t.sites.origin, cell: ({ origin }) => <Revealed text={origin} /> },
    {
      header: t.sites.until,
      cell: ({ expires_at: until }) => (until === null ? t.sites.never : <Time at={until} as="full" />),
    },
    {
      header: t.common.more,
      hideHeader: true,
      narrow: true,
      cell: ({ origin }) => (
        <Button variant="quiet" unavailable={right.reason} onClick={() => setLeaving(origin)}>
          {t.sites.remove}
        </Button>
      ),
    },
  ];
  return (
    <Section bare title={t.sites.origins}>
      <Paged query={origins} page={page} loading={<TableSkeleton rows={2} />}>
        {(data) =>
          data.length === 0 ? (
            <Empty>{t.sites.originsNone}</Empty>
          ) : (
            <DataTable label={t.sites.origins} rows={data} columns={columns} keyOf={({ origin }) => origin} />
          )
        }
      </Paged>
      {leaving !== undefined && (
        <Confirm
          title={t.sites.removeTitle}
          button={t.sites.removeOrigin}
          subject={{ name: leaving, id: siteId }}
          run={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          {t.sites.removeText}
        </Confirm>
      )}
      <form ref={form.form} onSubmit={form.submit} noValidate className={styles.form}>
        <TextField type="url" label={t.sites.origin} hint={t.sites.originHint} {...form.field('origin')} />
        <TextField
          type="datetime-local"
          label={t.sites.until}
          hint={t.sites.untilHint}
          required={false}
          {...form.field('expires_at')}
        />
        <Button type="submit" variant="primary" busy={form.busy} unavailable={right.reason}>
          {t.sites.addOrigin}
        </Button>
      </form>
      {form.problem !== undefined && <Problem problem={form.problem} />}
    </Section>
  );
}
