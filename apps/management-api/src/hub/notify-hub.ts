import { type RevocationRequest, revocationsUrl } from '@legate/management-contract';
import type { Revocation } from './revocation.ts';

/** A request that the hub did not confirm. The message is our own, since the hub's text could contain anything. */
export class HubFailure extends Error {
  override readonly name = 'HubFailure';
  constructor(
    /** True if a later attempt may succeed */
    readonly isOutage: boolean,
    detail: string,
    options?: { cause?: unknown },
  ) {
    super(detail, options);
  }
}

/**
 * Resolves when the hub has executed the revocation; may be repeated.
 * @throws {HubFailure}
 */
export type NotifyHub = (revocation: Revocation) => Promise<void>;

/**
 * Sends `POST /internal/v1/revocations` to the tool hub.
 * @param deps.fetchAsService sends our workload token, and limits time and size
 */
export function createNotifyHub(deps: {
  hubUrl: string;
  fetchAsService: (
    url: string,
    init: { method: string; headers: Record<string, string>; body: string },
  ) => Promise<Response>;
}): NotifyHub {
  return async ({ organizationId, connectorId, userId, agentId, reason }) => {
    const body: RevocationRequest = {
      organization_id: organizationId,
      connector_id: connectorId,
      user_id: userId,
      agent_id: agentId,
      reason,
    };
    const answer = await deps
      .fetchAsService(revocationsUrl(deps.hubUrl), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify(body),
      })
      .catch((cause: unknown) => {
        throw new HubFailure(true, 'the tool hub cannot be reached', { cause });
      });
    if (answer.status === 200) return;
    const isOutage = answer.status >= 500 || answer.status === 429;
    throw new HubFailure(isOutage, `the tool hub answered with status ${answer.status}`);
  };
}
