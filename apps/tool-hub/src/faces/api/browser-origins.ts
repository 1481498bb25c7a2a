import { RATE_LIMIT_HEADERS } from '@legate/rate-limit';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { AGENT_HEADER } from '../../connectors/access.ts';
import { CALL_ID_HEADER } from '../../domain/call-id.ts';

/**
 * Lets pages of allowed origins call `/api/v1`; answers their preflights, which carry no token. Pages of other origins get no
 * permission to read, and are not refused: no cookie is ever read here.
 */
export function apiCors(allowedOrigins: readonly string[]): RequestHandler {
  const handle = cors({
    origin: [...allowedOrigins],
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', AGENT_HEADER, 'traceparent', 'tracestate'],
    exposedHeaders: [
      ...['WWW-Authenticate', 'Retry-After', 'Legate-Token-Cache', 'Legate-Acts-As'],
      ...[CALL_ID_HEADER, 'X-Request-Id', ...RATE_LIMIT_HEADERS],
    ],
    maxAge: 7200,
  });
  return (req, res, next) => (req.headers.origin === undefined ? next() : handle(req, res, next));
}
