import { isDeepStrictEqual } from 'node:util';
import { INVALID_REQUEST } from '@legate/mcp-client';
import { Problem } from '@legate/service';
import { decodeJwt } from 'jose';
import type { ListenAsCaller } from '../../calls/listen-as-caller.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import { reachName } from '../../domain/reach.ts';
import { fromProblem, RpcError } from '../../refusals/rpc-error.ts';
import type { AgentTask } from './agent-task.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';
import type { OpenStreams } from './open-streams.ts';
import { filterOf, readSubscription, type Subscription, shareOf } from './subscription.ts';
import { endOfSubscription, SubscriptionWriter } from './subscription-writer.ts';
import { type Opened, openUpstreamSubscription, type UpstreamSubscription } from './upstream-subscription.ts';
import { within } from './within.ts';

/** Maximum tool servers that one stream listens to. An agent with more is notified only of the hub's own changes. */
const MAX_UPSTREAMS = 25;
const MAX_STREAM_MS = 3_600_000;

interface Upstream extends UpstreamSubscription {
  readonly connector: Connector;
}

/**
 * Answers `subscriptions/listen` with one stream for the agent, and one upstream for each tool server concerned. At
 * `/mcp` the hub also notifies the agent when the caller's connectors or bindings have changed.
 * @param deps.timeoutMs for the acknowledgements of the tool servers
 * @returns a function that answers a task once its stream has ended
 */
export function createAnswerListen(deps: {
  listen: ListenAsCaller;
  streams: Pick<OpenStreams, 'add'>;
  timeoutMs: number;
  clock: () => Date;
}): (task: AgentTask) => Promise<string> {
  return async (task) => {
    const { request, stream, presence } = task;
    const wanted = readSubscription(request.params.notifications);
    if (!stream.isAccepted)
      throw new RpcError(INVALID_REQUEST, `${request.method} needs Accept: text/event-stream`, {
        status: 406,
      });
    const writer = new SubscriptionWriter(request.id, stream.write);
    const open = new AgentSubscription(deps, task, wanted, writer);
    const remove = deps.streams.add(open);
    const lifetime = setTimeout(() => open.end(), lifetimeOf(task.caller, deps.clock()));
    const onLeave = () => open.end();
    presence.onLeave(onLeave);
    if (presence.hasLeft) open.end();
    try {
      await open.start();
      await open.ended;
      return endOfSubscription(request.id);
    } finally {
      clearTimeout(lifetime);
      presence.offLeave(onLeave);
      remove();
      open.close();
    }
  };
}

/** A stream ends when its sign-in ends. The agent connects again with a newer one. */
function lifetimeOf({ subjectToken }: Caller, now: Date): number {
  const { exp = 0 } = decodeJwt(subjectToken);
  return Math.min(MAX_STREAM_MS, Math.max(0, exp * 1000 - now.getTime()));
}

class AgentSubscription {
  readonly ended: Promise<void>;
  readonly organizationId: Caller['organizationId'];
  #end: () => void = () => undefined;
  #fail: (err: unknown) => void = () => undefined;
  #endpoint: McpEndpoint;
  readonly #upstreams = new Map<string, Upstream>();
  #isClosed = false;
  #recheck: 'idle' | 'running' | 'again' = 'idle';

  constructor(
    private readonly deps: { listen: ListenAsCaller; timeoutMs: number },
    private readonly task: AgentTask,
    private readonly wanted: Subscription,
    private readonly writer: SubscriptionWriter,
  ) {
    this.organizationId = task.caller.organizationId;
    this.#endpoint = task.endpoint;
    this.ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    this.ended.catch(() => undefined); // the promise may reject before anyone awaits it
  }

  /**
   * Opens the streams upstream, and acknowledges what tool servers honour. @throws {Problem} if no stream can be opened
   */
  async start(): Promise<void> {
    const { isSingle } = this.#endpoint;
    this.#adopt(this.#endpoint);
    const opened = await Promise.all(
      [...this.#upstreams.values()].map(({ first, connector }) =>
        within(this.deps.timeoutMs, first, connector).catch((error: unknown): Opened => {
          return { kind: 'failed', error };
        }),
      ),
    );
    this.#throwIfNoneMayBeAsked(opened);
    const honoured = opened.flatMap((each) => (each.kind === 'acknowledged' ? [each] : []));
    const lists = isSingle ? honoured.flatMap((each) => each.lists) : this.wanted.lists;
    const acknowledged = { lists, uris: honoured.flatMap(({ uris }) => uris) };
    this.writer.acknowledge(filterOf(acknowledged));
    if (acknowledged.lists.length + acknowledged.uris.length === 0) this.end();
  }

  end(): void {
    this.#end();
  }

  close(): void {
    this.#isClosed = true;
    this.writer.close();
    for (const upstream of this.#upstreams.values()) upstream.close();
  }

  onEnded(name: string): void {
    const { organizationId } = this;
    for (const upstream of this.#upstreams.values())
      if (reachName({ organizationId, connectorId: upstream.connector.id }) === name) upstream.renew();
  }

  recheck(): void {
    if (this.#recheck !== 'idle') this.#recheck = 'again';
    else void this.#lookAgain();
  }

  async #lookAgain(): Promise<void> {
    do {
      this.#recheck = 'running';
      try {
        const endpoint = await this.task.lookAgain();
        if (!this.#isClosed) this.#change(endpoint);
      } catch (err) {
        // While the connectors are unavailable, they count as unchanged.
        if (!(err instanceof Problem && err.status === 503)) this.#fail(err);
      }
    } while (this.#wasAskedAgain());
    this.#recheck = 'idle';
  }

  #wasAskedAgain = (): boolean => this.#recheck === 'again' && !this.#isClosed;

  #change(endpoint: McpEndpoint): void {
    const { connectors, faults } = this.#endpoint;
    // Connectors that were read again are new objects, even if nothing has changed.
    if (isDeepStrictEqual([connectors, faults], [endpoint.connectors, endpoint.faults])) return;
    this.#adopt(endpoint);
    for (const list of this.wanted.lists) this.writer.listChanged(list);
  }

  /** Listens to exactly these connectors. */
  #adopt(endpoint: McpEndpoint): void {
    this.#endpoint = endpoint;
    const { connectors } = endpoint;
    for (const [id, upstream] of this.#upstreams) {
      if (isDeepStrictEqual(connectors.get(id), upstream.connector)) continue;
      upstream.close();
      this.#upstreams.delete(id);
    }
    for (const id of [...connectors.keys()].sort()) {
      const connector = connectors.get(id);
      if (connector && !this.#upstreams.has(id)) this.#open(connector);
    }
  }

  #open(connector: Connector): void {
    const share = shareOf(this.wanted, connector, this.#endpoint);
    if (!share || this.#upstreams.size === MAX_UPSTREAMS) return;
    const { caller, request } = this.task;
    const place = { caller, connector, share, extensions: request.agent.extensions };
    const upstream = openUpstreamSubscription(this.deps, place, this.writer);
    this.#upstreams.set(connector.id, { ...upstream, connector });
  }

  /**
   * Throws if no tool server could be asked. At `/mcp`, where the hub has changes of its own, throws only if all need a
   * sign-in.
   */
  #throwIfNoneMayBeAsked(opened: readonly Opened[]): void {
    const errors = opened.flatMap((each) => (each.kind === 'failed' ? [each.error] : []));
    const [first] = errors;
    if (first === undefined || errors.length < opened.length) return;
    if (errors.every((err) => err instanceof Problem && err.status === 401)) throw first;
    if (this.#endpoint.isSingle) throw first instanceof Problem ? fromProblem(first) : first;
  }
}
