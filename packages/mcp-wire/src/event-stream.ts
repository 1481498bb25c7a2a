import { createParser, type ParserCallbacks } from 'eventsource-parser';

export interface EventHandlers extends Pick<ParserCallbacks, 'onRetry'> {
  /** @param event its data and its id, if it has one */
  onEvent(event: { readonly data: string; readonly id?: string | undefined }): void;
}

/**
 * Returns a function that parses the text of an event stream in chunks (HTML, "Server-sent events").
 * @param maxLength of an incomplete event, in characters. The function throws if it is exceeded.
 */
export function createEventParser(
  { onEvent, onRetry }: EventHandlers,
  maxLength?: number,
): (chunk: string) => void {
  let isTooLong = false;
  const parser = createParser({
    onEvent,
    onRetry,
    onError({ type }) {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
    ...(maxLength !== undefined && { maxBufferSize: maxLength }),
  });
  const toLineFeeds = createToLineFeeds();
  return (chunk) => {
    parser.feed(toLineFeeds(chunk));
    if (isTooLong) throw new Error('an event of the stream is too long');
  };
}

/**
 * Reads the data of the events of a stream, one after the other. An event without a blank line after it is incomplete
 * and is not returned.
 * @param maxLength of an event, in characters
 * @throws {Error} for a longer event, and any error of reading, such as a lost connection
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>, maxLength: number): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events: string[] = [];
  const read = createEventParser({ onEvent: ({ data }) => void events.push(data) }, maxLength);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      read(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined); // the rest is not needed
  }
}

/**
 * Converts each line break (LF, CR, or CR LF, which may be split between two chunks) to LF. The parser would scan the
 * rest of the chunk at each CR, so a stream of CRs would block the process for seconds.
 */
function createToLineFeeds(): (chunk: string) => string {
  let isWithinBreak = false;
  return (chunk) => {
    const text = isWithinBreak && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    if (chunk !== '') isWithinBreak = chunk.endsWith('\r');
    return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  };
}
