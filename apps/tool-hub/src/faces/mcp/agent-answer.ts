import type { ServerResponse } from 'node:http';
import { type Interim, isAtLeast, type LogLevel } from '@legate/mcp-client';
import type { MemoryHold } from '@legate/service';
import { Presence } from '../../domain/presence.ts';
import type { RpcError } from '../../refusals/rpc-error.ts';
import { endAnswer } from '../../sign-in/end-answer.ts';
import type { RequestId } from './message.ts';

/** The HTTP answer to one request of an agent: JSON, or an event stream from the first progress on. */
export interface AgentAnswer extends Interim {
  /** The agent's presence */
  readonly presence: Presence;
  /** @param json text of the result */
  result(json: string): void;
  error(err: RpcError): void;
  /** Ends without an answer, as a cancelled request of the older revisions must. */
  end(): void;
}

/** Proxies and clients give up connections on which nothing comes. */
const KEEP_ALIVE_MS = 15_000;

/** Bytes that may wait for an agent to read them; above that nothing is written before the answer, on which agents must
 * not rely. */
const MAX_UNREAD_BYTES = 262_144;

/** Milliseconds that an agent has to read them. After that its connection is cut, which ends its request upstream. */
const UNREAD_MS = 30_000;

/** Maximum log messages of one request, and their characters; the rest is dropped. */
const MAX_LOG_MESSAGES = 100;
const MAX_LOG_LENGTH = 65_536;

/**
 * @param request gets progress only with a progress token, and logs only with a level
 * @param memory counts the bytes that the agent has not read yet
 */
export function createAgentAnswer(
  res: ServerResponse,
  request: {
    id: RequestId;
    progressToken: RequestId | undefined;
    logLevel: LogLevel | undefined;
    acceptsStream: boolean;
  },
  memory?: MemoryHold,
): AgentAnswer {
  const { id, progressToken, logLevel, acceptsStream } = request;
  const presence = Presence.of(res);
  let keepAlive: NodeJS.Timeout | undefined;
  let unread: NodeJS.Timeout | undefined;
  let logMessages = 0;
  let logLength = 0;
  res.once('close', stopTimers);

  function stopTimers(): void {
    clearInterval(keepAlive);
    clearTimeout(unread);
  }

  /** Returns true if nothing may be written for now. An agent that does not read its backlog is disconnected. */
  function isBehind(): boolean {
    if (res.writableLength <= MAX_UNREAD_BYTES) return false;
    if (unread) return true;
    unread = setTimeout(() => res.destroy(), UNREAD_MS);
    res.once('drain', () => {
      clearTimeout(unread);
      unread = undefined;
    });
    return true;
  }

  /** An agent that does not read keeps the connection open for long, and a write after the end would be an error. */
  function finish(): void {
    stopTimers();
    endAnswer(res, '', memory);
  }

  function startStream(): void {
    res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    keepAlive = setInterval(() => {
      if (!isBehind()) res.write(': keep-alive\n\n');
    }, KEEP_ALIVE_MS);
    keepAlive.unref();
  }

  /** A line break would end the event; in JSON text it can only be a blank. */
  const writeEvent = (json: string, onRead?: () => void): void => {
    res.write(`event: message\ndata: ${json.replace(/[\r\n]+/g, ' ')}\n\n`, onRead);
  };

  const canNotify = (): boolean => acceptsStream && !res.writableEnded && !res.destroyed && !isBehind();

  /** Writes a notification before the answer. */
  function notify(json: string): void {
    if (memory && !memory.take(json.length)) return;
    if (!res.headersSent) startStream();
    writeEvent(json, () => memory?.give(json.length));
  }

  function send(json: string, status: number): void {
    if (res.writableEnded || res.destroyed) return;
    if (res.headersSent) {
      writeEvent(json);
      finish();
      return;
    }
    res.statusCode = status;
    res.setHeader('Content-Type', 'application/json');
    res.setHeader('Cache-Control', 'no-store');
    endAnswer(res, json, memory);
  }

  return {
    presence,
    progress(progress) {
      if (progressToken === undefined || !canNotify()) return;
      const params = { ...progress, progressToken };
      notify(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }));
    },
    log(params) {
      if (logLevel === undefined || !isAtLeast(params.level, logLevel)) return;
      if (logMessages === MAX_LOG_MESSAGES || !canNotify()) return;
      const json = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
      logMessages += 1;
      logLength += json.length;
      if (logLength <= MAX_LOG_LENGTH) notify(json);
    },
    result: (json) => send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`, 200),
    error: (err) => send(errorText(err, id), err.status),
    end() {
      if (res.writableEnded || res.destroyed) return;
      if (!res.headersSent) startStream();
      finish();
    },
  };
}

/** @param id null where it is not known whose error it is */
export function errorText({ code, message, data, dataText }: RpcError, id: RequestId | null): string {
  const text = dataText ?? (data && JSON.stringify(data));
  const error = `{"code":${code},"message":${JSON.stringify(message)}${text === undefined ? '' : `,"data":${text}`}}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${error}}`;
}
