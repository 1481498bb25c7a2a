import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OrganizationId } from '@legate/ids';
import { changesUrl, type OrganizationChanges } from '@legate/management-contract';
import { type Logger, runInRequest } from '@legate/service';
import type { FollowUp } from '../changes/change.ts';
import type { NewAuditEvent } from '../domain/audit-event.ts';
import { concernedBy } from './revocation.ts';

/** Pauses before further attempts. If the last one fails, the hub polls within 30 seconds anyway. */
const PAUSES_MS = [500, 1000];
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
  /** Returns work that ends when the hub has confirmed, or cannot be reached. */
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
  /** Organizations of which the hub does not know yet, with those who wait for it */
  const waiting = new Map<OrganizationId, Waiter>();
  let notifying: Promise<void> | undefined;
  /** True after a failed attempt: nobody waits for the next one. */
  let isFailing = false;

  /** @returns whether the hub has confirmed */
  async function isNoted(organizationIds: readonly OrganizationId[]): Promise<boolean> {
    const body: OrganizationChanges = { organization_ids: [...organizationIds] };
    try {
      const answer = await deps.fetchAsService(changesUrl(deps.hubUrl), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify(body),
      });
      await answer.body?.cancel();
      if (answer.status === 200) return true;
      log.info({ status: answer.status }, NOT_NOTED);
    } catch (err) {
      log.info({ err }, NOT_NOTED);
    }
    return false;
  }

  async function retry(organizationIds: readonly OrganizationId[]): Promise<void> {
    for (const ms of PAUSES_MS) {
      await pause(ms);
      isFailing = !(await isNoted(organizationIds));
      if (!isFailing) return;
    }
  }

  async function notifyAll(): Promise<void> {
    while (waiting.size > 0) {
      await nextTurn(); // changes that are saved together are sent together
      const batch = [...waiting].slice(0, MAX_ORGANIZATIONS);
      for (const [id] of batch) waiting.delete(id);
      const ids = batch.map(([id]) => id);
      isFailing = !(await isNoted(ids));
      for (const [, { done }] of isFailing ? [...batch, ...waiting] : batch) done(!isFailing);
      if (isFailing) await retry(ids);
    }
    isFailing = false; // the next change finds out anew
    notifying = undefined;
  }

  return {
    followUp: async (_connection, organizationId, event) => {
      if (!isNotified(event)) return undefined;
      return async () => {
        const waiter = waiting.get(organizationId) ?? createWaiter();
        waiting.set(organizationId, waiter);
        notifying ??= runInRequest(undefined, notifyAll); // no request: it serves all of them
        return isFailing ? false : await waiter.noted;
      };
    },
    async idle() {
      await notifying;
    },
  };
}

const NOT_NOTED =
  'changes: the hub was not notified; if it cannot be reached, it learns of them when it polls';

interface Waiter {
  readonly noted: Promise<boolean>;
  done(isNoted: boolean): void;
}

function createWaiter(): Waiter {
  let done: Waiter['done'] = () => {};
  const noted = new Promise<boolean>((resolve) => {
    done = resolve;
  });
  return { noted, done };
}
