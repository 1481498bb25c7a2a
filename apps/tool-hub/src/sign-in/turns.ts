/** Lets one caller at a time work on a key, in the order of their arrival. */
export type TakeTurn = (key: string, patienceMs: number) => Promise<Turn | undefined>;

export interface Turn {
  /** Lets the next caller work. */
  readonly end: () => void;
}

/** @returns a function that returns undefined once the caller's patience has ended */
export function createTurns(pause: (ms: number) => Promise<unknown>): TakeTurn {
  /** Resolves after the last caller that has arrived */
  const lasts = new Map<string, Promise<void>>();

  return async (key, patienceMs) => {
    const before = lasts.get(key);
    let end = (): void => undefined;
    const own = new Promise<void>((resolve) => (end = resolve));
    const last = Promise.all([before, own]).then(() => {
      if (lasts.get(key) === last) lasts.delete(key);
    });
    lasts.set(key, last);
    const isOurs = !before || (await Promise.race([before.then(() => true), pause(patienceMs)])) === true;
    if (isOurs) return { end };
    end();
    return undefined;
  };
}
