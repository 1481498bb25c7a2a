import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CALLBACK_PATH = '/callback';

/** How the authorization response gets from the browser to this program */
export interface Redirection {
  /** Redirect URI on loopback (RFC 8252 §7.3) */
  readonly redirectUri: string;
  /** The only authorization response: its URL, and a function that shows the user the result of the sign-in */
  readonly response: (signal: AbortSignal) => Promise<Arrived>;
  close(): void;
}

export interface Arrived {
  readonly url: URL;
  readonly answer: (text: string, isGood: boolean) => void;
}

/** Listens on 127.0.0.1 for one authorization response. Every later request, and any other path, gets 404. */
export async function startLoopbackServer(): Promise<Redirection> {
  let arrived = false;
  let resolve: (arrived: Arrived) => void;
  const response = new Promise<Arrived>((settle) => {
    resolve = settle;
  });
  const server = createServer((req, res) => {
    const url = urlOf(req, server);
    if (arrived || req.method !== 'GET' || url?.pathname !== CALLBACK_PATH) {
      send(res, 404, 'Not found.');
      return;
    }
    arrived = true;
    resolve({ url, answer: (text, isGood) => send(res, isGood ? 200 : 400, text) });
  });
  await new Promise<void>((listening, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    redirectUri: `${originOf(server)}${CALLBACK_PATH}`,
    response: () => response,
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Returns undefined for an invalid path, and for a request with another host name (DNS rebinding). */
function urlOf({ url = '', headers }: IncomingMessage, server: Server): URL | undefined {
  const origin = originOf(server);
  if (headers.host !== new URL(origin).host || !url.startsWith('/')) return undefined;
  return URL.canParse(url, origin) ? new URL(url, origin) : undefined;
}

function send(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  // Only called with texts of this program, so nothing needs to be escaped.
  res.end(`<!doctype html><html lang="en"><title>Legate</title><p>${text}</p></html>\n`);
}
