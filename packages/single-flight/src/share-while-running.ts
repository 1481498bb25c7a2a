/**
 * Returns `work` as a function that starts it only if it is not running; all callers during a run get the outcome of
 * that run.
 */
export function shareWhileRunning<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
