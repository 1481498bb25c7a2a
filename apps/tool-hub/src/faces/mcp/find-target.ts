import type { ListKind } from '@legate/mcp-client';
import type { AgentTask } from './agent-task.ts';
import type { AgentLists } from './lists.ts';
import type { Target } from './names.ts';

/** @throws {Problem} when a list is needed and cannot be read */
export type FindTarget = (task: AgentTask, kind: ListKind, name: unknown) => Promise<Target | undefined>;

/**
 * Finds the item that an agent's name refers to. A hashed name does not contain it, so it is looked up in the
 * connector's list.
 */
export function createFindTarget({ lists }: { lists: Pick<AgentLists, 'findName'> }): FindTarget {
  return async ({ caller, endpoint, request, presence }, kind, name) => {
    const target = typeof name === 'string' ? endpoint.naming.findByName(name) : undefined;
    if (!target?.isHashed) return target;
    const { era, agent } = request;
    const { extensions } = agent;
    const own = await lists.findName(target.connector, target.name, {
      caller,
      endpoint,
      kind,
      era,
      extensions,
      presence,
    });
    return own === undefined ? undefined : { ...target, name: own };
  };
}
