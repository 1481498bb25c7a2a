import { useQuery } from '@tanstack/react-query';
import { Eye, Pencil, Play } from 'lucide-react';
import { Suspense, useState } from 'react';
import { hasCode } from '../../api/problem.ts';
import { toolsQuery } from '../../api/queries.ts';
import type { Connector, Tool } from '../../api/types.ts';
import { saysReadOnly } from '../../calls/hints.ts';
import { CallPanel } from '../../calls/lazy-call-panel.ts';
import { isSchema } from '../../calls/schema.ts';
import { Button } from '../../design/button.tsx';
import { Empty, Notice, Problem, Skeleton } from '../../design/states.tsx';
import { ToolLabel, Untrusted } from '../../design/untrusted.tsx';
import { t } from '../../text/en.ts';
import styles from './connectors.module.css';
import { useConnectAccount } from './use-connect-account.ts';

/** A list of the tools, as the tool server describes them to the reader. */
export function ToolList({ connector }: { readonly connector: Connector }) {
  const query = useQuery(toolsQuery(connector.id));
  const [called, setCalled] = useState<Tool>();
  if (hasCode(query.error, 'connection_required')) return <ConnectAccount connectorId={connector.id} />;
  if (query.error) return <Problem problem={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton height="chart" />;
  if (query.data.length === 0) return <Empty>{t.connectors.noTools}</Empty>;
  return (
    <>
      <p className={styles.lead}>
        {t.connectors.toolsOf(query.data.length)}
        {t.common.dot}
        {t.connectors.toolsText}
      </p>
      <ul className={styles.tools}>
        {query.data.map((tool) => (
          <OneTool key={tool.name} tool={tool} onCall={() => setCalled(tool)} />
        ))}
      </ul>
      <Suspense>
        {called && <CallPanel connector={connector} tool={called} onClose={() => setCalled(undefined)} />}
      </Suspense>
    </>
  );
}

function OneTool({ tool, onCall }: { readonly tool: Tool; onCall(): void }) {
  const readOnly = saysReadOnly(tool);
  const Icon = readOnly ? Eye : Pencil;
  return (
    <li className={styles.tool}>
      <div className={styles.toolWords}>
        <div className={styles.toolName}>
          <ToolLabel name={tool.name} />
          <span className={styles.hint}>
            <Icon aria-hidden size={14} />
            {readOnly ? t.connectors.readOnly : t.connectors.mayChange}
          </span>
        </div>
        <Arguments schema={tool.inputSchema} />
        {tool.description && <Untrusted from={t.untrusted.toolServer} text={tool.description} />}
      </div>
      <Button icon={Play} onClick={onCall}>
        {t.connectors.call}
      </Button>
    </li>
  );
}

/** Number of arguments that are named; the panel that calls the tool shows all. */
const NAMED = 12;

function Arguments({ schema }: { readonly schema: unknown }) {
  const names = isSchema(schema) && isSchema(schema.properties) ? Object.keys(schema.properties) : [];
  if (names.length === 0) return <p className="muted">{t.connectors.noArguments}</p>;
  return (
    <p className={styles.arguments}>
      <span className="muted">{t.connectors.arguments}</span>
      {names.slice(0, NAMED).map((name) => (
        <ToolLabel key={name} name={name} />
      ))}
      {names.length > NAMED && t.common.ellipsis}
    </p>
  );
}

function ConnectAccount({ connectorId }: { readonly connectorId: string }) {
  const connect = useConnectAccount(connectorId, { isReturning: true });
  return (
    <>
      <Notice title={t.connectors.connectAccount}>{t.connectors.connectText}</Notice>
      <p className={styles.lead}>
        <Button variant="primary" busy={connect.isPending} onClick={() => connect.mutate()}>
          {t.connectors.connectAccount}
        </Button>
      </p>
      {connect.error && <Problem problem={connect.error} />}
    </>
  );
}
