import { FormDialog } from '../../design/form-modal.tsx';
import { Checkbox } from '../../design/inputs.tsx';
import { toast } from '../../design/toast.tsx';
import { useForm } from '../../forms/use-form.ts';
import { ResourceSelect } from '../../lists/resource-select.tsx';
import { t } from '../../text/en.ts';
import { useSiteAgents } from './changes.ts';

interface AddSiteAgentProps {
  readonly siteId: string;
  /** Ids of the agents that the site embeds already */
  readonly placed: readonly string[];
  onClose(): void;
}

/** Adds a further agent to a site. */
export function AddSiteAgent({ siteId, placed, onClose }: AddSiteAgentProps) {
  const change = useSiteAgents(siteId);
  const form = useForm({
    initial: { agent: '', is_default: placed.length === 0 },
    check: ({ agent }) => (agent === '' ? { agent: t.sites.agentMissing } : {}),
    send: async ({ agent, is_default }) => {
      await change.mutateAsync({ id: agent, method: 'PUT', body: { is_default } });
      toast(t.sites.agentAdded);
      onClose();
    },
  });
  return (
    <FormDialog title={t.sites.addAgentTitle} submit={t.sites.addAgent} form={form} onClose={onClose}>
      <ResourceSelect
        label={t.sites.agent}
        path="/agents"
        except={placed}
        placeholder={t.sites.chooseAgent}
        {...form.field('agent')}
      />
      <Checkbox label={t.sites.asDefault} hint={t.sites.defaultHint} {...form.field('is_default')} />
    </FormDialog>
  );
}
