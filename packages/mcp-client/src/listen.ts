import { AsyncResource } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import { createEventParser, isEventStream, isObject, parseObject } from '@legate/mcp-wire';
import { activeRequest } from '@legate/service/outbound';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { type ClientInfo, describeClient } from './client-description.ts';
import { LIST_CHANGED } from './event-stream.ts';
import { callerGone, HttpFailure, toFailure } from './http-failure.ts';
import type { ListKind } from './list-kinds.ts';
import type { McpAnswer } from './mcp-answer.ts';
import type { McpRequest } from './mcp-request.ts';
import type { McpTarget, OnListChanged } from './mcp-target.ts';
import { readAnswer } from './read-answer.ts';
import { containsSecret } from './secret-echo.ts';
import { modernMessage } from './wire-message.ts';
import { withinTrace } from './within-trace.ts';

/** The notifications that a client requests, or in an acknowledgement those that it will get. */
export const SubscriptionFilter = z.object({
  toolsListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
  resourcesListChanged: z.boolean().optional(),
  resourceSubscriptions: z.array(z.string()).optional(),
});
export type SubscriptionFilter = Readonly<z.output<typeof SubscriptionFilter>>;

export interface SubscriptionEvents {
  /** Called with the kinds of one notification. */
  onListChanged(kinds: readonly ListKind[]): void;
  onResourceUpdated(uri: string): void;
  /** The stream has ended after its acknowledgement, and not because the caller left. */
  onEnd(): void;
}

/**
 * Opens a `subscriptions/listen` stream. Resolves with the acknowledged filter as the result, within the target's
 * deadline; the stream then continues until the target's presence leaves, and `events` receives the notifications. A
 * server of a revision before 2026-07-28 refuses the request, and no older method is tried.
 * @see MCP 2026-07-28, Subscriptions
 */
export type McpListen = (
  target: McpTarget,
  request: McpRequest,
  events: SubscriptionEvents,
) => Promise<McpAnswer>;

/** Bytes of one stream, after which it is closed: notifications are short. */
const MAX_STREAM_BYTES = 1_048_576;
/** Bytes of one event, or of a response that is not a stream */
const MAX_EVENT_BYTES = 65_536;
/** Milliseconds without a byte, after which a connection counts as broken. Not all servers send comments. */
const IDLE_MS = 900_000;

export function createMcpListen(deps: {
  client: ClientInfo;
  dispatcher: Dispatcher;
  onListChanged: OnListChanged;
}): McpListen {
  const client = describeClient(deps.client);
  let lastId = 0;

  return (target, request, events) =>
    withinTrace(target, request.method, (trace) => {
      lastId = (lastId % 1_000_000_000) + 1;
      const id = lastId;
      const { credential, presence, url } = target;
      const { headers, body } = modernMessage(client, request, id, credential, trace);
      const within = activeRequest();
      headers.push(...client.headers);
      if (within) headers.push('x-request-id', within.requestId);
      const timeoutMs = Math.floor(target.deadline - performance.now());
      if (presence?.hasLeft || timeoutMs <= 0) return Promise.resolve(answerOf(callerGone()));
      const { origin, pathname, search } = new URL(url);
      // The callbacks run in the context of the connection, which may have been opened within another user's request.
      const ownEvents: SubscriptionEvents = {
        onListChanged: AsyncResource.bind((kinds) => {
          deps.onListChanged(url, kinds);
          events.onListChanged(kinds);
        }),
        onResourceUpdated: AsyncResource.bind((uri) => events.onResourceUpdated(uri)),
        onEnd: AsyncResource.bind(() => events.onEnd()),
      };
      const dispatcher = credential.kind === 'client_certificate' ? credential.dispatcher : deps.dispatcher;
      return new Promise((resolve) => {
        dispatcher.dispatch(
          {
            ...{ origin, path: `${pathname}${search}`, method: 'POST', headers, body },
            ...{ headersTimeout: timeoutMs, bodyTimeout: IDLE_MS },
          },
          new Subscription(id, target, ownEvents, timeoutMs, resolve),
        );
      });
    });
}

