import { constants } from 'node:os';

/** Ends the command without a message, because the user has interrupted it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** @param exitCode 128 and the number of the signal, as shells report it */
  constructor(readonly exitCode: number) {
    super('interrupted');
  }
}

/** Signals of Ctrl-C, of `kill`, and of a closed terminal. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/**
 * Keeps a signal or a closed output (`npm start | head`) from ending this process directly, from now on: the services are
 * separate process groups and would keep running.
 * @returns a signal aborted by the first of them, with an {@link Interrupted} as its reason
 */
export function listenForInterruption(
  outputs: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr],
): AbortSignal {
  const controller = new AbortController();
  const interrupt = (signal: NodeJS.Signals) => controller.abort(new Interrupted(exitCodeOf(signal)));
  for (const signal of ENDING_SIGNALS) process.on(signal, () => interrupt(signal));
  for (const output of outputs) output.on('error', () => interrupt('SIGPIPE'));
  return controller.signal;
}

/**
 * Returns the result of `work`. @throws {Interrupted} as soon as the command is interrupted; the work continues, but
 * its result is ignored
 */
export function unlessInterrupted<Result>(work: Promise<Result>, interruption: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const interrupt = () => reject(interruption.reason);
    if (interruption.aborted) interrupt();
    interruption.addEventListener('abort', interrupt, { once: true });
    work.then(resolve, reject);
  });
}
