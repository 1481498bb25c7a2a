import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import type { Site } from '../../api/types.ts';
import { ActionsMenu } from '../../design/actions-menu.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { FormDialog } from '../../design/form-modal.tsx';
import { TextField } from '../../design/inputs.tsx';
import { toast } from '../../design/toast.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { useDeleteSite } from './changes.ts';

export interface ReadSite {
  readonly data: Site;
  readonly etag: string | undefined;
}

interface SiteMenuProps {
  readonly site: ReadSite;
  /** Reads the site again */
  reread(): Promise<ReadSite | undefined>;
}

/** Renames and deletes a site. An open dialog keeps the version that the reader saw, even if a newer one is read. */
export function SiteMenu({ site, reread }: SiteMenuProps) {
  const { reason } = useRight('sites:write');
  const [open, setOpen] = useState<{ readonly what: 'rename' | 'delete'; readonly site: ReadSite }>();
  const close = () => setOpen(undefined);
  const reload = () => void reread().then((now) => open && now && setOpen({ ...open, site: now }));
  const opens = (what: 'rename' | 'delete') => () => setOpen({ what, site });
  const props = open && { site: open.site, onReload: reload, onClose: close };
  return (
    <>
      <ActionsMenu
        label={t.sites.actions}
        items={[
          { label: t.sites.rename, icon: Pencil, unavailable: reason, onSelect: opens('rename') },
          {
            label: t.sites.delete,
            icon: Trash2,
            danger: true,
            unavailable: reason,
            onSelect: opens('delete'),
          },
        ]}
      />
      {open?.what === 'rename' && props && <RenameSite {...props} />}
      {open?.what === 'delete' && props && <DeleteSite {...props} key={props.site.etag} />}
    </>
  );
}

interface OpenProps {
  readonly site: ReadSite;
  onReload(): void;
  onClose(): void;
}

function RenameSite({ site: { data, etag }, onReload, onClose }: OpenProps) {
  const client = useQueryClient();
  const form = useForm({
    version: etag,
    initial: { name: data.name },
    check: ({ name }) => (name.trim() === '' ? { name: t.sites.nameMissing } : {}),
    send: async ({ name }) => {
      await api.send(management(`/sites/${data.id}`), { method: 'PATCH', ifMatch: etag, body: { name } });
      await client.invalidateQueries({ queryKey: ['api'] });
      toast(t.sites.renamed);
      onClose();
    },
  });
  return (
    <FormDialog
      title={t.sites.renameTitle}
      submit={t.common.save}
      form={form}
      onClose={onClose}
      onReload={onReload}
    >
      <TextField label={t.sites.name} required {...form.field('name')} />
    </FormDialog>
  );
}

function DeleteSite({ site: { data, etag }, onReload, onClose }: OpenProps) {
  const remove = useDeleteSite(data.id, etag);
  return (
    <Confirm
      title={t.sites.deleteTitle}
      button={t.sites.delete}
      subject={data}
      run={remove}
      onReload={onReload}
      onClose={onClose}
    >
      {t.sites.deleteText}
    </Confirm>
  );
}
