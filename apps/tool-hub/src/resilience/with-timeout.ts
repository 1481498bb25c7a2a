import { limitTime } from '@legate/service';

/**
 * Returns `fetch` with a time limit for the whole request, in addition to the caller's signal and the client's limit.
 */
export function withTimeout(fetch: typeof globalThis.fetch, timeoutMs: number): typeof globalThis.fetch {
  return async (input, init) => {
    const own = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const limit = limitTime(timeoutMs, own);
    try {
      return await fetch(input, { ...init, signal: limit.signal });
    } finally {
      limit.end();
    }
  };
}
