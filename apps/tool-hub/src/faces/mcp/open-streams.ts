import { AsyncResource } from 'node:async_hooks';
import type { OrganizationId } from '@legate/ids';
import { Gauge, type Registry } from '@legate/service';

/** A `subscriptions/listen` stream of an agent in this process. */
export interface OpenStream {
  readonly organizationId: OrganizationId;
  /** Checks for changes of the caller's connectors. */
  recheck(): void;
  /** Handles the end of something, by its `reachName`. */
  onEnded(name: string): void;
  /** Ends the stream with a result, because the process stops. */
  end(): void;
}

/** Interval at which each stream checks for changes of which this process was not notified */
const RECHECK_MS = 30_000;

export type OpenStreams = ReturnType<typeof createOpenStreams>;

/** All streams of agents in this process. */
export function createOpenStreams(deps: { metrics: Registry }) {
  const streams = new Set<OpenStream>();
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  new Gauge({
    name: 'listen_streams',
    help: 'Open subscriptions/listen streams of agents in this process',
    registers: [deps.metrics],
    collect() {
      this.set(streams.size);
    },
  });

  /** @param organizationId undefined: any organization may have changed */
  function wake(organizationId?: OrganizationId): void {
    for (const stream of streams)
      if (organizationId === undefined || stream.organizationId === organizationId) stream.recheck();
  }

  return {
    /**
     * @param opened runs in the context of the request that adds it, not of the one that announces a change
     * @returns a function to call when the stream has ended
     */
    add(opened: OpenStream): () => void {
      const stream = inOwnRequest(opened);
      streams.add(stream);
      timer ??= setInterval(() => wake(), RECHECK_MS).unref();
      if (isStopping) stream.end();
      return () => {
        streams.delete(stream);
        if (streams.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    wake,
    onEnded(name: string): void {
      for (const stream of streams) stream.onEnded(name);
    },
    /** Ends all streams with a result, including those that are opened from now on. */
    endAll(): void {
      isStopping = true;
      for (const stream of [...streams]) stream.end();
    },
  };
}

const inOwnRequest = (stream: OpenStream): OpenStream => ({
  organizationId: stream.organizationId,
  recheck: AsyncResource.bind(() => stream.recheck()),
  onEnded: AsyncResource.bind((name: string) => stream.onEnded(name)),
  end: AsyncResource.bind(() => stream.end()),
});

/** Returns a registry that also wakes the streams of organizations that have changed. */
export function wakingStreams<
  Changing extends {
    forget(organizationId: OrganizationId): void;
    recheckOne(organizationId: OrganizationId): void;
    recheck(): void;
  },
>(registry: Changing, streams: Pick<OpenStreams, 'wake'>): Changing {
  return {
    ...registry,
    forget(organizationId) {
      registry.forget(organizationId);
      streams.wake(organizationId);
    },
    recheckOne(organizationId) {
      registry.recheckOne(organizationId);
      streams.wake(organizationId);
    },
    recheck() {
      registry.recheck();
      streams.wake();
    },
  };
}
