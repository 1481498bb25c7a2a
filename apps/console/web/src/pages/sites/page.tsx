import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import { sitesQuery } from '../../api/queries.ts';
import type { Site } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { FormPanel } from '../../design/form-modal.tsx';
import { TextField } from '../../design/inputs.tsx';
import { Page } from '../../design/layout.tsx';
import { type Column, rowLink } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { toast } from '../../design/toast.tsx';
import { Name } from '../../design/untrusted.tsx';
import { useForm } from '../../forms/use-form.ts';
import { List } from '../../lists/list.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';

export const page = createLazyRoute('/shell/sites')({ component: Sites });

const COLUMNS: readonly Column<Site>[] = [
  {
    header: t.sites.name,
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to="/sites/$siteId" params={{ siteId: id }} {...rowLink}>
        <Name text={name} />
      </Link>
    ),
  },
  {
    header: t.sites.origins,
    cell: ({ allowed_origins: origins }) =>
      origins.length === 0 ? (
        <span className="muted">{t.sites.originsNone}</span>
      ) : (
        t.sites.originsOf(origins.length)
      ),
  },
  { header: t.sites.created, narrow: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

const ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|[^/\s]+\.[^/\s.]{2,})(?::\d+)?\/?$/i;

/** An address is sought among the origins, and any other text in the names. */
const soughtBy = (text: string | undefined) =>
  text !== undefined && ORIGIN.test(text) ? { origin: text } : { search: text };

function Sites() {
  const filters = page.useSearch();
  const { search, sort = 'name', offset } = filters;
  const [adding, setAdding] = useState(false);
  const right = useRight('sites:write');
  const list = useQuery(sitesQuery({ ...soughtBy(search), sort, offset }));
  const add = (
    <Button variant="primary" icon={Plus} unavailable={right.reason} onClick={() => setAdding(true)}>
      {t.sites.add}
    </Button>
  );
  return (
    <Page title={t.sites.title} actions={add}>
      <List
        label={t.sites.title}
        search={filters}
        query={list}
        columns={COLUMNS}
        find={t.sites.find}
        sort="name"
        empty={{ icon: Globe, text: t.sites.empty, action: add }}
      />
      {adding && <AddSite onClose={() => setAdding(false)} />}
    </Page>
  );
}

function AddSite({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: { name: '' },
    check: ({ name }) => (name.trim() === '' ? { name: t.sites.nameMissing } : {}),
    send: async ({ name }) => {
      const { data } = await api.send<Site>(management('/sites'), {
        method: 'POST',
        idempotencyKey: crypto.randomUUID(),
        body: { name },
      });
      await client.invalidateQueries({ queryKey: ['api'] });
      toast(t.sites.added);
      onClose();
      void navigate({ to: '/sites/$siteId', params: { siteId: data.id } });
    },
  });
  return (
    <FormPanel title={t.sites.add} submit={t.sites.add} form={form} onClose={onClose}>
      <TextField label={t.sites.name} required {...form.field('name')} />
    </FormPanel>
  );
}
