import { runInRequest } from '@legate/service/outbound';
import type { GivenUp } from './legacy-sessions.ts';
import type { createMessageSender } from './send-message.ts';
import { endRequest } from './wire-message.ts';

/** Maximum number of concurrent requests: of all, and to one server, which may not respond */
const MAX_REQUESTS = 50;
const MAX_PER_ORIGIN = 5;
const MAX_WAITING = 10_000;

interface End {
  readonly given: GivenUp;
  readonly origin: string;
}

/** Ends sessions at their servers. Best effort: a server need not support it (405), and a credential may have expired. */
export function createSessionEnds(deps: {
  aside: ReturnType<typeof createMessageSender>['aside'];
  /** Returns true for a session that must not be ended, because another one has the same id. */
  isInUse: (given: GivenUp) => boolean;
}) {
  const running = new Map<End, Promise<void>>();
  const waiting = new Set<End>();

  /** Returns the origins with the maximum number of running requests. */
  function busyOrigins(): ReadonlySet<string> {
    const counts = new Map<string, number>();
    for (const { origin } of running.keys()) counts.set(origin, (counts.get(origin) ?? 0) + 1);
    return new Set([...counts].flatMap(([origin, count]) => (count < MAX_PER_ORIGIN ? [] : [origin])));
  }

  function start(next: End): void {
    const sent = send(next.given).finally(() => {
      running.delete(next);
      startWaiting();
    });
    running.set(next, sent);
  }

  function startWaiting(): void {
    const busy = busyOrigins();
    for (const next of waiting) {
      if (busy.has(next.origin)) continue;
      waiting.delete(next);
      start(next);
      return;
    }
  }

  async function send(given: GivenUp): Promise<void> {
    if (deps.isInUse(given)) return;
    const { url, owner, credential } = given.place;
    const target = { url, owner, credential, deadline: 0 };
    // Runs outside of any request, since the current one may be another user's.
    await runInRequest(undefined, () => deps.aside(target, endRequest(credential, given.session)));
  }

  return {
    end(given: GivenUp): void {
      const next = { given, origin: new URL(given.place.url).origin };
      if (running.size < MAX_REQUESTS && !busyOrigins().has(next.origin)) start(next);
      else waiting.add(next);
      const [oldest] = waiting;
      if (waiting.size > MAX_WAITING && oldest) waiting.delete(oldest);
    },
    /** Resolves when all sessions that were given up so far have ended. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
