import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, hub, management } from '../../api/client.ts';
import { ApiProblem, hasCode } from '../../api/problem.ts';
import type { Connector, DoctorReport } from '../../api/types.ts';
import { useRight } from '../../session/session.tsx';

/** Pauses before each further attempt: the hub gets a new connector a moment after it was saved. */
const PAUSES_MS = [250, 500, 1000, 2000];

/**
 * Examines a connector with a delegation, as the reader. If the reader may change the connector, its status
 * is updated, too. A disabled connector is enabled for it, because the hub has only enabled ones.
 */
export function useExamination(connectorId: string, connector: Connector | undefined) {
  const client = useQueryClient();
  const { has: mayCheck } = useRight('connectors:write');
  const kept = useQuery<DoctorReport>({ queryKey: keyOf(connectorId), enabled: false });
  const run = useMutation({
    mutationKey: ['doctor', connectorId],
    mutationFn: async () => {
      if (connector?.enabled !== false) return examine(client, connectorId, mayCheck);
      await setEnabled(connectorId, true);
      return examineOrDisable(client, connectorId).catch(async (fault: unknown) => {
        await setEnabled(connectorId, false); // not examined: it stays as it was
        throw fault;
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['api'] }),
  });
  return { ...run, report: kept.data };
}

export type ExaminationState = ReturnType<typeof useExamination>;

/** Examines a connector, and keeps the report for the page of the connector. */
async function examine(client: QueryClient, connectorId: string, mayCheck: boolean): Promise<DoctorReport> {
  if (mayCheck) await check(connectorId);
  const report = await examineAtHub(connectorId);
  client.setQueryData(keyOf(connectorId), report);
  return report;
}

/** Examines an enabled connector, and disables it if it does not work, so that no user gets its errors. */
export async function examineOrDisable(client: QueryClient, connectorId: string): Promise<DoctorReport> {
  const report = await examine(client, connectorId, true);
  if (report.status === 'fail') await setEnabled(connectorId, false);
  return report;
}

const setEnabled = (connectorId: string, enabled: boolean): Promise<unknown> =>
  api.send(management(`/connectors/${connectorId}`), { method: 'PATCH', body: { enabled } });

const keyOf = (connectorId: string) => ['examination', connectorId] as const;

async function examineAtHub(connectorId: string, attempt = 0): Promise<DoctorReport> {
  try {
    const path = hub(`/connectors/${connectorId}/doctor`);
    return (await api.send<DoctorReport>(path, { method: 'POST', body: {} })).data;
  } catch (fault) {
    const pause = PAUSES_MS[attempt];
    if (pause === undefined || !hasCode(fault, 'connector_not_found')) throw fault;
    await new Promise((resolve) => setTimeout(resolve, pause));
    return examineAtHub(connectorId, attempt + 1);
  }
}

/** The management API keeps the outcome as the status. What is at fault, the examination says. */
const check = (connectorId: string): Promise<unknown> =>
  api.send(management(`/connectors/${connectorId}/check`), { method: 'POST' }).catch((fault: unknown) => {
    if (!(fault instanceof ApiProblem)) throw fault;
  });
