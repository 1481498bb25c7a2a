import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { siteAgentsQuery } from '../../api/queries.ts';
import type { SiteAgent } from '../../api/types.ts';
import { ActionsMenu } from '../../design/actions-menu.tsx';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { Section } from '../../design/layout.tsx';
import { Problem, Skeleton } from '../../design/states.tsx';
import { toast } from '../../design/toast.tsx';
import { Name } from '../../design/untrusted.tsx';
import { Paged, usePage } from '../../lists/paged.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { nameText } from '../../untrusted/reveal.ts';
import { AddSiteAgent } from './add-site-agent.tsx';
import { useSiteAgents } from './changes.ts';
import styles from './sites.module.css';

/** The agents that the site embeds, of which one is the default. */
export function SiteAgents({ siteId }: { readonly siteId: string }) {
  const page = usePage();
  const placed = useQuery(siteAgentsQuery(siteId, { offset: page.offset }));
  const right = useRight('sites:write');
  const [adding, setAdding] = useState(false);
  return (
    <Section
      title={t.sites.agents}
      actions={
        <Button icon={Plus} unavailable={right.reason} onClick={() => setAdding(true)}>
          {t.sites.addAgent}
        </Button>
      }
    >
      <Paged query={placed} page={page} loading={<Skeleton height="line" />}>
        {(data) =>
          data.length === 0 ? (
            <p className="muted">{t.sites.agentsNone}</p>
          ) : (
            <ul className={styles.agents}>
              {data.map((link) => (
                <Placed key={link.agent_id} link={link} />
              ))}
            </ul>
          )
        }
      </Paged>
      {adding && (
        <AddSiteAgent
          siteId={siteId}
          placed={placed.data?.data.map(({ agent_id }) => agent_id) ?? []}
          onClose={() => setAdding(false)}
        />
      )}
    </Section>
  );
}

function Placed({ link }: { readonly link: SiteAgent }) {
  const { site_id: siteId, agent_id: id, agent_name: name, is_default: isDefault } = link;
  const change = useSiteAgents(siteId);
  const { reason } = useRight('sites:write');
  const [leaving, setLeaving] = useState(false);
  return (
    <li>
      <span>
        <Link to="/agents/$agentId" params={{ agentId: id }}>
          <Name text={name} />
        </Link>{' '}
        {isDefault && <span className="muted">{t.sites.byDefault}</span>}
        {change.error && <Problem problem={change.error} />}
      </span>
      <ActionsMenu
        label={t.sites.actionsOf(nameText(name))}
        items={[
          {
            label: isDefault ? t.sites.noDefault : t.sites.makeDefault,
            unavailable: reason,
            onSelect: () => change.mutate({ id, method: 'PUT', body: { is_default: !isDefault } }),
          },
          { label: t.sites.takeOff, danger: true, unavailable: reason, onSelect: () => setLeaving(true) },
        ]}
      />
      {leaving && (
        <Confirm
          title={t.sites.takeOffTitle}
          button={t.sites.takeOff}
          subject={{ name, id }}
          run={async () => {
            await change.mutateAsync({ id, method: 'DELETE' });
            toast(t.sites.takenOff);
          }}
          onClose={() => setLeaving(false)}
        >
          {t.sites.takeOffText}
        </Confirm>
      )}
    </li>
  );
}
