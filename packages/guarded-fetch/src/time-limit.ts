/** A signal that aborts when the time is over, or with the caller's own signal. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Stops waiting; to be called when the work is done. */
  end(): void;
}

/**
 * Does what `AbortSignal.any([AbortSignal.timeout(timeoutMs), callers])` does, without signals that stay until the
 * garbage collector finds them: each request for a token made four.
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
