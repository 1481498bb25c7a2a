import { createParser } from 'eventsource-parser';
import { isObject } from './json-rpc.ts';

/** Takes the next piece of an event stream. @returns the text of the awaited message, once it is there */
export type StreamReader = (chunk: string) => string | undefined;

/**
 * Waits in an event stream for the message that answers request `id`. Other messages, such as progress, are passed over:
 * the hub declares no capability that would oblige it to answer any.
 */
export function createAnswerFinder(id: number): StreamReader {
  let found: string | undefined;
  const parser = createParser({
    onEvent({ data }) {
      if (found === undefined && isAnswerTo(id, data)) found = data;
    },
  });
  return (chunk) => {
    if (found === undefined) parser.feed(chunk);
    return found;
  };
}

function isAnswerTo(id: number, data: string): boolean {
  // Most answers are recognised without being parsed twice.
  if (data.startsWith(`{"jsonrpc":"2.0","id":${id},"result":`)) return true;
  try {
    const message: unknown = JSON.parse(data);
    return isObject(message) && message.id === id && ('result' in message || 'error' in message);
  } catch {
    return false;
  }
}
