import type { Response } from 'express';

/** Whether a caller still waits for his answer. An AbortSignal says as much, at more than twice the price (docs/adr/0022). */
export interface Presence {
  readonly hasLeft: boolean;
  onLeave(listener: () => void): void;
  offLeave(listener: () => void): void;
}

export interface OwnPresence extends Presence {
  /** As if he had left */
  leave(): void;
}

/** Of whoever waits for this response: he leaves when his connection breaks before he has all of it. */
export function presenceOf(res: Response): OwnPresence {
  const listeners = new Set<() => void>();
  let hasLeft = false;

  function leave(): void {
    if (hasLeft) return;
    hasLeft = true;
    for (const listener of listeners) listener();
  }
  res.once('close', () => {
    if (!res.writableFinished) leave();
  });

  return {
    get hasLeft() {
      return hasLeft;
    },
    onLeave: (listener) => void listeners.add(listener),
    offLeave: (listener) => void listeners.delete(listener),
    leave,
  };
}
