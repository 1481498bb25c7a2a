import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import type { ListSearch } from '../../api/list-search.ts';
import type { ServiceAccount } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { FormPanel } from '../../design/form-modal.tsx';
import { Section } from '../../design/layout.tsx';
import { type Column, rowLink } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { toast } from '../../design/toast.tsx';
import { Name } from '../../design/untrusted.tsx';
import { useForm } from '../../forms/use-form.ts';
import { type Filter, List } from '../../lists/list.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { AccountFields, AccountStatus, ROLES } from './account-parts.tsx';
import { accountsQuery } from './queries.ts';

const COLUMNS: readonly Column<ServiceAccount>[] = [
  {
    header: t.settings.name,
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to="/settings/accounts/$accountId" params={{ accountId: id }} {...rowLink}>
        <Name text={name} />
      </Link>
    ),
  },
  { header: t.settings.description, cell: ({ description }) => description && <Name text={description} /> },
  { header: t.settings.role, cell: ({ role }) => t.roles[role] },
  { header: t.settings.status, cell: ({ status }) => <AccountStatus status={status} /> },
  { header: t.settings.liveKeys, numeric: true, cell: ({ keys }) => keys },
  {
    header: t.settings.created,
    sort: 'created_at',
    narrow: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];

const FILTERS: readonly Filter[] = [
  {
    name: 'role',
    label: t.settings.role,
    options: [{ value: '', label: t.settings.anyRole }, ...ROLES],
  },
  {
    name: 'status',
    label: t.settings.status,
    options: [
      { value: '', label: t.settings.anyStatus },
      ...(['active', 'disabled'] as const).map((value) => ({ value, label: t.settings.statuses[value] })),
    ],
  },
];

/** Machines that use the management API. */
export function Accounts({ search: filters }: { readonly search: ListSearch<'role' | 'status'> }) {
  const { search, role, status, sort = 'name', offset } = filters;
  const list = useQuery(accountsQuery({ search, role, status, sort, offset }));
  const right = useRight('credentials:write');
  const [adding, setAdding] = useState(false);
  const add = (
    <Button variant="primary" icon={Plus} unavailable={right.reason} onClick={() => setAdding(true)}>
      {t.settings.addAccount}
    </Button>
  );
  return (
    <Section bare description={t.settings.accountsText} title={t.settings.tabs.accounts} actions={add}>
      <List
        label={t.settings.tabs.accounts}
        search={filters}
        query={list}
        columns={COLUMNS}
        find={t.settings.accountsFind}
        filters={FILTERS}
        sort="name"
        empty={{ icon: KeyRound, text: t.settings.accountsEmpty }}
      />
      {adding && <AddAccount onClose={() => setAdding(false)} />}
    </Section>
  );
}

function AddAccount({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: { name: '', description: '', role: 'viewer' as ServiceAccount['role'] },
    check: ({ name }) => (name.trim() === '' ? { name: t.settings.nameMissing } : {}),
    send: async ({ description, ...values }) => {
      const { data } = await api.send<ServiceAccount>(management('/service-accounts'), {
        method: 'POST',
        idempotencyKey: crypto.randomUUID(),
        body: { ...values, description: description || null },
      });
      await client.invalidateQueries({ queryKey: ['api'] });
      toast(t.settings.accountAdded);
      onClose();
      void navigate({ to: '/settings/accounts/$accountId', params: { accountId: data.id } });
    },
  });
  return (
    <FormPanel title={t.settings.addAccount} submit={t.settings.addAccount} form={form} onClose={onClose}>
      <AccountFields field={form.field} />
    </FormPanel>
  );
}
