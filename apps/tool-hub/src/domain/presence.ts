import type { ServerResponse } from 'node:http';
import type { Problem } from '@legate/service';

/**
 * Shows whether a caller still waits for the response. An AbortSignal would cost twenty times as much (docs/performance.md).
 */
export class Presence {
  readonly #listeners = new Set<() => void>();
  #hasLeft = false;
  #cutBy: Problem | undefined;

  /**
   * Returns the presence of the caller who waits for this response: they leave when the connection breaks before it is
   * complete.
   */
  static of(res: ServerResponse): Presence {
    const presence = new Presence();
    // The caller may have left during authentication and authorization, in which case no `close` event follows.
    if (res.destroyed) presence.leave();
    res.on('close', () => {
      if (!res.writableFinished) presence.leave();
    });
    return presence;
  }

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** The reason why the caller gets no result although they still wait */
  get cutBy(): Problem | undefined {
    return this.#cutBy;
  }

  onLeave(listener: () => void): void {
    this.#listeners.add(listener);
  }

  offLeave(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** Cancels the caller's request, with a reason for the caller. */
  cut(why: Problem): void {
    if (this.#hasLeft) return;
    this.#cutBy = why;
    this.leave();
  }

  /** Marks the caller as gone. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    for (const listener of this.#listeners) listener();
  }
}
