/** `fetch` with a time limit for the whole request, in addition to the caller's signal and the client's limit. */
export function withTimeout(fetch: typeof globalThis.fetch, timeoutMs: number): typeof globalThis.fetch {
  return (input, init) => {
    const own = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const timeout = AbortSignal.timeout(timeoutMs);
    return fetch(input, { ...init, signal: own ? AbortSignal.any([own, timeout]) : timeout });
  };
}
