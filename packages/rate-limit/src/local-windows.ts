export interface Counted {
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
}

/** Number of new windows after which expired ones are removed. */
const SWEEP_EVERY = 1000;

interface Window {
  consumed: number;
  /** Epoch milliseconds */
  endsAt: number;
}

export type LocalWindows = ReturnType<typeof createLocalWindows>;

/** Fixed windows in this process only; each begins with the first request of its key. */
export function createLocalWindows(options: { now: () => number; windowSeconds: number }) {
  const { now, windowSeconds } = options;
  const windows = new Map<string, Window>();
  let begun = 0;

  function running(key: string, nowMs: number): Window | undefined {
    const window = windows.get(key);
    return window && window.endsAt > nowMs ? window : undefined;
  }

  function begin(key: string, consumed: number, seconds: number, nowMs: number): Window {
    begun += 1;
    if (begun % SWEEP_EVERY === 0) {
      for (const [name, { endsAt }] of windows) if (endsAt <= nowMs) windows.delete(name);
    }
    const window = { consumed, endsAt: nowMs + seconds * 1000 };
    windows.set(key, window);
    return window;
  }

  const countedOf = ({ consumed, endsAt }: Window, nowMs: number): Counted => ({
    consumedPoints: consumed,
    msBeforeNext: endsAt - nowMs,
  });

  return {
    /** Counts one request. */
    consume(key: string): Counted {
      const nowMs = now();
      const window = running(key, nowMs) ?? begin(key, 0, windowSeconds, nowMs);
      window.consumed += 1;
      return countedOf(window, nowMs);
    },
    /** Takes back the count of one request. */
    giveBack(key: string): void {
      const window = running(key, now());
      if (window && window.consumed > 0) window.consumed -= 1;
    },
    /** Returns undefined if no window is running. */
    find(key: string): Counted | undefined {
      const nowMs = now();
      const window = running(key, nowMs);
      return window && countedOf(window, nowMs);
    },
    /** Begins a window with a given count. */
    set: (key: string, consumed: number, seconds: number) => void begin(key, consumed, seconds, now()),
  };
}
