import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '../logs/logger.ts';
import { newRequestId } from '../logs/request-context.ts';
import { SERVICE_PROBLEMS } from './problem-codes.ts';

/** Requests refused below Express: by Node's parser, or because no route could handle them. */
export const PROTOCOL_FAULTS = [
  'malformed_request',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'expectation_failed',
  'headers_too_large',
] as const satisfies readonly (keyof typeof SERVICE_PROBLEMS)[];
export type ProtocolFault = (typeof PROTOCOL_FAULTS)[number];

/** How long to keep reading after a refusal: closing with unread bytes may lose the response (RFC 9112 §9.6). */
const LINGER_MS = 1000;

export interface ProtocolFaultOptions {
  readonly log: Logger;
  readonly metrics: { countProtocolFault(code: ProtocolFault): void };
  /** See `problemHandler` */
  readonly typeBase: string;
}

/** Passes the server's requests to `app`, and sends a problem where Node would send a bare status line or nothing. */
export function answerProtocolFaults(
  server: Server,
  app: (req: IncomingMessage, res: ServerResponse) => void,
  options: ProtocolFaultOptions,
): void {
  /** The response to the request that was last read from a connection */
  const last = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();

  /** Counts the fault, and logs it only at a detailed level: a line for each would let a flood fill the log. */
  const note = (code: ProtocolFault, requestId: string, reason: string) => {
    options.metrics.countProtocolFault(code);
    options.log.debug({ code, reason, request_id: requestId }, 'request refused by the server');
  };

  const refuse = (req: IncomingMessage, res: ServerResponse, code: ProtocolFault, reason: string) => {
    const requestId = newRequestId();
    note(code, requestId, reason);
    const { headers, body } = answerOf(code, requestId, options.typeBase);
    res.writeHead(SERVICE_PROBLEMS[code].status, headers).end(body);
    req.resume();
  };

  const refuseOn = (socket: Duplex, code: ProtocolFault, requestId: string) => {
    const { headers, body } = answerOf(code, requestId, options.typeBase);
    const { status } = SERVICE_PROBLEMS[code];
    // Node adds the date to its own answers (RFC 9110 §6.6.1).
    const lines = Object.entries({ ...headers, Date: new Date().toUTCString() }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };

  server.on('request', (req, res) => {
    const hosts = countHosts(req.rawHeaders);
    // RFC 9112 §3.2. If there are two, a proxy in front may have used the other one.
    if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1'))
      return refuse(req, res, 'malformed_request', 'host');
    last.set(req.socket, res);
    app(req, res);
  });

  server.on('checkExpectation', (req, res) => refuse(req, res, 'expectation_failed', 'expect'));

  // We are not a proxy. Without a listener Node would cut the connection.
  server.on('connect', (_req, socket) => {
    socket.on('error', () => socket.destroy());
    const requestId = newRequestId();
    note('method_not_allowed', requestId, 'connect');
    refuseOn(socket, 'method_not_allowed', requestId);
    socket.resume();
  });

  server.on('clientError', (err: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return; // further bytes of the refused request
    const code = faultOf(err.code);
    // A broken connection is not the fault of a request, and no one is there to read a response.
    if (code === undefined || !socket.writable) return void socket.destroy();
    refused.add(socket);
    const res = last.get(socket);
    const begun = res && !(res.req.complete && res.writableFinished) ? res : undefined;
    const requestId = (begun?.req.complete ? undefined : idOf(begun)) ?? newRequestId();
    note(code, requestId, String(err.code));
    if (begun === undefined) return refuseOn(socket, code, requestId);
    if (begun.req.complete) {
      // The unreadable bytes follow a valid request, whose response is sent first.
      begun.once('close', () => (socket.writable ? refuseOn(socket, code, requestId) : socket.destroy()));
    } else if (begun.headersSent || begun.socket === null) {
      socket.destroy(); // its response has begun, or is not the next one
    } else {
      begun.statusCode = SERVICE_PROBLEMS[code].status; // for the line and the metrics of this request
      refuseOn(socket, code, requestId);
    }
  });
}

function answerOf(code: ProtocolFault, requestId: string, typeBase: string) {
  const { status, title } = SERVICE_PROBLEMS[code];
  const body = JSON.stringify({ type: `${typeBase}/${code}`, title, status, code, request_id: requestId });
  const headers = {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    // For CONNECT, which no resource supports (RFC 9110 §10.2.1)
    ...(code === 'method_not_allowed' && { Allow: '' }),
    Connection: 'close',
  };
  return { headers, body };
}

/** Returns the fault; undefined if the request was not at fault. */
function faultOf(code: string | undefined): ProtocolFault | undefined {
  switch (code) {
    case 'HPE_INVALID_EOF_STATE': // who went away in the middle of it
      return undefined;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'payload_too_large';
    default:
      return code?.startsWith('HPE_') ? 'malformed_request' : undefined;
  }
}

const idOf = (res: ServerResponse | undefined): string | undefined => {
  const id = res?.getHeader('X-Request-Id');
  return typeof id === 'string' ? id : undefined;
};

/** Names and values alternate. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
