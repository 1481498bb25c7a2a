import type { Operation } from '../../http/api/operation.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CheckQuota } from '../resources/quota.ts';
import { resourceOperations } from '../resources/resource-operations.ts';
import { Agent, AgentSummary, CreateAgent, DeleteAgent, ListAgents, UpdateAgent } from './agent.ts';
import { type Agents, createAgents } from './service.ts';
import { createAgentStore } from './store.ts';

export function openAgents(
  { tenants, clock }: Platform,
  checkQuota: CheckQuota,
): { readonly agents: Agents; readonly operations: Operation[] } {
  const agents = createAgents({ store: createAgentStore(tenants), checkQuota, clock });
  return { agents, operations: agentOperations(agents) };
}

const agentOperations = (agents: Agents): Operation[] =>
  resourceOperations({
    noun: ['Agent', 'Agents'],
    path: '/agents',
    idParameter: 'agent_id',
    tag: 'Agents',
    read: 'agents:read',
    write: 'agents:write',
    item: Agent,
    listed: AgentSummary,
    list: ListAgents,
    create: CreateAgent,
    update: UpdateAgent,
    remove: DeleteAgent,
    service: {
      ...agents,
      remove: (change, id, check, { force }) => agents.remove(change, id, check, force),
    },
    descriptions: {
      list: 'Items have no `instructions`; `GET /agents/{agent_id}` returns them.',
      remove:
        'Refused while sites use the agent, unless `force=true`. It can be restored, with its links to sites, for 30 days.',
    },
    problems: {
      create: { 409: ['quota_exceeded'] },
      remove: { 409: ['agent_in_use'] },
    },
  });
