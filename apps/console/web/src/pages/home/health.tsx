import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { Section } from '../../design/layout.tsx';
import { Status } from '../../design/status.tsx';
import { t } from '../../text/en.ts';
import { ConnectorFaults } from './connector-faults.tsx';
import styles from './home.module.css';
import { healthQuery } from './queries.ts';

const SERVICES = ['tool_hub', 'management_api', 'identity_provider'] as const;

/** A list of the services with their health, and of connectors that need attention. */
export function Health({ overview }: { readonly overview: Overview | undefined }) {
  const { data: health, isPending } = useQuery(healthQuery);
  const connectors = overview?.connectors;
  const notExamined = connectors
    ? connectors.total - connectors.ready - connectors.error - connectors.disabled
    : 0;
  return (
    <Section title={t.home.health}>
      <ul className={styles.health}>
        {SERVICES.map((service) => (
          <li key={service}>
            <span>{t.home.services[service]}</span>
            {health === undefined ? (
              <Status tone="waiting">{isPending ? t.common.loading : t.home.healthUnknown}</Status>
            ) : (
              <Status tone={health[service] === 'ok' ? 'allowed' : 'refused'}>
                {health[service] === 'ok' ? t.home.serviceOk : t.home.serviceDown}
              </Status>
            )}
          </li>
        ))}
        {connectors && (
          <li>
            <span>{t.connectors.title}</span>
            {connectors.error > 0 ? (
              <ConnectorFaults total={connectors.error} />
            ) : notExamined > 0 ? (
              <Link to="/connectors" search={{ status: 'pending' }}>
                <Status tone="waiting">{t.home.connectorsNotExamined(notExamined)}</Status>
              </Link>
            ) : connectors.ready > 0 ? (
              <Status tone="allowed">{t.home.connectorsFine(connectors.ready)}</Status>
            ) : (
              <span className="muted">{t.common.none}</span>
            )}
          </li>
        )}
      </ul>
    </Section>
  );
}
