import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, management } from '../../api/client.ts';
import { type ApiProblem, hasCode } from '../../api/problem.ts';
import type { Agent, Site } from '../../api/types.ts';
import { FormDialog } from '../../design/form-modal.tsx';
import { Notice } from '../../design/states.tsx';
import { toast } from '../../design/toast.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { useForm } from '../../forms/use-form.ts';
import { t } from '../../text/en.ts';

type NamedSite = Pick<Site, 'id' | 'name'>;

/** Asks twice before it deletes an agent that sites embed; the second question names these sites. */
export function DeleteAgent({ agent, onClose }: { readonly agent: Agent; onClose(): void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [sites, setSites] = useState<readonly NamedSite[]>();
  const path = management(`/agents/${agent.id}`);
  const form = useForm({
    initial: {},
    send: async () => {
      try {
        await api.send(path, { method: 'DELETE', query: { force: sites && true } });
      } catch (problem) {
        if (!hasCode(problem, 'agent_in_use')) throw problem;
        setSites(sitesOf(problem));
        return;
      }
      // Leaves the page first, because it would request the deleted agent again.
      await navigate({ to: '/agents' });
      await client.invalidateQueries({ queryKey: ['api'] });
      const restore = async () => {
        await api.send(`${path}/restore`, { method: 'POST' });
        await client.invalidateQueries({ queryKey: ['api'] });
      };
      toast(t.agents.deleted, { label: t.common.undo, run: () => void restore() });
    },
  });
  return (
    <FormDialog
      danger
      title={t.agents.deleteTitle}
      submit={sites ? t.agents.deleteAnyway : t.agents.delete}
      form={form}
      onClose={onClose}
    >
      <p>{t.agents.deleteText}</p>
      <NameAndId thing={agent} />
      {sites && (
        <Notice tone="warning" title={t.agents.inUse}>
          <ul>
            {sites.map((site) => (
              <li key={site.id}>
                <NameAndId thing={site} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </FormDialog>
  );
}

const NameAndId = ({ thing: { name, id } }: { readonly thing: NamedSite }) => (
  <div>
    <code>
      <Revealed text={name} />
    </code>{' '}
    <code className="muted">{id}</code>
  </div>
);

/** Returns the sites that the refusal names: the first 20. */
const sitesOf = ({ document: { sites } }: ApiProblem): readonly NamedSite[] =>
  Array.isArray(sites) ? sites.filter(isNamed) : [];

const isNamed = (site: Partial<NamedSite> | null): site is NamedSite =>
  typeof site?.id === 'string' && typeof site.name === 'string';
