import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { connectorsQuery, toolsQuery } from '../../api/queries.ts';
import type { Connector, Tool } from '../../api/types.ts';
import { firstTool } from '../../calls/first-tool.ts';
import { CallPanel } from '../../calls/lazy-call-panel.ts';
import { Button } from '../../design/button.tsx';
import { Problem } from '../../design/states.tsx';
import { t } from '../../text/en.ts';

/**
 * Opens the panel that calls a tool, with the first tool to try. If it cannot be found, the page of the
 * connector explains why: for example, an account must be connected first.
 */
export function CallButton() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [called, setCalled] = useState<{ readonly connector: Connector; readonly tool: Tool }>();
  const find = useMutation({
    mutationFn: async () => {
      const connector = await firstConnector(client);
      if (connector === undefined) return navigate({ to: '/connectors' });
      const tool = await client.fetchQuery(toolsQuery(connector.id)).then(firstTool, () => undefined);
      if (tool) return setCalled({ connector, tool });
      const params = { connectorId: connector.id };
      return navigate({ to: '/connectors/$connectorId', params, search: { tab: 'tools' } });
    },
  });
  return (
    <>
      <Button variant="primary" busy={find.isPending} onClick={() => find.mutate()}>
        {t.home.next.call}
      </Button>
      {find.error && <Problem problem={find.error} />}
      <Suspense>
        {called && (
          <CallPanel
            {...called}
            onClose={() => {
              setCalled(undefined);
              void client.invalidateQueries({ queryKey: ['api'] });
            }}
          />
        )}
      </Suspense>
    </>
  );
}

/** Returns the first connector that is ready, or one that was not examined: it may work, too. */
async function firstConnector(client: QueryClient): Promise<Connector | undefined> {
  for (const status of ['ready', 'pending']) {
    const query = connectorsQuery({ enabled: true, status, sort: 'name', limit: 1 });
    const [first] = (await client.fetchQuery(query)).data;
    if (first) return first;
  }
  return undefined;
}
