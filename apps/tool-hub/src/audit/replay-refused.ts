import { createDeliver } from './deliver.ts';
import { BATCH_SIZE } from './outbox.ts';
import type { PostEvents } from './post-events.ts';
import type { RefusedEvents } from './refused-events.ts';

export interface Replayed {
  /** Events that management-api has taken now; they are removed. */
  readonly taken: number;
  /** Events that it refuses again; they stay. */
  readonly refused: number;
}

/**
 * Sends each refused audit event to management-api once more. An event that it has already is not recorded twice, so
 * this may run again, and beside a hub.
 * @param deps.onRefused told of each event that is refused again
 * @throws {Error} management-api cannot be reached; what it has not taken is still there
 */
export async function replayRefused(deps: {
  refusedEvents: Pick<RefusedEvents, 'read' | 'remove'>;
  post: PostEvents;
  onRefused: (event: string, faults: string) => void;
}): Promise<Replayed> {
  const { refusedEvents, post, onRefused } = deps;
  let [taken, refused] = [0, 0];
  let after: string | undefined;
  for (;;) {
    const entries = await refusedEvents.read(after, BATCH_SIZE);
    const last = entries.at(-1);
    if (last === undefined) return { taken, refused };
    after = last.id;
    const again = new Set<string>();
    const deliver = createDeliver({
      post,
      onDelivered: () => undefined,
      onRefused(event, faults) {
        again.add(event);
        onRefused(event, faults);
      },
    });
    await deliver(entries.map(({ event }) => event));
    const gone = entries.filter(({ event }) => !again.has(event)).map(({ id }) => id);
    await refusedEvents.remove(gone);
    taken += gone.length;
    refused += entries.length - gone.length;
  }
}
