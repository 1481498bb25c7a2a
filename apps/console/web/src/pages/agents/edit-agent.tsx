import { useQueryClient } from '@tanstack/react-query';
import { api, management } from '../../api/client.ts';
import type { Agent } from '../../api/types.ts';
import { FormPanel } from '../../design/form-modal.tsx';
import { TextArea, TextField } from '../../design/inputs.tsx';
import { toast } from '../../design/toast.tsx';
import { useForm } from '../../forms/use-form.ts';
import { t } from '../../text/en.ts';
import type { ReadAgent } from './status-menu.tsx';

interface EditAgentProps {
  /** The agent as read when the form was opened: a newer version is not overwritten */
  readonly agent: ReadAgent;
  onClose(): void;
  onReload(): void;
}

export function EditAgent({ agent: { data, etag }, onClose, onReload }: EditAgentProps) {
  const client = useQueryClient();
  const form = useForm({
    version: etag,
    initial: {
      name: data.name,
      description: data.description ?? '',
      instructions: data.instructions ?? '',
    },
    check: ({ name }) => (name.trim() === '' ? { name: t.agents.nameMissing } : {}),
    send: async ({ name, description, instructions }) => {
      await api.send<Agent>(management(`/agents/${data.id}`), {
        method: 'PATCH',
        ifMatch: etag,
        body: { name, description: description || null, instructions: instructions || null },
      });
      await client.invalidateQueries({ queryKey: ['api'] });
      toast(t.agents.saved);
      onClose();
    },
  });
  return (
    <FormPanel
      title={t.agents.editAgent}
      submit={t.common.save}
      form={form}
      onClose={onClose}
      onReload={onReload}
    >
      <TextField label={t.agents.name} required {...form.field('name')} />
      <TextField label={t.agents.description} required={false} {...form.field('description')} />
      <TextArea
        label={t.agents.instructions}
        hint={t.agents.instructionsHint}
        required={false}
        rows={12}
        {...form.field('instructions')}
      />
    </FormPanel>
  );
}