/** One stream: first the acknowledgement or a response, then notifications. */
class Subscription implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #state: 'opening' | 'open' | 'closed' = 'opening';
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #isStream = false;
  #size = 0;
  /** Bytes since the last complete event */
  #unparsed = 0;
  #text = '';
  readonly #timer: NodeJS.Timeout;
  readonly #decoder = new TextDecoder();
  readonly #parse = createEventParser({
    onEvent: ({ data }) => {
      this.#unparsed = 0;
      this.#onMessage(data);
    },
  });

  constructor(
    private readonly id: number,
    private readonly target: McpTarget,
    private readonly events: SubscriptionEvents,
    timeoutMs: number,
    private readonly resolve: (answer: McpAnswer) => void,
  ) {
    const tooLate = () => this.#close(new HttpFailure('unavailable', 'it did not answer in time'));
    this.#timer = setTimeout(tooLate, timeoutMs);
    target.presence?.onLeave(this.#onLeave);
  }

  readonly #onLeave = (): void => {
    const wasOpen = this.#state === 'open';
    if (wasOpen) this.#state = 'closed'; // so that `onEnd` is not called
    this.#close(callerGone());
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#state === 'closed') controller.abort(callerGone());
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#isStream = status === 200 && isEventStream(headers['content-type']);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state === 'closed') return;
    this.#size += chunk.length;
    this.#unparsed += chunk.length;
    const text = this.#decoder.decode(chunk, { stream: true });
    if (this.#isStream) this.#parse(text);
    else this.#text += text;
    // Comments that keep the connection alive are not part of an event.
    if (this.#isStream && text.endsWith('\n\n')) this.#unparsed = 0;
    if (this.#size > MAX_STREAM_BYTES || this.#unparsed > MAX_EVENT_BYTES)
      this.#close(new HttpFailure('unusable', 'it sent too much'));
  }

  onResponseEnd(): void {
    if (this.#isStream) this.#close(new HttpFailure('unavailable', 'its stream ended'));
    else this.#settle(this.#readAnswer(this.#text));
  }

  onResponseError(_controller: Dispatcher.DispatchController, err: Error): void {
    this.#close(err instanceof HttpFailure ? err : toFailure(err, this.#controller === undefined));
  }

  #onMessage(text: string): void {
    const message = parseObject(text);
    if (!message || this.#state === 'closed' || containsSecret(text, this.target.credential)) return;
    const { method } = message;
    const params = isObject(message.params) ? message.params : {};
    if (method === undefined && message.id === this.id) {
      if (this.#state === 'opening') this.#settle(this.#readAnswer(text));
      else this.#close(new HttpFailure('unavailable', 'it ended the subscription'));
    } else if (method === 'notifications/subscriptions/acknowledged') this.#acknowledge(params.notifications);
    else if (this.#state === 'open') this.#notify(method, params);
  }

  #acknowledge(notifications: unknown): void {
    if (this.#state !== 'opening') return;
    const { data } = SubscriptionFilter.safeParse(notifications);
    if (!data) {
      this.#close(new HttpFailure('unusable', 'its acknowledgement cannot be read'));
      return;
    }
    clearTimeout(this.#timer);
    this.#state = 'open';
    this.resolve({ kind: 'result', json: JSON.stringify(data), result: data });
  }

  #notify(method: unknown, { uri }: Record<string, unknown>): void {
    const kinds = LIST_CHANGED.get(method);
    if (kinds) this.events.onListChanged(kinds);
    if (method === 'notifications/resources/updated' && typeof uri === 'string')
      this.events.onResourceUpdated(uri);
  }

  /** A result is unusable, because no acknowledgement came before it. */
  #readAnswer(text: string): McpAnswer {
    const answer = readAnswer({ status: this.#status, headers: this.#headers, text }, this.id);
    return answer.kind === 'result' || answer.kind === 'input_required'
      ? { kind: 'unusable', reason: 'it acknowledged no subscription' }
      : answer;
  }

  #close(failure: HttpFailure): void {
    const wasOpen = this.#state === 'open';
    this.#settle(answerOf(failure));
    this.#controller?.abort(failure);
    if (wasOpen) this.events.onEnd();
  }

  #settle(answer: McpAnswer): void {
    clearTimeout(this.#timer);
    this.target.presence?.offLeave(this.#onLeave);
    if (this.#state === 'opening') this.resolve(answer);
    this.#state = 'closed';
  }
}

const answerOf = ({ kind, reason, isUnsent }: HttpFailure): McpAnswer =>
  kind === 'unavailable' ? { kind, reason, isUnsent } : { kind: 'unusable', reason };
