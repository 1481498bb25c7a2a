import { isDeepStrictEqual } from 'node:util';
import type { AgentId } from '@legate/ids';
import type { Change } from '../changes/change.ts';
import { problem } from '../domain/problem-codes.ts';
import type { VersionCheck } from '../domain/stored.ts';
import { createLifeCycle, type ResourceService, withDefined } from '../resources/life-cycle.ts';
import type { CheckQuota } from '../resources/quota.ts';
import type { Agent, AgentSummary, CreateAgent, ListAgents, UpdateAgent } from './agent.ts';
import type { AgentStore } from './store.ts';

const FIELDS = ['name', 'description', 'instructions', 'status', 'settings'] as const;

export interface Agents extends ResourceService<Agent, ListAgents, CreateAgent, UpdateAgent, AgentSummary> {
  /** @throws {Problem} 409 `agent_in_use` where a site uses it, unless forced */
  remove(change: Change, id: AgentId, check: VersionCheck, force: boolean): Promise<void>;
}

export function createAgents(deps: { store: AgentStore; checkQuota: CheckQuota; clock: () => Date }): Agents {
  const { store, checkQuota, clock } = deps;
  const lifeCycle = createLifeCycle({
    store,
    checkQuota,
    clock,
    type: 'agent',
    idPrefix: 'agt',
    fields: FIELDS,
  });

  async function refuseUsed(change: Change, id: AgentId): Promise<void> {
    if (!(await store.isUsed(change, id))) return;
    throw problem('agent_in_use', {
      detail: 'Sites use this agent. Remove it from them, or send force=true.',
    });
  }

  return {
    list: lifeCycle.list,
    find: lifeCycle.find,
    restore: lifeCycle.restore,
    remove: (change, id, check, force) =>
      lifeCycle.remove(change, id, check, async () => {
        if (!force) await refuseUsed(change, id);
      }),
    lock: async (change, id) => (await lifeCycle.lock(change, id)).value,
    create: (change, wanted) => lifeCycle.create(change, (id) => store.create(change, id, wanted)),
    async update(change, id, check, patch) {
      const before = await lifeCycle.lock(change, id, check);
      const wanted = withDefined(before.value, patch(before.value));
      if (isDeepStrictEqual(wanted, before.value)) return before;
      const after = await store.update(change, wanted);
      await lifeCycle.recordUpdate(change, before.value, after.value);
      return after;
    },
  };
}
