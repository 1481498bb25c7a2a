import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { isObject } from './json-rpc.ts';
import type { ListKind } from './list-kinds.ts';

/** Takes the next piece of an event stream. @returns the text of the awaited message, once it is there */
export type StreamReader = (chunk: string) => string | undefined;

/** What a `notifications/progress` says, apart from its token. */
const Progress = z.object({
  progress: z.number(),
  total: z.number().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});
export type Progress = Readonly<z.output<typeof Progress>>;

/** MCP, "List changed notification". Resource templates have none of their own. */
const LIST_CHANGED: ReadonlyMap<unknown, readonly ListKind[]> = new Map<unknown, readonly ListKind[]>([
  ['notifications/tools/list_changed', ['tools']],
  ['notifications/resources/list_changed', ['resources', 'resourceTemplates']],
  ['notifications/prompts/list_changed', ['prompts']],
]);

/**
 * Waits in an event stream for the message that answers request `id`. Other messages are passed over: the hub declares no
 * capability that would oblige it to answer any.
 * @param onProgress told of progress in this request, whose progress token is its id
 * @param onListChanged told which lists the server says are others now; of each, once
 */
export function createAnswerFinder(
  id: number,
  onProgress?: (progress: Progress, text: string) => void,
  onListChanged?: (kinds: readonly ListKind[]) => void,
): StreamReader {
  let found: string | undefined;
  const changed = new Set<readonly ListKind[]>();
  const parser = createParser({
    onEvent({ data }) {
      if (found !== undefined) return;
      if (isAnswerTo(id, data)) found = data;
      else {
        const progress = onProgress && readProgress(id, data);
        if (progress) onProgress(progress, data);
        const kinds = onListChanged && readListChanged(data);
        if (!kinds || changed.has(kinds)) return;
        changed.add(kinds);
        onListChanged(kinds);
      }
    },
  });
  const toLineFeeds = createToLineFeeds();
  return (chunk) => {
    if (found === undefined) parser.feed(toLineFeeds(chunk));
    return found;
  };
}

/**
 * Line breaks of an event stream are `\n`, `\r` or `\r\n`, which a chunk may end in the middle of. Where it meets a `\r`, the
 * parser looks through all that follows for each line: a stream of nothing else would keep the process busy for seconds.
 */
function createToLineFeeds(): (chunk: string) => string {
  let isWithinBreak = false;
  return (chunk) => {
    const text = isWithinBreak && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
    if (chunk !== '') isWithinBreak = chunk.endsWith('\r');
    return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
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

function readProgress(id: number, data: string): Progress | undefined {
  if (!data.includes('"notifications/progress"')) return undefined;
  try {
    const message: unknown = JSON.parse(data);
    if (!isObject(message) || message.method !== 'notifications/progress' || !isObject(message.params))
      return undefined;
    return message.params.progressToken === id ? Progress.safeParse(message.params).data : undefined;
  } catch {
    return undefined;
  }
}

function readListChanged(data: string): readonly ListKind[] | undefined {
  if (!data.includes('/list_changed"')) return undefined;
  try {
    const message: unknown = JSON.parse(data);
    return isObject(message) ? LIST_CHANGED.get(message.method) : undefined;
  } catch {
    return undefined;
  }
}
