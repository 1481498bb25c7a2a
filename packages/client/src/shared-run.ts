/** Returns a function that runs `work` once for all who ask while it runs. */
export function sharedRun<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/**
 * Waits for shared work until the signal is aborted; the work goes on for the others.
 * @throws the signal's reason
 */
export async function unlessAborted<Value>(work: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  signal?.throwIfAborted();
  if (!signal) return work;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}
