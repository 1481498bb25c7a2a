import type { Deliver } from './delivery-loop.ts';
import type { PostEvents } from './post-events.ts';

/**
 * Called for an event that management-api refuses. It must neither block the other events nor be lost without notice.
 */
export type OnRefused = (event: string, faults: string) => void;

/** Delivers a batch; passes refused events to `onRefused` and delivers the rest. */
export function createDeliver(deps: {
  post: PostEvents;
  onDelivered: (count: number) => void;
  onRefused: OnRefused;
}): Deliver {
  const { post, onDelivered, onRefused } = deps;
  return async function deliver(events): Promise<void> {
    if (events.length === 0) return; // all events were trimmed meanwhile
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
    // The response does not name the refused event: bisection finds it in about ten requests.
    const middle = Math.ceil(events.length / 2);
    await deliver(events.slice(0, middle));
    await deliver(events.slice(middle));
  };
}
