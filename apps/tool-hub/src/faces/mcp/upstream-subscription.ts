import { type ClientExtensions, type ListKind, NO_AGENT, SubscriptionFilter } from '@legate/mcp-client';
import { Problem } from '@legate/service';
import type { ListenAsCaller } from '../../calls/listen-as-caller.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import { Presence } from '../../domain/presence.ts';
import { toolServerProblem } from '../../refusals/tool-server-problems.ts';
import { CHANGING_LISTS, type ChangingList, listsIn, type Share } from './subscription.ts';

/** Outcome of the first attempt to open a stream */
export type Opened =
  | {
      readonly kind: 'acknowledged';
      readonly lists: readonly ChangingList[];
      readonly uris: readonly string[];
    }
  /** The tool server has no subscriptions, or none of the requested ones. */
  | { readonly kind: 'not_honoured' }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface UpstreamSubscription {
  readonly first: Promise<Opened>;
  /** Ends the stream and opens another one, because its token may be revoked. */
  renew(): void;
  close(): void;
}

/** Milliseconds until a lost stream is opened again, doubled after each stream that lasted only a short time */
const PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;

/**
 * A stream of notifications from one tool server, opened as the caller. A broken stream is opened again; then
 * everything that it reports counts as changed.
 * @param deps.timeoutMs for the acknowledgement
 */
export function openUpstreamSubscription(
  deps: { listen: ListenAsCaller; timeoutMs: number },
  place: { caller: Caller; connector: Connector; share: Share; extensions: ClientExtensions | undefined },
  notify: { listChanged(list: ChangingList): void; resourceUpdated(uri: string): void },
): UpstreamSubscription {
  const { caller, connector, share, extensions } = place;
  let presence = new Presence();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let pauseMs = PAUSE_MS;

  async function open(): Promise<Opened> {
    presence = new Presence();
    const own = presence;
    const since = performance.now();
    const events = {
      onListChanged: (kinds: readonly ListKind[]) => {
        for (const list of CHANGING_LISTS) if (kinds.includes(list)) notify.listChanged(list);
      },
      onResourceUpdated(uri: string) {
        const named = share.uris.get(uri);
        if (named !== undefined) notify.resourceUpdated(named);
      },
      onEnd() {
        if (performance.now() - since >= MAX_PAUSE_MS) pauseMs = PAUSE_MS;
        openLater();
      },
    };
    const request = {
      method: 'subscriptions/listen',
      params: JSON.stringify({ notifications: share.filter }),
      agent: { ...NO_AGENT, extensions },
    } as const;
    try {
      const options = { deadline: performance.now() + deps.timeoutMs, presence: own };
      const { answer } = await deps.listen(caller, connector, request, events, options);
      if (answer.kind === 'unavailable') {
        openLater();
        return { kind: 'failed', error: toolServerProblem(answer, connector) };
      }
      const opened = acknowledgedIn(answer.kind === 'result' ? answer.result : {}, share);
      if (opened.kind === 'not_honoured') own.leave();
      return opened;
    } catch (error) {
      if (error instanceof Problem && error.status >= 500) openLater();
      return { kind: 'failed', error };
    }
  }

  function openLater(delayMs = pauseMs): void {
    if (isClosed) return;
    clearTimeout(timer);
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    timer = setTimeout(async () => {
      const opened = await open();
      if (isClosed) presence.leave();
      else if (opened.kind === 'acknowledged') {
        for (const list of opened.lists) notify.listChanged(list);
        for (const uri of opened.uris) notify.resourceUpdated(uri);
      }
    }, delayMs);
  }

  return {
    first: open(),
    renew() {
      presence.leave();
      openLater();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      presence.leave();
    },
  };
}

function acknowledgedIn(result: Readonly<Record<string, unknown>>, { filter, uris }: Share): Opened {
  const acknowledged = SubscriptionFilter.safeParse(result).data ?? {};
  const asked = listsIn(filter);
  const lists = listsIn(acknowledged).filter((list) => asked.includes(list));
  const own = (acknowledged.resourceSubscriptions ?? []).flatMap((uri) => uris.get(uri) ?? []);
  return lists.length + own.length > 0
    ? { kind: 'acknowledged', lists, uris: own }
    : { kind: 'not_honoured' };
}
