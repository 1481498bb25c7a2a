import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import type { Agent } from '../../api/types.ts';
import { buttonClass } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { Menu } from '../../design/menu.tsx';
import { Problem } from '../../design/states.tsx';
import { toast } from '../../design/toast.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { AgentStatus } from './agent-status.tsx';

/** The agent as read */
export interface ReadAgent {
  readonly data: Agent;
  readonly etag: string | undefined;
}

const STATUSES = ['active', 'draft', 'disabled'] as const;

/** The status of an agent, and a menu of the statuses that it can get. Asks before the agent becomes unavailable. */
export function StatusMenu({ agent }: { readonly agent: ReadAgent }) {
  const { status } = agent.data;
  const right = useRight('agents:write');
  const change = useStatusChange(agent);
  const [asked, setAsked] = useState<Agent['status']>();
  const choose = (next: Agent['status']) => (status === 'active' ? setAsked(next) : change.mutate(next));
  return (
    <>
      <Menu
        label={t.agents.changeStatus}
        trigger={(props) => (
          <button {...props} type="button" className={buttonClass('quiet')}>
            <AgentStatus status={status} />
            <span className="visually-hidden">{t.agents.changeStatus}</span>
            <ChevronDown aria-hidden size={16} />
          </button>
        )}
        items={STATUSES.filter((other) => other !== status).map((other) => ({
          label: t.agents.become[other],
          unavailable: right.reason,
          onSelect: () => choose(other),
        }))}
      />
      {change.error && !asked && <Problem problem={change.error} onReload={change.reload} />}
      {asked && (
        <Confirm
          key={agent.etag}
          title={t.agents.stopTitle}
          button={t.agents.become[asked]}
          subject={agent.data}
          run={() => change.mutateAsync(asked)}
          onReload={change.reload}
          onClose={() => {
            setAsked(undefined);
            change.reset();
          }}
        >
          {t.agents.stopText}
        </Confirm>
      )}
    </>
  );
}

/** Changes the status of the agent in the version that the reader sees, and of no other version. */
function useStatusChange({ data, etag }: ReadAgent) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['api'] });
  const change = useMutation({
    mutationFn: (status: Agent['status']) =>
      api.send(management(`/agents/${data.id}`), { method: 'PATCH', ifMatch: etag, body: { status } }),
    onSuccess: async (_, status) => {
      await refresh();
      toast(t.agents.statusChanged[status]);
    },
  });
  const reload = () => {
    change.reset();
    void refresh();
  };
  return { ...change, reload };
}
