import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Handler } from '@legate/service/testing';

const MEGABYTE = 1_048_576;

/** Returns each byte of a text as a separate HTTP chunk: six bytes on the wire */
function dustOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const dust = Buffer.alloc(bytes.length * 6, '1\r\n.\r\n');
  for (const [i, byte] of bytes.entries()) dust[i * 6 + 3] = byte;
  return dust;
}

const LAST_CHUNK = '0\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

/** Waits until the peer has read the written bytes, or has disconnected. */
const sent = (socket: Socket): Promise<unknown> =>
  socket.writableNeedDrain && !socket.destroyed
    ? Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined)
    : Promise.resolve();

/** Responds with 4.1 million chunks of one byte. */
export const answerInDust: Handler = ({ socket }) => {
  answerDust ??= dustOf(`{"padding":"${'x'.repeat(4_100_000)}"}`);
  socket.write(`HTTP/1.1 200 OK\r\n${JSON_TYPE}${CHUNKED}`);
  socket.write(answerDust);
  socket.write(LAST_CHUNK);
};
let answerDust: Buffer | undefined;

/** Sends interim responses until the client disconnects, and no final one. */
export const answerInterim: Handler = async ({ socket }) => {
  const many = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000);
  while (!socket.destroyed) {
    socket.write(many);
    await sent(socket);
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** Sends 2,000 progress notifications, 4 MB in total, and never a result. */
export const progressWithoutEnd: Handler = async (_req, res, body) => {
  const { id } = JSON.parse(body) as { id: number };
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const message = 'x'.repeat(1900);
  for (let progress = 0; progress < 2000; progress += 1) {
    const params = { progressToken: id, progress, message };
    res.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`);
  }
};

/** Responses that wait for each other, so that all are in progress at the same time. */
export interface HeldAnswers {
  readonly answer: Handler;
  /** Waiting requests that the hub has not aborted */
  waiting(): number;
  release(): void;
}

/** The result of a tool call, nearly 4 MiB. Sends all but the end at once, and the end when `release` is called. */
export function answersOf4MiB(): HeldAnswers {
  const text = 'x'.repeat(4 * MEGABYTE - 1000);
  const [released, release] = signal();
  let waiting = 0;
  return {
    waiting: () => waiting,
    release,
    async answer(_req, res, body) {
      const { id } = JSON.parse(body) as { id: number };
      res.writeHead(200, { 'Content-Type': 'application/json' });
      res.write(
        `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[{"type":"text","text":"${text}`,
      );
      waiting += 1;
      res.on('close', () => {
        waiting -= 1;
      });
      await released;
      if (!res.destroyed) res.end('"}]}}');
    },
  };
}

function signal(): [signalled: Promise<void>, signal: () => void] {
  let resolve: () => void = () => undefined;
  const signalled = new Promise<void>((each) => {
    resolve = each;
  });
  return [signalled, resolve];
}

/** Accepts requests, and responds to them when `release` is called. */
export function patient(): HeldAnswers {
  const [released, release] = signal();
  let waiting = 0;
  return {
    waiting: () => waiting,
    release,
    async answer(_req, res, body) {
      waiting += 1;
      res.on('close', () => {
        waiting -= 1;
      });
      await released;
      const id = /"id":(\d+)/.exec(body)?.[1];
      res.writeHead(200, { 'Content-Type': 'application/json' });
      res.end(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[]}}`);
    },
  };
}

/**
 * Posts a JSON text of nearly 1 MiB in chunks of one byte. Returns the status, or undefined if the hub disconnected
 * first.
 */
export async function postInDust(url: string, idToken: string): Promise<number | undefined> {
  const { hostname, port, pathname } = new URL(url);
  bodyDust ??= dustOf(`{"arguments":{"a":"${'x'.repeat(MEGABYTE - 100)}"}}`);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
    if (/^HTTP\/1\.1 \d{3}/.test(answer)) socket.destroy();
  });
  const closed = new Promise((resolve) => {
    socket.on('error', () => undefined).on('close', resolve);
  });
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${idToken}\r\n${JSON_TYPE}${CHUNKED}`,
  );
  socket.write(bodyDust);
  socket.write(LAST_CHUNK);
  await closed;
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
  return status === undefined ? undefined : Number(status);
}
let bodyDust: Buffer | undefined;

export interface Reading {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Bytes of the body */
  readonly length: number;
}

/** Posts JSON, and counts the bytes of the response without storing them. */
export function post(
  url: string,
  idToken: string,
  body: unknown,
  options: {
    headers?: Record<string, string>;
    /** True if the response is read. Otherwise it stays open until the hub disconnects. */
    isRead?: boolean;
  } = {},
): Promise<Reading> {
  const { headers = {}, isRead = true } = options;
  return new Promise((resolve, reject) => {
    const req = request(url, {
      method: 'POST',
      agent: false,
      headers: { Authorization: `Bearer ${idToken}`, 'Content-Type': 'application/json', ...headers },
    });
    req.on('error', reject);
    req.on('response', (res) => {
      let length = 0;
      const reading = () => ({
        status: res.statusCode ?? 0,
        retryAfter: res.headers['retry-after'],
        length,
      });
      if (!isRead) {
        res.pause();
        resolve(reading());
        return;
      }
      res.on('data', (chunk: Buffer) => {
        length += chunk.length;
      });
      res.on('end', () => resolve(reading()));
      res.on('error', reject);
    });
    req.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}
