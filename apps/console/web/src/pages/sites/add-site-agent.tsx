import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../../api/queries.ts';
import { FormDialog } from '../../design/form-modal.tsx';
import { Checkbox, Select } from '../../design/inputs.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Skeleton } from '../../design/states.tsx';
import { toast } from '../../design/toast.tsx';
import { useForm } from '../../forms/use-form.ts';
import { t } from '../../text/en.ts';
import { nameText } from '../../untrusted/reveal.ts';
import { useSiteAgents } from './changes.ts';

interface AddSiteAgentProps {
  readonly siteId: string;
  /** Ids of the agents that the site embeds already */
  readonly placed: readonly string[];
  onClose(): void;
}

/** Adds a further agent to a site. */
export function AddSiteAgent({ siteId, placed, onClose }: AddSiteAgentProps) {
  const agents = useQuery(agentsQuery({ limit: 100, sort: 'name' }));
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
      <Loaded query={agents} loading={<Skeleton height="line" />}>
        {({ data }) => (
          <Select
            label={t.sites.agent}
            options={[
              { value: '', label: t.sites.chooseAgent },
              ...data
                .filter(({ id }) => !placed.includes(id))
                .map(({ id, name }) => ({ value: id, label: nameText(name) })),
            ]}
            {...form.field('agent')}
          />
        )}
      </Loaded>
      <Checkbox label={t.sites.asDefault} hint={t.sites.defaultHint} {...form.field('is_default')} />
    </FormDialog>
  );
}
