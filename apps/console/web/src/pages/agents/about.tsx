import { Pencil } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { Facts, Section } from '../../design/layout.tsx';
import { Time } from '../../design/time.tsx';
import { Revealed } from '../../design/untrusted.tsx';
import { useRight } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import styles from './agents.module.css';
import type { ReadAgent } from './status-menu.tsx';

interface AboutProps {
  readonly agent: ReadAgent;
  onEdit(): void;
}

/** The description of an agent, and its instructions. */
export function About({ agent: { data }, onEdit }: AboutProps) {
  const right = useRight('agents:write');
  const none = <span className="muted">{t.common.none}</span>;
  return (
    <Section
      title={t.agents.about}
      actions={
        <Button icon={Pencil} unavailable={right.reason} onClick={onEdit}>
          {t.agents.edit}
        </Button>
      }
    >
      <Facts
        facts={[
          {
            term: t.agents.description,
            value: data.description === null ? none : <Revealed text={data.description} />,
          },
          {
            term: t.agents.instructions,
            value:
              data.instructions === null ? (
                none
              ) : (
                <div className={styles.instructions}>
                  <Revealed text={data.instructions} />
                </div>
              ),
          },
          { term: t.agents.created, value: <Time at={data.created_at} as="full" /> },
          { term: t.agents.changed, value: <Time at={data.updated_at} as="full" /> },
        ]}
      />
    </Section>
  );
}
