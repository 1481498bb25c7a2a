import type { GivenUp } from './legacy-sessions.ts';
import type { createMessageSender } from './send-message.ts';
import { endRequest } from './wire-message.ts';

/** Requests at the same time, where many sessions end at once */
const MAX_WORKERS = 50;

/** Ends sessions at their servers. Best effort: a server need not support it (405), and a credential may have expired. */
export function createSessionEnds({ aside }: Pick<ReturnType<typeof createMessageSender>, 'aside'>) {
  const waiting: GivenUp[] = [];
  const workers = new Set<Promise<void>>();

  async function work(): Promise<void> {
    for (let given = waiting.shift(); given; given = waiting.shift()) {
      const { url, owner, credential } = given.place;
      // For nobody's request: the one that is being answered here may be another user's.
      const target = { url, owner, credential, within: null, deadline: 0 };
      await aside(target, endRequest(credential, given.session));
    }
  }

  return {
    end(given: GivenUp): void {
      waiting.push(given);
      if (workers.size >= MAX_WORKERS) return;
      const worker = work().finally(() => workers.delete(worker));
      workers.add(worker);
    },
    /** Resolves when all are ended that were given up so far. */
    idle: async (): Promise<void> => void (await Promise.all(workers)),
  };
}
