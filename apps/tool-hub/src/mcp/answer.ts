import type { ServerResponse } from 'node:http';
import { endAnswer } from '../caller/end-answer.ts';
import { Presence } from '../caller/presence.ts';
import type { Progress } from '../upstream/event-stream.ts';
import type { RequestId } from './message.ts';
import type { RpcError } from './rpc-error.ts';

/** The HTTP answer to one request of an agent: JSON, or an event stream from the first progress on. */
export interface AgentAnswer {
  /** Of the agent */
  readonly presence: Presence;
  readonly progress: (progress: Progress) => void;
  /** @param json text of the result */
  result(json: string): void;
  error(err: RpcError): void;
  /** Ends without an answer, as a cancelled request of the older revisions must. */
  end(): void;
}

/** Proxies and clients give up connections on which nothing comes. */
const KEEP_ALIVE_MS = 15_000;

/** Bytes that may wait for an agent to read them; above that no progress is written, which agents must not rely on. */
const MAX_UNREAD_BYTES = 262_144;

/** Milliseconds that an agent has to read them. After that its connection is cut, which ends its request upstream. */
const UNREAD_MS = 30_000;

/** @param request of which only a progress token that it has makes progress be told */
export function createAgentAnswer(
  res: ServerResponse,
  request: { id: RequestId; progressToken: RequestId | undefined; acceptsStream: boolean },
): AgentAnswer {
  const { id, progressToken, acceptsStream } = request;
  const presence = Presence.of(res);
  let keepAlive: NodeJS.Timeout | undefined;
  let unread: NodeJS.Timeout | undefined;
  res.once('close', stopTimers);

  function stopTimers(): void {
    clearInterval(keepAlive);
    clearTimeout(unread);
  }

  /** Returns whether nothing may be written for now. An agent that reads none of what waits until then is cut off. */
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
    endAnswer(res);
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
  const writeEvent = (json: string): void => {
    res.write(`event: message\ndata: ${json.replace(/[\r\n]+/g, ' ')}\n\n`);
  };

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
    endAnswer(res, json);
  }

  return {
    presence,
    progress(progress) {
      if (progressToken === undefined || !acceptsStream || res.writableEnded || res.destroyed) return;
      if (isBehind()) return;
      if (!res.headersSent) startStream();
      const params = { ...progress, progressToken };
      writeEvent(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }));
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
export const errorText = ({ code, message, data }: RpcError, id: RequestId | null): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } });
