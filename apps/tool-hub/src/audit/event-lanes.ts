import type { CallSummary } from './call-record.ts';
import type { Lane, WaitingEvent } from './outbox.ts';
import { type AnyEvent, createRefusalDigest } from './refusal-digest.ts';

/** An event, prepared for the outbox */
interface Sorted {
  readonly waiting: readonly WaitingEvent[];
  /** True if the event itself is not sent, only counted in another one. */
  readonly isCounted: boolean;
}

/**
 * Sorts events into the lanes of the outbox. Events of executed calls are sent individually; of many similar refusals
 * only the first ones are, and then their count.
 * @param deps.onCounted called with the number of refusals that are only counted in another event
 */
export function createEventLanes(deps: {
  clock: () => Date;
  onCounted: ((count: number) => void) | undefined;
}) {
  const digest = createRefusalDigest({ clock: deps.clock });

  return {
    /** @param json the event as JSON */
    sort(event: AnyEvent, json: string, call?: CallSummary): Sorted {
      if (laneOf(event, call) === 'done') {
        return { waiting: [waitingOf(event, 'done', json, call)], isCounted: false };
      }
      call?.reservation?.release();
      const taken = digest.take(event);
      const isCounted = !taken.includes(event);
      if (isCounted) deps.onCounted?.(1);
      const waiting = taken.map((each) =>
        waitingOf(each, 'refusals', each === event ? json : JSON.stringify(each)),
      );
      return { waiting, isCounted };
    },
    /** Returns the combined refusals of past minutes; with `all`, also those of the current minute. */
    due: (all?: 'all'): WaitingEvent[] =>
      digest.due(all).map((event) => waitingOf(event, 'refusals', JSON.stringify(event))),
  };
}

/** Returns the lane of an event. A call that was sent to the tool server may have run there, whatever its outcome. */
const laneOf = ({ action }: AnyEvent, call?: CallSummary): Lane =>
  call?.wasSent || !/\.(?:denied|failed)$/.test(action) ? 'done' : 'refusals';

function waitingOf(event: AnyEvent, lane: Lane, json: string, call?: CallSummary): WaitingEvent {
  return { json, organizationId: event.organization_id, lane, reservation: call?.reservation };
}
