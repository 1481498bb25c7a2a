import type { Io, TextStream } from './io.ts';

/** Milliseconds after which people wonder whether a command still works. */
const PATIENCE_MS = 1000;
/** Moves the cursor to the start of the line, and erases the line (ECMA-48). */
const ERASE_LINE = '\r\u001b[K';

/** What a command waits for, on the last line of the terminal */
export interface Progress {
  /** The streams of the terminal. What is written to them stands above that line. */
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Returns a `fetch` that shows what it waits for. */
  readonly shownBy: (send: typeof fetch) => typeof fetch;
}

/**
 * Shows on stderr what a command waits for, if that takes longer than a second, and erases it when the response has come.
 * Only for a terminal.
 */
export function createProgress({ stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>): Progress {
  if (stderr.isTTY !== true) return { stdout, stderr, shownBy: (send) => send };
  const waiting = new Set<symbol>();
  let shown = '';
  const show = (text: string) => {
    if (shown !== '') stderr.write(ERASE_LINE);
    if (text !== '') stderr.write(text);
    shown = text;
  };
  const above = (stream: TextStream): TextStream => ({
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns;
    },
    write(text) {
      const interrupted = stream.isTTY === true ? shown : '';
      if (interrupted !== '') show('');
      stream.write(text);
      if (interrupted !== '' && text.endsWith('\n')) show(interrupted);
    },
  });
  return {
    stdout: above(stdout),
    stderr: above(stderr),
    shownBy: (send) => async (input, init) => {
      const own = Symbol('request');
      waiting.add(own);
      const timer = setTimeout(() => {
        if (shown === '') show(`Waiting for ${hostOf(input)} …`);
      }, PATIENCE_MS);
      try {
        return await send(input, init);
      } finally {
        clearTimeout(timer);
        waiting.delete(own);
        if (waiting.size === 0) show('');
      }
    },
  };
}

const hostOf = (input: Parameters<typeof fetch>[0]): string =>
  new URL(input instanceof Request ? input.url : input).host;
