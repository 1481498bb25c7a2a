import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import { answerProtocolFaults, type ProtocolFaultOptions } from '../problems/protocol-faults.ts';
import { closePipelined } from './close-pipelined.ts';

/** Creates an Express application without the version banner and without ETags of dynamic responses. */
export function createExpressApp(options: { trustedProxies?: readonly string[] } = {}): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', [...(options.trustedProxies ?? [])]);
  return app;
}

/**
 * An HTTP server whose requests and responses are created with Express's prototypes. Express otherwise replaces the
 * prototypes of both on every request, and V8 then drops its optimizations for them: without this server a warm tool
 * call takes 43 to 59 % longer, which is why it stays although it depends on how Express works inside (docs/adr/0087).
 * A test fails when an upgrade of Express changes that.
 * @param faults responds to requests that cannot reach the application; undefined: Node does
 */
export function createHttpServer(app: Express, faults?: ProtocolFaultOptions): Server {
  // Derived classes: V8 keeps the shape of their instances, which it does not for `Reflect.construct` with a function.
  class Request extends IncomingMessage {}
  class Response extends ServerResponse<IncomingMessage> {}
  app.request = Object.setPrototypeOf(Request.prototype, app.request);
  app.response = Object.setPrototypeOf(Response.prototype, app.response);
  const server = createServer({
    IncomingMessage: Request,
    ServerResponse: Response,
    // Longer than the idle time-out of common load balancers (60 s), so that the load balancer closes the connection
    // first.
    keepAliveTimeout: 65_000,
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5000, // Node checks the two time-outs above at this interval; its default is 30 s
    requireHostHeader: faults === undefined, // Node's refusal has no body, and does not detect a second header
  });
  closePipelined(server);
  if (faults) answerProtocolFaults(server, app, faults);
  else server.on('request', app);
  return server;
}
