/** Returns `work` as a function that starts it only if it is not running, and gives all callers of a run its outcome. */
export function shareWhileRunning<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
