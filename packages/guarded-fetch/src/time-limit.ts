/** A signal that aborts after a time limit, or with the caller's own signal. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Cancels the time limit; call this when the work is done. */
  end(): void;
}

/**
 * Works like `AbortSignal.any([AbortSignal.timeout(timeoutMs), callers])`, but without signals that stay in memory
 * until garbage collection: each request for a token made four.
 */
export function limitTime(timeoutMs: number, callers: AbortSignal | null | undefined): TimeLimit {
  const abort = new AbortController();
  const onAbort = () => abort.abort(callers?.reason);
  const timer = setTimeout(
    () => abort.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    timeoutMs,
  );
  timer.unref();
  if (callers?.aborted) onAbort();
  else callers?.addEventListener('abort', onAbort);
  return {
    signal: abort.signal,
    end() {
      clearTimeout(timer);
      callers?.removeEventListener('abort', onAbort);
    },
  };
}
