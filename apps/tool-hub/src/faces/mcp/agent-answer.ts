import type { ServerResponse } from 'node:http';
import { type Interim, isAtLeast, type LogLevel, writeObject } from '@legate/mcp-client';
import { endAnswer, type MemoryHold } from '@legate/service';
import { Presence } from '../../domain/presence.ts';
import type { RpcError } from '../../refusals/rpc-error.ts';
import type { RequestId } from './request-id.ts';

/** Interval of keep-alives, since proxies and clients close idle connections */
const KEEP_ALIVE_MS = 15_000;

/** Maximum bytes that an agent has not read yet. Above it, notifications are left out, on which agents must not rely. */
const MAX_UNREAD_BYTES = 262_144;

/** Unread bytes above which a subscription is closed, because its notifications must not be left out */
const MAX_UNREAD_NOTIFICATION_BYTES = 65_536;

/**
 * Milliseconds that an agent has to read them. After that its connection is closed, which ends its request upstream.
 */
const UNREAD_MS = 30_000;

/** Maximum log messages of one request, and their total characters; further messages are dropped */
const MAX_LOG_MESSAGES = 100;
const MAX_LOG_LENGTH = 65_536;

/** The request of an agent, and the response formats that it accepts */
interface Asked {
  readonly id: RequestId;
  /** Absent: the agent gets no progress */
  readonly progressToken: RequestId | undefined;
  /** Absent: the agent gets no logs */
  readonly logLevel: LogLevel | undefined;
  readonly acceptsStream: boolean;
}

/** The HTTP response to one request of an agent: JSON, or an event stream from the first progress notification on */
export class AgentAnswer implements Interim {
  /** Shows whether the agent is still connected */
  readonly presence: Presence;
  #keepAlive: NodeJS.Timeout | undefined;
  #unread: NodeJS.Timeout | undefined;
  #logMessages = 0;
  #logLength = 0;

  /** @param memory counts the bytes that the agent has not read yet */
  constructor(
    private readonly res: ServerResponse,
    private readonly asked: Asked,
    private readonly memory?: MemoryHold,
  ) {
    this.presence = Presence.of(res);
  }

  progress(progress: Parameters<Interim['progress']>[0]): void {
    const { progressToken } = this.asked;
    if (progressToken === undefined || !this.#canNotify()) return;
    this.#notify(notificationText('progress', [...progress, ['progressToken', progressToken]]));
  }

  log({ level, members }: Parameters<Interim['log']>[0]): void {
    const { logLevel } = this.asked;
    if (logLevel === undefined || !isAtLeast(level, logLevel)) return;
    if (this.#logMessages === MAX_LOG_MESSAGES || !this.#canNotify()) return;
    const json = notificationText('message', members);
    this.#logMessages += 1;
    this.#logLength += json.length;
    if (this.#logLength <= MAX_LOG_LENGTH) this.#notify(json);
  }

  get acceptsStream(): boolean {
    return this.asked.acceptsStream;
  }

  /**
   * Writes a message of a subscription. An agent that does not read is disconnected, and fetches the lists when it
   * reconnects.
   */
  sendOnStream(json: string): void {
    const { res } = this;
    if (res.writableEnded || res.destroyed) return;
    if (!res.headersSent) this.#startStream();
    this.#writeEvent(json);
    if (res.writableLength > MAX_UNREAD_NOTIFICATION_BYTES) res.destroy();
  }

  /** @param json text of the result */
  result(json: string): void {
    this.#send(`{"jsonrpc":"2.0","id":${this.asked.id},"result":${json}}`, 200);
  }

  error(err: RpcError): void {
    this.#send(errorText(err, this.asked.id), err.status);
  }

  /** Ends the response without a message, as the older revisions require for a cancelled request. */
  end(): void {
    if (this.res.writableEnded || this.res.destroyed) return;
    if (!this.res.headersSent) this.#startStream();
    this.#finish();
  }

  #send(json: string, status: number): void {
    const { res, memory } = this;
    if (res.writableEnded || res.destroyed) return;
    if (res.headersSent) {
      this.#writeEvent(json);
      this.#finish();
      return;
    }
    res.statusCode = status;
    res.setHeader('Content-Type', 'application/json');
    res.setHeader('Cache-Control', 'no-store');
    endAnswer(res, json, memory);
  }

  /** Writes a notification, which must come before the result. */
  #notify(json: string): void {
    const { res, memory } = this;
    if (memory && !memory.take(json.length)) return;
    if (!res.headersSent) this.#startStream();
    this.#writeEvent(json, () => memory?.give(json.length));
  }

  #canNotify(): boolean {
    const { res, asked } = this;
    return asked.acceptsStream && !res.writableEnded && !res.destroyed && !this.#isBehind();
  }

  #startStream(): void {
    const { res } = this;
    res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    this.#keepAlive = setInterval(() => {
      if (!this.#isBehind()) res.write(': keep-alive\n\n');
    }, KEEP_ALIVE_MS);
    this.#keepAlive.unref();
    res.once('close', () => this.#stopTimers());
  }

  /**
   * Replaces line breaks, which would end the event. In JSON they occur only between tokens, where a blank is
   * equivalent.
   */
  #writeEvent(json: string, onRead?: () => void): void {
    this.res.write(`event: message\ndata: ${json.replace(/[\r\n]+/g, ' ')}\n\n`, onRead);
  }

  /** Returns true if nothing may be written for now. An agent that does not read its backlog is disconnected. */
  #isBehind(): boolean {
    const { res } = this;
    if (res.writableLength <= MAX_UNREAD_BYTES) return false;
    if (this.#unread) return true;
    this.#unread = setTimeout(() => res.destroy(), UNREAD_MS);
    res.once('drain', () => {
      clearTimeout(this.#unread);
      this.#unread = undefined;
    });
    return true;
  }

  /**
   * Stops the timers too: an agent that does not read keeps the connection open, and a write after the end is an error.
   */
  #finish(): void {
    this.#stopTimers();
    endAnswer(this.res, '', this.memory);
  }

  #stopTimers(): void {
    clearInterval(this.#keepAlive);
    clearTimeout(this.#unread);
  }
}

/** @param id null if the request that caused the error is unknown */
export function errorText({ code, message, data, dataText }: RpcError, id: RequestId | null): string {
  const text = dataText ?? (data && JSON.stringify(data));
  const error = `{"code":${code},"message":${JSON.stringify(message)}${text === undefined ? '' : `,"data":${text}`}}`;
  return `{"jsonrpc":"2.0","id":${id},"error":${error}}`;
}

const notificationText = (what: string, params: Iterable<readonly [string, string]>): string =>
  `{"jsonrpc":"2.0","method":"notifications/${what}","params":${writeObject(params)}}`;
