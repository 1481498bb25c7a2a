import type { OrganizationId } from '@legate/ids';
import { LRUCache } from 'lru-cache';

/** An audit event, with the fields that identify the user and rule of a refusal. */
export interface AnyEvent {
  readonly id: string;
  readonly organization_id: OrganizationId;
  readonly action: string;
  readonly occurred_at: string;
  readonly actor: { readonly id: string };
  readonly details: Readonly<Record<string, unknown>>;
}

/** Number of refusals recorded individually, so that the details of ordinary failures are kept. */
const RECORDED_ONE_BY_ONE = 10;
const WINDOW_MS = 60_000;
const MAX_WINDOWS = 10_000;

interface Window {
  readonly endsAtMs: number;
  recorded: number;
  counted: number;
  first: AnyEvent | undefined;
  last: AnyEvent | undefined;
}

/**
 * Prevents a flood of refusals from filling the trail. For one user in an organization and one rule, the first ten
 * refusals in a minute are separate events; the others become one event, which is the last of them with `count` and
 * `since` in its details.
 */
export function createRefusalDigest(deps: { clock: () => Date }) {
  let evicted: AnyEvent[] = [];
  const windows = new LRUCache<string, Window>({
    maxSize: MAX_WINDOWS,
    sizeCalculation: () => 1, // with `max` instead, memory for all entries would be allocated at once
    dispose: (window, _key, reason) => {
      if (reason === 'evict') evicted.push(...sumOf(window));
    },
  });
  const now = () => deps.clock().getTime();

  return {
    /** @returns the events to record now: the event itself, the combined event of a past minute, both, or none */
    take(event: AnyEvent): readonly AnyEvent[] {
      const key = JSON.stringify([
        event.organization_id,
        event.actor.id,
        event.details.user_id,
        event.details.leg,
        event.details.rule,
      ]);
      const known = windows.get(key);
      const isOver = known === undefined || known.endsAtMs <= now();
      const window = isOver
        ? { endsAtMs: now() + WINDOW_MS, recorded: 0, counted: 0, first: undefined, last: undefined }
        : known;
      if (isOver) windows.set(key, window);
      const before = known && isOver ? sumOf(known) : [];
      if (window.recorded < RECORDED_ONE_BY_ONE) {
        window.recorded += 1;
        return [...before, event];
      }
      window.counted += 1;
      window.first ??= event;
      window.last = event;
      return before;
    },
    /** @returns the combined events of past minutes; with `all`, also of the current minute */
    due(all?: 'all'): readonly AnyEvent[] {
      const sums = evicted;
      evicted = [];
      for (const [key, window] of windows.entries())
        if (all || window.endsAtMs <= now()) {
          sums.push(...sumOf(window));
          windows.delete(key);
        }
      return sums;
    },
  };
}

function sumOf({ counted, first, last }: Window): AnyEvent[] {
  if (!first || !last) return [];
  return [{ ...last, details: { ...last.details, count: counted, since: first.occurred_at } }];
}
