import { createDeliver } from './deliver.ts';
import type { KeptEvents } from './kept-events.ts';
import { BATCH_SIZE } from './outbox.ts';
import type { PostEvents } from './post-events.ts';

export interface Replayed {
  /** Number of events that management-api accepted now; they are removed. */
  readonly taken: number;
  /** Number of events that management-api refused again; they are kept. */
  readonly refused: number;
  /** Number of events that no known key decrypts; they are kept. */
  readonly unreadable: number;
}

/**
 * Sends each kept audit event to management-api again. management-api does not store an event twice, so this may run
 * repeatedly, and while a hub runs.
 * @param deps.onRefused called for each event that is refused again
 * @throws {Error} management-api cannot be reached; undelivered events remain stored
 */
export async function replayKept(deps: {
  keptEvents: KeptEvents;
  post: PostEvents;
  onRefused: (event: string, faults: string) => void;
}): Promise<Replayed> {
  const { keptEvents, post, onRefused } = deps;
  let [taken, refused, unreadable] = [0, 0, 0];
  let after: string | undefined;
  for (;;) {
    const entries = await keptEvents.read(after, BATCH_SIZE);
    const last = entries.at(-1);
    if (last === undefined) return { taken, refused, unreadable };
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
    const opened = entries.flatMap(({ id, event }) => (event === undefined ? [] : { id, event }));
    await deliver(opened.map(({ event }) => event));
    const gone = opened.filter(({ event }) => !again.has(event)).map(({ id }) => id);
    await keptEvents.remove(gone);
    taken += gone.length;
    refused += opened.length - gone.length;
    unreadable += entries.length - opened.length;
  }
}
