import type { ServerResponse } from 'node:http';
import type { Problem } from '@legate/service';

/** Whether a caller still waits for his answer. An AbortSignal says as much, at twenty times the price (docs/adr/0022). */
export class Presence {
  readonly #listeners = new Set<() => void>();
  #hasLeft = false;
  #cutBy: Problem | undefined;

  /** Of whoever waits for this response: he leaves when his connection breaks before he has all of it. */
  static of(res: ServerResponse): Presence {
    const presence = new Presence();
    // While it was found out who he is, and what he may reach: then nobody is told any more.
    if (res.destroyed) presence.leave();
    res.once('close', () => {
      if (!res.writableFinished) presence.leave();
    });
    return presence;
  }

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Why he gets nothing more, although he still waits */
  get cutBy(): Problem | undefined {
    return this.#cutBy;
  }

  onLeave(listener: () => void): void {
    this.#listeners.add(listener);
  }

  offLeave(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** Ends what he waits for; he is told why. */
  cut(why: Problem): void {
    if (this.#hasLeft) return;
    this.#cutBy = why;
    this.leave();
  }

  /** As if he had left */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    for (const listener of this.#listeners) listener();
  }
}
