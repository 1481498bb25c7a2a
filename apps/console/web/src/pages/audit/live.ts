import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { pollingInterval } from '../../api/rate.ts';
import type { AuditEvent } from '../../api/types.ts';
import { PAUSE_EVENT } from '../../keyboard/use-keys.ts';
import { eventsQuery, fetchFresh } from './queries.ts';
import type { AuditSearch } from './search.ts';

export interface Live {
  readonly paused: boolean;
  /** Number of new events that are not shown yet */
  readonly waiting: number;
  readonly seconds: number | undefined;
  toggle(): void;
  show(): void;
}

/** How far the reader may have scrolled for new rows to appear at once. */
const AT_TOP_PX = 80;

/**
 * Follows the list: requests the events that were recorded after its newest event. New rows appear while the
 * reader is at the top; otherwise they wait, and nothing moves. Requests nothing while paused, in a hidden
 * tab, or while the quota is low.
 * @param shown events of the list, newest first; undefined if it is not live, or not loaded
 * @param isHeld true while the reader has something open, such as a panel
 */
export function useLive(
  search: AuditSearch,
  shown: readonly AuditEvent[] | undefined,
  isHeld: boolean,
): Live {
  const client = useQueryClient();
  const isOn = shown !== undefined;
  const newest = shown?.[0]?.id;
  const [paused, setPaused] = useState(false);
  const [waiting, setWaiting] = useState<readonly AuditEvent[]>([]);
  const key = JSON.stringify(eventsQuery(search).queryKey);
  const latest = useRef({ search, isHeld });
  latest.current = { search, isHeld };

  const show = () => {
    setWaiting([]);
    void client.invalidateQueries({ queryKey: eventsQuery(search).queryKey, exact: true });
    window.scrollTo({ top: 0 });
  };

  useEffect(() => {
    const toggle = () => setPaused((now) => !now);
    document.addEventListener(PAUSE_EVENT, toggle);
    return () => document.removeEventListener(PAUSE_EVENT, toggle);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a different list has no waiting events
  useEffect(() => setWaiting([]), [key, newest]);

  useEffect(() => {
    if (paused || !isOn) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const plan = () => {
      timer = setTimeout(tick, pollingInterval(api.rate()) || 60_000);
    };
    const read = async (after: string) =>
      (await fetchFresh(latest.current.search, after, controller.signal).catch(() => undefined))?.data ?? [];
    async function tick(): Promise<void> {
      if (document.visibilityState === 'visible' && pollingInterval(api.rate()) !== false) {
        const fresh = newest === undefined ? [] : await read(newest);
        if (controller.signal.aborted) return;
        // An empty list cannot move under the reader, so it is read again.
        const isDue = fresh.length > 0 && !latest.current.isHeld && window.scrollY < AT_TOP_PX;
        if (isDue || newest === undefined)
          await client.invalidateQueries({ queryKey: JSON.parse(key), exact: true });
        else setWaiting(fresh);
      }
      if (!controller.signal.aborted) plan();
    }
    plan();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [paused, isOn, newest, key, client]);

  const interval = pollingInterval(api.rate());
  return {
    paused,
    waiting: waiting.length,
    seconds: interval === false ? undefined : interval / 1000,
    toggle: () => setPaused((now) => !now),
    show,
  };
}
