import { constants } from 'node:os';

/** Ends the command without a word: who interrupted it knows. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** @param exitCode 128 and the number of the signal, as shells tell it */
  constructor(readonly exitCode: number) {
    super('interrupted');
  }
}

/** Ctrl-C, `kill`, and a terminal that is closed. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/**
 * From now on signals no longer end this process by themselves, nor does an output that nobody reads (`npm start | head`):
 * the services are groups of processes of their own, and would stay.
 * @returns aborted by the first of them, with an {@link Interrupted} for its reason
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

/** What `work` comes to. @throws {Interrupted} as soon as the command is; the work itself goes on, unheard */
export function unlessInterrupted<Result>(work: Promise<Result>, interruption: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const interrupt = () => reject(interruption.reason);
    if (interruption.aborted) interrupt();
    interruption.addEventListener('abort', interrupt, { once: true });
    work.then(resolve, reject);
  });
}
