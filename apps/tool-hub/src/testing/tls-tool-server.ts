import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { TestCertificate } from '@legate/service/testing';
import { answerMcp } from './fake-mcp.ts';
import { sendJson } from './http-server.ts';

export interface TlsToolServer {
  readonly resource: string;
  /** Common names of the clients of all calls, in order; undefined: no certificate */
  readonly clients: (string | undefined)[];
  readonly headers: IncomingHttpHeaders[];
  /** Number of open connections */
  connections(): Promise<number>;
  /** Awaited before each response */
  gate: () => Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a tool server that identifies clients by their certificates. Without a certificate, it returns 401 or refuses
 * the connection.
 */
export async function startTlsToolServer(options: {
  certificate: TestCertificate;
  /** Undefined: the server requests no certificate */
  clientCa: TestCertificate | undefined;
}): Promise<TlsToolServer> {
  const { certificate, clientCa } = options;
  const http = createServer(
    {
      cert: certificate.certificate,
      key: certificate.privateKey,
      ...(clientCa && { ca: clientCa.certificate, requestCert: true, rejectUnauthorized: true }),
    },
    async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const { subject } = (req.socket as TLSSocket).getPeerCertificate();
      const client = typeof subject?.CN === 'string' ? subject.CN : undefined;
      server.clients.push(client);
      server.headers.push(req.headers);
      await server.gate();
      if (client === undefined) return sendJson(res, 401, {}, { 'WWW-Authenticate': 'Bearer' });
      const message = JSON.parse(Buffer.concat(chunks).toString());
      const user = { sub: client };
      answerMcp({ mode: 'modern', user, message, headers: req.headers, sessions: new Map() }, res);
    },
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: TlsToolServer = {
    resource: `https://127.0.0.1:${(http.address() as AddressInfo).port}`,
    clients: [],
    headers: [],
    connections: () =>
      new Promise((resolve, reject) =>
        http.getConnections((err, count) => (err ? reject(err) : resolve(count))),
      ),
    gate: async () => {},
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}
