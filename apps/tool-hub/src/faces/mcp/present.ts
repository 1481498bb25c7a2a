import {
  type ClientExtensions,
  membersOf,
  NO_AGENT,
  toClientExtensions,
  writeObject,
} from '@legate/mcp-client';
import { type Logger, Problem } from '@legate/service';
import type { SendAsCaller } from '../../calls/call-tool.ts';
import type { Connector } from '../../domain/connector.ts';
import { problem } from '../../domain/problem-codes.ts';
import { isServed } from '../../domain/served.ts';
import { toolServerProblem } from '../../refusals/tool-server-problems.ts';
import type { AgentRequest } from './agent-request.ts';
import type { AgentTask } from './agent-task.ts';
import type { ListMemory } from './list-memory.ts';
import { readDescription, type ServerDescription } from './server-description.ts';
import { MAX_TTL_MS, type Presentation, presentFailure, presentHub, presentServer } from './server-info.ts';
import { within } from './within.ts';

/** Maximum bytes of extensions; an agent with more connects as one without extensions */
const MAX_EXTENSIONS_BYTES = 4096;

/**
 * Returns the description of the server at a URL: at `/mcp/{connector_id}` that of the tool server, requested as the
 * caller; at `/mcp` that of the hub. If a tool server cannot be asked, an agent can connect all the same.
 * @param deps.timeoutMs for the tool server
 */
export function createPresent(deps: {
  send: SendAsCaller;
  memory: Pick<ListMemory, 'find' | 'keep'>;
  timeoutMs: number;
  clock: () => Date;
  log: Logger;
}): (task: AgentTask) => Promise<Presentation> {
  const { send, memory, timeoutMs, clock, log } = deps;

  async function describe(
    { caller, request, presence }: AgentTask,
    connector: Connector,
  ): Promise<Described> {
    const extensions = extensionsOf(request);
    const place = { caller, connector, kind: 'description', extensions } as const;
    const agent = { ...NO_AGENT, extensions };
    const deadline = performance.now() + timeoutMs;
    const served = await send(
      caller,
      connector,
      { method: 'server/discover', params: '{}', agent },
      {
        deadline,
        presence,
        recall: (granted) => {
          const kept = memory.find(place, granted);
          return kept?.description && { description: kept.description, freshUntilMs: kept.freshUntilMs };
        },
      },
    );
    if (!isServed(served)) return served;
    const { answer, credential } = served;
    if (answer.kind !== 'result') throw toolServerProblem(answer, connector);
    const description = readDescription(answer);
    const freshUntilMs = clock().getTime() + ttlOf(answer.result);
    // Don't cache after a cancellation: the token may have been revoked.
    if (!presence.hasLeft) memory.keep(place, credential, { items: [], description, freshUntilMs });
    return { description, freshUntilMs };
  }

  return async (task) => {
    const [connector] = task.endpoint.connectors.values();
    if (!task.endpoint.isSingle || !connector) return presentHub(task.endpoint.connectors);
    try {
      const { description, freshUntilMs } = await within(timeoutMs, describe(task, connector), connector);
      const leftMs = freshUntilMs - clock().getTime();
      return presentServer(description, connector, Math.max(0, leftMs));
    } catch (err) {
      if (err instanceof Problem) return presentFailure(err);
      log.error({ err, connector_id: connector.id }, 'description failed');
      return presentFailure(problem('internal_error'));
    }
  };
}

interface Described {
  readonly description: ServerDescription;
  /** Epoch milliseconds */
  readonly freshUntilMs: number;
}

/** Returns the extensions; an agent of the older revisions declares them in this request itself. */
function extensionsOf({ era, agent, written }: AgentRequest): ClientExtensions | undefined {
  if (era === 'modern') return agent.extensions;
  const declared = toClientExtensions(membersOf(written.get('capabilities') ?? '').get('extensions'));
  if (!declared || Buffer.byteLength(writeObject(declared.members)) > MAX_EXTENSIONS_BYTES) return undefined;
  return declared;
}

/**
 * Returns the time in cache. A server of the older revisions declares none, and each request would begin another
 * session.
 */
const ttlOf = ({ protocolVersion, ttlMs }: Readonly<Record<string, unknown>>): number => {
  if (protocolVersion !== undefined) return MAX_TTL_MS;
  return typeof ttlMs === 'number' && ttlMs > 0 ? Math.min(Math.floor(ttlMs), MAX_TTL_MS) : 0;
};
