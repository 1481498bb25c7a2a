import { createEventParser, isObject, parseObject } from '@legate/mcp-wire';
import { z } from 'zod';
import { type JsonMembers, membersOf } from './json-members.ts';
import { isRpcId } from './json-rpc-id.ts';
import type { ListKind } from './list-kinds.ts';
import { type LogMessage, readLogMessage } from './log-message.ts';
import type { ServerRequest } from './mcp-request.ts';

/** Reads an event stream until the awaited message arrives. */
export interface StreamReader {
  /** Adds a chunk. Returns the text of the awaited message once it is complete. */
  read(chunk: string): string | undefined;
  /** The position at which a resumed stream would continue */
  readonly place: StreamPlace;
}

/** Data for resuming a stream that its server closed. */
export interface StreamPlace {
  readonly lastEventId: string | undefined;
  /** Milliseconds that the server asks its client to wait */
  readonly retryMs: number | undefined;
}

/** A number of any size: a value that is too large for a double is parsed as infinity. */
const AnyNumber = z.custom<number>((value) => typeof value === 'number');
const Progress = z.object({
  progress: AnyNumber,
  total: AnyNumber.optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});

/** MCP, "List changed notification". Resource templates have no notification. */
export const LIST_CHANGED: ReadonlyMap<unknown, readonly ListKind[]> = new Map<unknown, readonly ListKind[]>([
  ['notifications/tools/list_changed', ['tools']],
  ['notifications/resources/list_changed', ['resources', 'resourceTemplates']],
  ['notifications/prompts/list_changed', ['prompts']],
]);

/** Called for messages before the response; `text` is the whole message. */
export interface StreamListeners {
  /**
   * Receives progress of this request, whose id is its progress token: the members of the notification, without the
   * token
   */
  readonly onProgress?: ((progress: JsonMembers, text: string) => void) | undefined;
  readonly onLog?: ((message: LogMessage, text: string) => void) | undefined;
  /** The lists that the server declares as changed, each once */
  readonly onListChanged?: ((kinds: readonly ListKind[]) => void) | undefined;
  readonly onRequest?: ((request: ServerRequest) => void) | undefined;
}

/** Finds the response to request `id` in an event stream, and passes the other messages to `listeners`. */
export function createAnswerFinder(id: number, listeners: StreamListeners = {}): StreamReader {
  let found: string | undefined;
  const place: Writable<StreamPlace> = { lastEventId: undefined, retryMs: undefined };
  const changed = new Set<readonly ListKind[]>();

  function listen(message: Record<string, unknown>, text: string): void {
    const { method, params } = message;
    if (message.id !== undefined && message.id !== null) {
      const asked = membersOf(text).get('id') ?? '';
      if (typeof method === 'string' && isRpcId(message.id, asked))
        listeners.onRequest?.({ id: asked, method });
    } else if (method === 'notifications/progress') {
      const isOurs = isObject(params) && params.progressToken === id;
      const progress = isOurs ? Progress.safeParse(params).data : undefined;
      if (progress) listeners.onProgress?.(membersIn(progress, text), text);
    } else if (method === 'notifications/message') {
      const logged = listeners.onLog && readLogMessage(params);
      if (logged) listeners.onLog?.({ level: logged.level, members: membersIn(logged, text) }, text);
    } else {
      const kinds = LIST_CHANGED.get(method);
      if (!kinds || changed.has(kinds)) return;
      changed.add(kinds);
      listeners.onListChanged?.(kinds);
    }
  }

  const parse = createEventParser({
    onEvent({ id: eventId, data }) {
      if (eventId !== undefined && eventId.length <= MAX_EVENT_ID_LENGTH) place.lastEventId = eventId;
      if (found !== undefined) return;
      // Most responses are recognised without being parsed twice.
      if (data.startsWith(`{"jsonrpc":"2.0","id":${id},"result":`)) {
        found = data;
        return;
      }
      const message = parseObject(data);
      if (message?.id === id && ('result' in message || 'error' in message)) found = data;
      else if (message) listen(message, data);
    },
    onRetry(retryMs) {
      place.retryMs = retryMs;
    },
  });
  return {
    read(chunk) {
      if (found === undefined) parse(chunk);
      return found;
    },
    place,
  };
}

/** Returns the JSON texts of the valid members of a notification. */
function membersIn(valid: object, text: string): JsonMembers {
  const written = membersOf(membersOf(text).get('params') ?? '');
  return new Map(
    Object.entries(valid).flatMap(([name, value]) => {
      const json = value === undefined ? undefined : written.get(name);
      return json === undefined ? [] : [[name, json]];
    }),
  );
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Characters of an event id, which becomes a header value */
const MAX_EVENT_ID_LENGTH = 1024;
