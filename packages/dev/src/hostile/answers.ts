import { gzipSync } from 'node:zlib';
import type { Handler } from '@legate/service/testing';

/**
 * Hostile responses that no client should wait for, read completely or follow. They end when the client cuts the
 * connection.
 */

const MEGABYTE = 1_048_576;
const DRIP_MS = 100;

/** Redirects the client; with 307 or 308, a client that follows repeats its whole request. */
export const redirectTo =
  (url: string, status: 301 | 302 | 307 | 308 = 301): Handler =>
  (_req, res) =>
    void res.writeHead(status, { Location: url }).end();

/** Accepts the request, and never responds. */
export const neverAnswer: Handler = () => undefined;

/** A JSON text of 100 MB, as fast as the client reads it. */
export const flood: Handler = async (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.write('{"padding":"');
  const chunk = 'a'.repeat(MEGABYTE);
  for (let sent = 0; sent < 100 && !res.destroyed; sent += 1) {
    if (!res.write(chunk)) await drainedOrClosed(res);
  }
  res.end('"}');
};

/** A JSON text of 500 MB in half a megabyte. */
export const gzipBomb: Handler = (_req, res) => {
  const bomb = Buffer.concat([
    gzipSync('{"padding":"'),
    // The members of a gzip file are decompressed into one text (RFC 1952 §2.2).
    ...Array.from({ length: 500 }, () => zeros),
    gzipSync('"}'),
  ]);
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(bomb);
};
const zeros = gzipSync('0'.repeat(MEGABYTE));

/** Sends a byte now and then: no single wait is long, but the response never ends. */
export const drip: Handler = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => res.write(' '), DRIP_MS);
  res.on('close', () => clearInterval(timer));
};

/** Well-formed events, none of which contains the response. */
export const endlessEvents: Handler = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
  const timer = setInterval(() => res.write(`event: message\ndata: ${notification}\n\n`), DRIP_MS);
  res.on('close', () => clearInterval(timer));
};

const drainedOrClosed = (res: Parameters<Handler>[1]): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
