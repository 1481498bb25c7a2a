import type { Operation } from '../api/operation.ts';
import { resourceOperations } from '../resources/resource-operations.ts';
import { Agent, AgentSummary, CreateAgent, DeleteAgent, ListAgents, UpdateAgent } from './agent.ts';
import type { Agents } from './service.ts';

export const agentOperations = (agents: Agents): Operation[] =>
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
      list: 'Without `instructions`: `GET /agents/{agent_id}` has them.',
      remove:
        'Refused while sites use it, unless `force=true`. For 30 days it can be restored, with its sites.',
    },
    problems: {
      create: { 409: ['quota_exceeded'] },
      remove: { 409: ['agent_in_use'] },
    },
  });
