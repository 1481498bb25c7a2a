import type { Connector } from '../../api/types.ts';
import { FormDialog } from '../../design/form-modal.tsx';
import { SecretField } from '../../design/inputs.tsx';
import { toast } from '../../design/toast.tsx';
import { useForm } from '../../forms/use-form.ts';
import { t } from '../../text/en.ts';
import { useConnectorChange } from './changes.ts';

export function RotateSecret({ connector, onClose }: { readonly connector: Connector; onClose(): void }) {
  const change = useConnectorChange(connector.id);
  const form = useForm({
    initial: { secret: '' },
    check: ({ secret }) => (secret === '' ? { secret: t.connectors.secretMissing } : {}),
    send: async ({ secret }) => {
      // Emptied before it is sent, so that a refusal leaves no secret in the page.
      form.setValues({ secret: '' });
      await change.mutateAsync({ path: '/secret', method: 'PUT', body: { secret } });
      toast(t.connectors.secretSaved);
      onClose();
    },
  });
  return (
    <FormDialog
      title={t.connectors.rotateSecret}
      submit={t.connectors.saveSecret}
      form={form}
      onClose={onClose}
    >
      <p>{t.connectors.rotateText}</p>
      <SecretField label={t.connectors.newSecret} required {...form.field('secret')} />
    </FormDialog>
  );
}
