import { isDeepStrictEqual } from 'node:util';
import type { AgentId } from '@legate/ids';
import type { Change } from '../../changes/change.ts';
import { problem } from '../../domain/problem-codes.ts';
import { type VersionCheck, withDefined } from '../../domain/stored.ts';
import { createLifeCycle } from '../resources/life-cycle.ts';
import type { CheckQuota } from '../resources/quota.ts';
import type { Agent, CreateAgent, UpdateAgent } from './agent.ts';
import type { AgentStore } from './store.ts';

/** Maximum number of sites that a refusal names; `GET /agents/{agent_id}/sites` lists all. */
const MAX_SITES_NAMED = 20;

const FIELDS = ['name', 'description', 'instructions', 'status', 'settings'] as const;

export type Agents = ReturnType<typeof createAgents>;

export function createAgents(deps: { store: AgentStore; checkQuota: CheckQuota; clock: () => Date }) {
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
    const sites = await store.sitesOf(change, id, MAX_SITES_NAMED);
    if (sites.length === 0) return;
    throw problem('agent_in_use', {
      detail: 'Sites use this agent. Remove the agent from them, or send force=true.',
      extensions: { sites },
    });
  }

  return {
    list: lifeCycle.list,
    find: lifeCycle.find,
    restore: lifeCycle.restore,
    purge: lifeCycle.purge,
    /** @throws {Problem} 409 `agent_in_use` if a site uses the agent, unless forced */
    remove: (change: Change, id: AgentId, check: VersionCheck, force: boolean) =>
      lifeCycle.remove(change, id, check, async () => {
        if (!force) await refuseUsed(change, id);
      }),
    /** Locks the agent for a change of its parts. */
    lock: async (change: Change, id: AgentId) => (await lifeCycle.lock(change, id)).value,
    create: (change: Change, wanted: CreateAgent) =>
      lifeCycle.create(change, (id) => store.create(change, id, wanted)),
    async update(change: Change, id: AgentId, check: VersionCheck, patch: (current: Agent) => UpdateAgent) {
      const before = await lifeCycle.lock(change, id, check);
      const wanted = withDefined(before.value, patch(before.value));
      if (isDeepStrictEqual(wanted, before.value)) return before;
      const after = await store.update(change, wanted);
      await lifeCycle.recordUpdate(change, before.value, after.value);
      return after;
    },
  };
}
