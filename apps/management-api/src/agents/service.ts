import { isDeepStrictEqual } from 'node:util';
import { type Page, toPage } from '@legate/pagination';
import { notFound, Problem } from '@legate/service';
import { ulid } from 'ulid';
import { isId } from '../api/id.ts';
import type { VersionCheck } from '../api/preconditions.ts';
import type { Stored } from '../api/stored.ts';
import { changesBetween, type FieldChanges } from '../audit/audit-event.ts';
import type { Change } from '../changes/change.ts';
import type { Agent, CreateAgent, ListAgents, UpdateAgent } from './agent.ts';
import type { AgentStore } from './store.ts';

const RESTORABLE_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;
const FIELDS = ['name', 'description', 'instructions', 'status', 'identity_mode', 'settings'] as const;

/** As `Sites`: 404 also for what belongs to another organization. */
export interface Agents {
  list(organizationId: string, query: ListAgents): Promise<Page<Agent>>;
  find(organizationId: string, id: string): Promise<Stored<Agent>>;
  create(change: Change, agent: CreateAgent): Promise<Stored<Agent>>;
  /** For a change of what belongs to the agent. */
  lock(change: Change, id: string): Promise<Agent>;
  update(
    change: Change,
    id: string,
    check: VersionCheck,
    patch: (current: Agent) => UpdateAgent,
  ): Promise<Stored<Agent>>;
  /**
   * For 30 days it can be restored, with its sites.
   * @throws {Problem} 409 `agent_in_use` where a site uses it, unless forced
   */
  remove(change: Change, id: string, check: VersionCheck, force: boolean): Promise<void>;
  restore(change: Change, id: string): Promise<Stored<Agent>>;
}

export function createAgents(deps: { store: AgentStore; clock: () => Date }): Agents {
  const { store, clock } = deps;

  async function lock({ connection, organizationId }: Change, id: string): Promise<Stored<Agent>> {
    return existing(isId(id) && (await store.lock(connection, organizationId, id)));
  }

  const record = (change: Change, what: string, { id, name }: Agent, changes?: FieldChanges) =>
    change.record({
      action: `agent.${what}`,
      targets: [{ type: 'agent', id, name }],
      ...(changes && { changes }),
    });

  return {
    lock: async (change, id) => (await lock(change, id)).value,
    async list(organizationId, query) {
      const { agents, total } = await store.list(organizationId, query);
      return toPage(agents, total, query);
    },
    async find(organizationId, id) {
      return existing(isId(id) && (await store.find(organizationId, id)));
    },
    async create(change, wanted) {
      const id = `agt_${ulid(clock().getTime())}`;
      const created = await store.create(change.connection, change.organizationId, id, wanted);
      await record(change, 'created', created.value, changesBetween({}, created.value, FIELDS));
      return created;
    },
    async update(change, id, check, patch) {
      const before = await lock(change, id);
      check(before.version);
      const wanted = withDefined(before.value, patch(before.value));
      if (isDeepStrictEqual(wanted, before.value)) return before;
      const after = await store.update(change.connection, change.organizationId, wanted);
      await record(change, 'updated', after.value, changesBetween(before.value, after.value, FIELDS));
      return after;
    },
    async remove(change, id, check, force) {
      const { connection, organizationId } = change;
      const { value: agent, version } = await lock(change, id);
      check(version);
      if (!force && (await store.isUsed(connection, organizationId, id))) {
        throw new Problem(409, 'agent_in_use', 'Agent in use', {
          detail: 'Sites use this agent. Remove it from them, or send force=true.',
        });
      }
      await store.setDeleted(connection, organizationId, id, clock());
      await record(change, 'deleted', agent);
    },
    async restore(change, id) {
      const { connection, organizationId } = change;
      const since = new Date(clock().getTime() - RESTORABLE_DAYS * DAY_MS);
      const found = isId(id) && (await store.lockRestorable(connection, organizationId, id, since));
      if (!existing(found).deleted) return lock(change, id);
      const restored = await store.setDeleted(connection, organizationId, id, null);
      await record(change, 'restored', restored.value);
      return restored;
    },
  };
}

function withDefined(agent: Agent, patch: UpdateAgent): Agent {
  const defined = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...agent, ...Object.fromEntries(defined) };
}

/** @throws {Problem} 404 */
export function existing<Thing>(found: Thing | undefined | false): Thing {
  if (!found) throw notFound('There is no such agent.');
  return found;
}
