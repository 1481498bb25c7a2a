import type { Deliver } from './delivery-loop.ts';
import type { PostEvents } from './post-events.ts';

/** Takes an event that management-api does not: it must not hold up the others, nor be lost without a word. */
export type OnRefused = (event: string, faults: string) => void;

/** Delivers a batch; what is refused in it, alone or with others, is handed to `onRefused`, and the rest passes. */
export function createDeliver(deps: {
  post: PostEvents;
  onDelivered: (count: number) => void;
  onRefused: OnRefused;
}): Deliver {
  const { post, onDelivered, onRefused } = deps;
  return async function deliver(events): Promise<void> {
    if (events.length === 0) return; // all of it was trimmed away meanwhile
    const posted = await post(events);
    if (posted.kind === 'taken') {
      for (const { index, faults } of posted.refused) {
        const event = events[index];
        if (event !== undefined) onRefused(event, faults);
      }
      onDelivered(events.length - posted.refused.length);
      return;
    }
    const [first, ...others] = events;
    if (first === undefined || others.length === 0) {
      if (first !== undefined) onRefused(first, `status ${posted.status}`);
      return;
    }
    // Which one it is about is not said: it is found by halves, in some ten requests.
    const middle = Math.ceil(events.length / 2);
    await deliver(events.slice(0, middle));
    await deliver(events.slice(middle));
  };
}
