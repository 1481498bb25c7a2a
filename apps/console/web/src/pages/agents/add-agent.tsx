import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, management } from '../../api/client.ts';
import type { Agent } from '../../api/types.ts';
import { FormPanel } from '../../design/form-modal.tsx';
import { Select, TextArea, TextField } from '../../design/inputs.tsx';
import { toast } from '../../design/toast.tsx';
import { useForm } from '../../forms/use-form.ts';
import { t } from '../../text/en.ts';

const STATUSES = (['active', 'draft'] as const).map((value) => ({ value, label: t.agents.statuses[value] }));

export function AddAgent({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: { name: '', description: '', instructions: '', status: 'active' as Agent['status'] },
    check: ({ name }) => (name.trim() === '' ? { name: t.agents.nameMissing } : {}),
    send: async ({ name, description, instructions, status }) => {
      const { data } = await api.send<Agent>(management('/agents'), {
        method: 'POST',
        idempotencyKey: crypto.randomUUID(),
        body: { name, status, description: description || null, instructions: instructions || null },
      });
      await client.invalidateQueries({ queryKey: ['api'] });
      toast(t.agents.added);
      onClose();
      void navigate({ to: '/agents/$agentId', params: { agentId: data.id } });
    },
  });
  return (
    <FormPanel title={t.agents.add} submit={t.agents.add} form={form} onClose={onClose}>
      <TextField label={t.agents.name} required {...form.field('name')} />
      <TextField label={t.agents.description} required={false} {...form.field('description')} />
      <TextArea
        label={t.agents.instructions}
        hint={t.agents.instructionsHint}
        required={false}
        {...form.field('instructions')}
      />
      <Select label={t.agents.status} options={STATUSES} {...form.field('status')} />
    </FormPanel>
  );
}
