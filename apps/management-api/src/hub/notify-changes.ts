import type { OrganizationId } from '@legate/ids';
import { changesUrl, type OrganizationChanges } from '@legate/management-contract';
import { type Logger, runInRequest } from '@legate/service';
import type { FollowUp } from '../changes/change.ts';
import type { NewAuditEvent } from '../domain/audit-event.ts';
import { concernedBy } from './revocation.ts';

/** Changes of an organization within this time lead to a single notification. */
const COALESCE_MS = 250;
/** Pauses before the attempts. If the last attempt fails, the hub polls within 30 seconds anyway. */
const PAUSES_MS = [0, 500, 1000];
const MAX_ORGANIZATIONS = 100;

/** Actions that change the hub's document of an organization and revoke nothing */
const NOTIFIED_ACTIONS = new Set([
  'agent.client_added',
  'agent.created',
  'agent.restored',
  'connector.created',
  'connector.restored',
  'connector.updated',
  'member.joined',
  'member.reinstated',
  'member.role_synced',
  'member.updated',
  'organization.consent_denied',
  'organization.consent_given',
  'organization.created',
  'organization.updated',
]);

export const isNotified = (event: NewAuditEvent): boolean =>
  NOTIFIED_ACTIONS.has(event.action) && concernedBy(event) === undefined;

/** Notifies the hub, after each change, to reload the organization. Delivery is not guaranteed. */
export interface NotifyChanges {
  readonly followUp: FollowUp;
  /** Resolves when no notification is running. */
  idle(): Promise<void>;
}

/**
 * @param deps.fetchAsService sends our workload token, and limits time and size
 * @param deps.pause resolves after the given number of milliseconds
 */
export function createNotifyChanges(deps: {
  hubUrl: string;
  fetchAsService: (
    url: string,
    init: { method: string; headers: Record<string, string>; body: string },
  ) => Promise<Response>;
  pause: (ms: number) => Promise<unknown>;
  log: Logger;
}): NotifyChanges {
  const { pause, log } = deps;
  const waiting = new Set<OrganizationId>();
  let notifying: Promise<void> | undefined;

  async function send(organizationIds: readonly OrganizationId[]): Promise<void> {
    const body: OrganizationChanges = { organization_ids: [...organizationIds] };
    const answer = await deps.fetchAsService(changesUrl(deps.hubUrl), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.body?.cancel();
    if (answer.status !== 200) throw new Error(`the tool hub answered with status ${answer.status}`);
  }

  async function sendUntilNoted(organizationIds: readonly OrganizationId[]): Promise<void> {
    for (const [index, ms] of PAUSES_MS.entries()) {
      if (ms > 0) await pause(ms);
      try {
        return await send(organizationIds);
      } catch (err) {
        if (index === PAUSES_MS.length - 1)
          log.info({ err }, 'changes: the hub was not notified, and learns of them when it polls');
      }
    }
  }

  async function notifyAll(): Promise<void> {
    while (waiting.size > 0) {
      await pause(COALESCE_MS);
      const batch = [...waiting].slice(0, MAX_ORGANIZATIONS);
      for (const id of batch) waiting.delete(id);
      await sendUntilNoted(batch);
    }
    notifying = undefined;
  }

  return {
    followUp: async (_connection, organizationId, event) => {
      if (!isNotified(event)) return undefined;
      return () => {
        waiting.add(organizationId);
        notifying ??= runInRequest(undefined, notifyAll); // no request: it serves all of them
      };
    },
    async idle() {
      await notifying;
    },
  };
}
