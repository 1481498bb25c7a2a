import { KeyRound, Power, ShieldOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Connector } from '../../api/types.ts';
import { ActionsMenu } from '../../design/actions-menu.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { Dialog } from '../../design/modal.tsx';
import { Problem } from '../../design/states.tsx';
import { toast } from '../../design/toast.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { useConnectorChange, useDeleteConnector } from './changes.ts';
import { mayHaveSecret } from './connector-settings.ts';
import { RotateSecret } from './rotate-secret.tsx';

type Open = 'secret' | 'revoke' | 'disable' | 'delete';

/** The actions for a connector that an administrator may take, in a row and on its page. */
export function RowMenu({ connector }: { readonly connector: Connector }) {
  const [open, setOpen] = useState<Open>();
  const { reason } = useRight('connectors:write');
  const change = useConnectorChange(connector.id);
  const hasSecret = mayHaveSecret({ ...connector, client_id: connector.client_id ?? '' });
  const close = () => setOpen(undefined);
  const entry = (label: string, icon: typeof Power, next: Open, danger = false) => ({
    label,
    icon,
    danger,
    unavailable: reason,
    onSelect: () => setOpen(next),
  });
  return (
    <>
      <ActionsMenu
        label={t.connectors.actions}
        items={[
          {
            ...entry(t.connectors.rotateSecret, KeyRound, 'secret'),
            unavailable: reason ?? (hasSecret ? undefined : t.connectors.noSecret),
          },
          entry(t.connectors.revokeTokens, ShieldOff, 'revoke'),
          connector.enabled
            ? entry(t.connectors.disable, Power, 'disable')
            : {
                ...entry(t.connectors.enable, Power, 'disable'),
                onSelect: () => change.mutate({ method: 'PATCH', body: { enabled: true } }),
              },
          entry(t.connectors.delete, Trash2, 'delete', true),
        ]}
      />
      {change.error && (
        <Dialog title={t.connectors.notEnabled} onClose={change.reset}>
          <Problem problem={change.error} />
        </Dialog>
      )}
      {open === 'secret' && <RotateSecret connector={connector} onClose={close} />}
      {open === 'revoke' && <ConfirmChange connector={connector} what="revoke" onClose={close} />}
      {open === 'disable' && <ConfirmChange connector={connector} what="disable" onClose={close} />}
      {open === 'delete' && <ConfirmChange connector={connector} what="delete" onClose={close} />}
    </>
  );
}

interface ConfirmProps {
  readonly connector: Connector;
  readonly what: 'revoke' | 'disable' | 'delete';
  onClose(): void;
}

/** Asks first, and explains what will happen and to which connector. */
function ConfirmChange({ connector, what, onClose }: ConfirmProps) {
  const change = useConnectorChange(connector.id);
  const remove = useDeleteConnector(connector.id);
  const words = t.connectors.confirm[what];
  async function run() {
    if (what === 'delete') await remove.mutateAsync();
    else if (what === 'revoke') {
      await change.mutateAsync({ path: '/revoke-tokens', method: 'POST' });
      toast(t.connectors.revoked);
    } else await change.mutateAsync({ method: 'PATCH', body: { enabled: false } });
  }
  return (
    <Confirm title={words.title} button={words.button} subject={connector} run={run} onClose={onClose}>
      {words.text}
    </Confirm>
  );
}
