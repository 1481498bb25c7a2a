import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import type { ApiKey, NewApiKey } from '../../api/types.ts';
import { ActionsMenu } from '../../design/actions-menu.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { FormDialog } from '../../design/form-modal.tsx';
import { Select } from '../../design/inputs.tsx';
import { toast } from '../../design/toast.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { KeyShownOnce } from './create-key.tsx';
import { keyState } from './key-state.ts';

interface KeyMenuProps {
  readonly accountId: string;
  readonly apiKey: ApiKey;
}

/** The actions for an API key, in its row. */
export function KeyMenu({ accountId, apiKey }: KeyMenuProps) {
  const client = useQueryClient();
  const right = useRight('credentials:write');
  const [open, setOpen] = useState<'rotate' | 'revoke'>();
  const path = management(`/service-accounts/${accountId}/keys/${apiKey.id}`);
  const isOver = keyState(apiKey, new Date()) !== 'live';
  const unavailable = right.reason ?? (isOver ? t.settings.keyOver : undefined);
  const close = () => setOpen(undefined);
  const refresh = () => client.invalidateQueries({ queryKey: ['api'] });
  async function revoke() {
    await api.send(path, { method: 'DELETE' });
    toast(t.settings.revoked);
    await refresh();
  }
  return (
    <>
      <ActionsMenu
        label={t.settings.actions}
        items={[
          { label: t.settings.rotate, icon: RefreshCw, unavailable, onSelect: () => setOpen('rotate') },
          {
            label: t.settings.revoke,
            icon: KeyRound,
            danger: true,
            unavailable,
            onSelect: () => setOpen('revoke'),
          },
        ]}
      />
      {open === 'rotate' && (
        <Rotate
          path={path}
          onClose={() => {
            close();
            void refresh();
          }}
        />
      )}
      {open === 'revoke' && (
        <Confirm
          title={t.settings.revokeTitle}
          button={t.settings.revokeButton}
          subject={apiKey}
          run={revoke}
          onClose={close}
        >
          {t.settings.revokeText}
        </Confirm>
      )}
    </>
  );
}

const OVERLAPS = (['0', '3600', '86400', '604800'] as const).map((value) => ({
  value,
  label: t.settings.overlaps[value],
}));

/** Reloads the list only after the new key was shown: otherwise its row, and the key, could disappear. */
function Rotate({ path, onClose }: { readonly path: string; onClose(): void }) {
  const [key, setKey] = useState<string>();
  const form = useForm({
    initial: { overlap_seconds: '86400' as (typeof OVERLAPS)[number]['value'] },
    send: async ({ overlap_seconds: seconds }) => {
      const { data } = await api.send<NewApiKey>(`${path}/rotate`, {
        method: 'POST',
        idempotencyKey: crypto.randomUUID(),
        body: { overlap_seconds: Number(seconds) },
      });
      if (data.key === null) onClose();
      else setKey(data.key);
    },
  });
  if (key !== undefined) return <KeyShownOnce secret={key} onClose={onClose} />;
  return (
    <FormDialog title={t.settings.rotateTitle} submit={t.settings.rotateButton} form={form} onClose={onClose}>
      <p>{t.settings.rotateText}</p>
      <Select label={t.settings.overlap} options={OVERLAPS} {...form.field('overlap_seconds')} />
    </FormDialog>
  );
}
