import type { Io } from './io.ts';

/** Milliseconds after which people wonder whether a command still works. */
const PATIENCE_MS = 1000;
/** Moves the cursor to the start of the line, and erases the line (ECMA-48). */
const ERASE_LINE = '\r\u001b[K';

/**
 * Returns a `fetch` that says on stderr what it waits for, if that takes longer than a second. The text is erased when
 * the response has come. Only for a terminal.
 */
export function withProgress({ stderr }: Pick<Io, 'stderr'>, send: typeof fetch): typeof fetch {
  if (stderr.isTTY !== true) return send;
  const waiting = new Set<symbol>();
  let isShown = false;
  return async (input, init) => {
    const own = Symbol('request');
    waiting.add(own);
    const timer = setTimeout(() => {
      if (!isShown) stderr.write(`Waiting for ${hostOf(input)} …`);
      isShown = true;
    }, PATIENCE_MS);
    try {
      return await send(input, init);
    } finally {
      clearTimeout(timer);
      waiting.delete(own);
      if (isShown && waiting.size === 0) {
        isShown = false;
        stderr.write(ERASE_LINE);
      }
    }
  };
}

const hostOf = (input: Parameters<typeof fetch>[0]): string =>
  new URL(input instanceof Request ? input.url : input).host;
