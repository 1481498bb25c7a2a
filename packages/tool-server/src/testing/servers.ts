import { createServer, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import formbody from '@fastify/formbody';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { legate, requireAccessToken } from '../adapters/express.ts';
import { legate as legateFastify } from '../adapters/fastify.ts';
import { legate as legateHono, requireAccessToken as requireAccessTokenHono } from '../adapters/hono.ts';
import { serve, toNodeListener } from '../adapters/node.ts';
import type { ToolServer, ToolServerAuthInfo } from '../index.ts';

/** A server with all endpoints of this package, and two routes that return their caller. */
export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A body parser that the application runs before Legate, by its name in the framework. */
export type Parser =
  | 'express.urlencoded'
  | 'express.urlencoded extended'
  | 'express.json'
  | 'express.text'
  | 'express.raw'
  | 'formbody'
  | 'parseBody'
  | 'text'
  | 'a stream that is read to its end';

export type Start = (toolServer: ToolServer, parser?: Parser) => Promise<RunningServer>;

async function listen(listener: RequestListener): Promise<RunningServer> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return runningOf(server);
}

function runningOf(server: Server): RunningServer {
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

/** Express 4 has no types of its own; those of Express 5 fit the calls in this file. */
const EXPRESS_4: typeof express = createRequire(import.meta.url)('express4');
const GONE = 'a stream that is read to its end';
const WRITE = { scopes: ['mcp:tools:call'] };

const startExpress =
  (framework: typeof express): Start =>
  (toolServer, parser) => {
    const app = framework();
    const parsers: Partial<Record<Parser, express.RequestHandler>> = {
      'express.urlencoded': framework.urlencoded({ extended: false }),
      'express.urlencoded extended': framework.urlencoded({ extended: true }),
      'express.json': framework.json(),
      'express.text': framework.text({ type: () => true }),
      'express.raw': framework.raw({ type: () => true }),
      'a stream that is read to its end': (req, _res, next) => void req.on('end', next).resume(),
    };
    const inFront = parser && parsers[parser];
    if (inFront) app.use(inFront);
    app.use(legate(toolServer));
    app.all('/mcp', requireAccessToken(toolServer), (req, res) => void res.json(req.auth));
    app.all('/write', requireAccessToken(toolServer, WRITE), (req, res) => void res.json(req.auth));
    return listen(app);
  };

const startFastify: Start = async (toolServer, parser) => {
  const app = fastify();
  if (parser === 'formbody') await app.register(formbody);
  if (parser === 'a stream that is read to its end')
    app.addHook('onRequest', async ({ raw }) => {
      await new Promise((resolve) => raw.on('end', resolve).resume());
    });
  await app.register(legateFastify, { toolServer });
  app.all('/mcp', { onRequest: app.requireAccessToken() }, async ({ auth }) => auth);
  app.all('/write', { onRequest: app.requireAccessToken(WRITE) }, async ({ auth }) => auth);
  await app.ready();
  const running = await listen((req, res) => app.routing(req, res));
  return { ...running, stop: () => running.stop().then(() => app.close()) };
};

const startHono: Start = (toolServer, parser) => {
  const app = new Hono<{ Variables: { auth: ToolServerAuthInfo } }>();
  if (parser)
    app.use(async ({ req }, next) => {
      if (parser === 'parseBody') await req.parseBody();
      else if (parser === 'text') await req.text();
      else await req.raw.text();
      await next();
    });
  app.use(legateHono(toolServer));
  app.use('/mcp', requireAccessTokenHono(toolServer));
  app.use('/write', requireAccessTokenHono(toolServer, WRITE));
  app.all('/mcp', (c) => c.json(c.get('auth')));
  app.all('/write', (c) => c.json(c.get('auth')));
  return listen(getRequestListener(app.fetch));
};

const startNode: Start = (toolServer) =>
  listen(
    toNodeListener(async (request, context) => {
      const isWrite = new URL(request.url).pathname === '/write';
      const routes = { [isWrite ? '/write' : '/mcp']: callerRoute };
      return toolServer.router(routes, isWrite ? WRITE : {})(request, context);
    }),
  );
const callerRoute = async (_request: Request, { authInfo }: { authInfo: unknown }) => Response.json(authInfo);

/** Starts `serve`, whose scopes apply to all routes, so no route needs an additional scope. */
const startServe: Start = async (toolServer) => {
  const routes = { '/mcp': callerRoute };
  const server = serve(toolServer, routes, { port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  return runningOf(server);
};

/**
 * The frameworks, each with the parsers from whose result a form can be restored, and with mistakes that lose the body.
 */
export const SERVERS: readonly {
  name: string;
  start: Start;
  parsers: readonly Parser[];
  mistakes: readonly Parser[];
  /** A path that the server lacks */
  omits?: string;
}[] = [
  ...[
    { name: 'Express 5', start: startExpress(express) },
    { name: 'Express 4', start: startExpress(EXPRESS_4) },
  ].map((server) => ({
    ...server,
    parsers: [
      ...(['express.urlencoded', 'express.urlencoded extended', 'express.json'] as const),
      ...(['express.text', 'express.raw'] as const),
    ],
    mistakes: [GONE] as const,
  })),
  { name: 'Fastify', start: startFastify, parsers: ['formbody'], mistakes: [GONE] },
  { name: 'Hono', start: startHono, parsers: ['parseBody', 'text'], mistakes: [GONE] },
  { name: 'node:http', start: startNode, parsers: [], mistakes: [] },
  { name: 'serve', start: startServe, parsers: [], mistakes: [], omits: '/write' },
];
