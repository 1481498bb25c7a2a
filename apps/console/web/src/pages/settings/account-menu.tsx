import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import type { ServiceAccount } from '../../api/types.ts';
import { ActionsMenu } from '../../design/actions-menu.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { FormPanel } from '../../design/form-modal.tsx';
import { toast } from '../../design/toast.tsx';
import { useEdited } from '../../forms/use-edited.ts';
import { useForm } from '../../forms/use-form.ts';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { AccountFields } from './account-parts.tsx';
import { accountQuery } from './queries.ts';

/** The actions for a service account. */
export function AccountMenu({ account }: { readonly account: ServiceAccount }) {
  const [open, setOpen] = useState<'edit' | 'switch' | 'delete'>();
  const { reason: unavailable } = useRight('credentials:write');
  // The subject of the open dialog, and the version that it sends
  const { edited, reload } = useEdited(useQuery(accountQuery(account.id)));
  const close = () => {
    setOpen(undefined);
    reload();
  };
  const shown = { account: edited?.data.data ?? account, etag: edited?.data.etag };
  const dialog = { ...shown, onReload: reload, onClose: close };
  const turn = account.status === 'active' ? 'disable' : 'enable';
  return (
    <>
      <ActionsMenu
        label={t.settings.actions}
        items={[
          { label: t.settings.edit, icon: Pencil, unavailable, onSelect: () => setOpen('edit') },
          { label: t.settings[turn], icon: Power, unavailable, onSelect: () => setOpen('switch') },
          {
            label: t.settings.deleteAccount,
            icon: Trash2,
            danger: true,
            unavailable,
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'edit' && <EditAccount {...dialog} />}
      {open === 'switch' && <ConfirmChange key={edited?.round} what={turn} {...dialog} />}
      {open === 'delete' && <ConfirmChange key={edited?.round} what="delete" {...dialog} />}
    </>
  );
}

interface DialogProps {
  readonly account: ServiceAccount;
  readonly etag: string | undefined;
  onReload(): void;
  onClose(): void;
}

function EditAccount({ account, etag, onReload, onClose }: DialogProps) {
  const client = useQueryClient();
  const form = useForm({
    version: etag,
    initial: { name: account.name, description: account.description ?? '', role: account.role },
    check: ({ name }) => (name.trim() === '' ? { name: t.settings.nameMissing } : {}),
    send: async ({ description, ...values }) => {
      const body = { ...values, description: description || null };
      const path = management(`/service-accounts/${account.id}`);
      await api.send(path, { method: 'PATCH', body, ifMatch: etag });
      toast(t.settings.accountSaved);
      await client.invalidateQueries({ queryKey: ['api'] });
      onClose();
    },
  });
  return (
    <FormPanel
      title={t.settings.editTitle}
      submit={t.settings.save}
      form={form}
      onReload={onReload}
      onClose={onClose}
    >
      <AccountFields field={form.field} />
    </FormPanel>
  );
}

function ConfirmChange({
  account: { id, name },
  etag,
  what,
  onReload,
  onClose,
}: DialogProps & { readonly what: 'enable' | 'disable' | 'delete' }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const words = t.settings.confirm[what];
  const path = management(`/service-accounts/${id}`);
  async function run() {
    if (what === 'delete') {
      await api.send(path, { method: 'DELETE', ifMatch: etag });
      toast(t.settings.accountDeleted);
      // Leaves the page first, because it would request the deleted account again.
      await navigate({ to: '/settings', search: { tab: 'accounts' } });
    } else {
      const body = { status: what === 'enable' ? 'active' : 'disabled' };
      await api.send(path, { method: 'PATCH', body, ifMatch: etag });
    }
    await client.invalidateQueries({ queryKey: ['api'] });
  }
  return (
    <Confirm
      title={words.title}
      button={words.button}
      subject={{ name, id }}
      typed={what === 'delete'}
      run={run}
      onReload={onReload}
      onClose={onClose}
    >
      {words.text}
    </Confirm>
  );
}
