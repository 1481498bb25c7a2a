import { RATE_LIMIT_HEADERS } from '@legate/rate-limit';
import cors from 'cors';
import type { RequestHandler } from 'express';

/**
 * Lets pages of these origins call the API from a browser; a site's `allowed_origins` only concern embedding. Handles
 * to preflights before authentication and counting (Fetch standard §4.8: they carry no token). Never allows
 * credentials: what a browser sends automatically, such as the sign-in cookie, must not reach it from other origins.
 * Every response has `Vary: Origin`, or a cache would return one origin's refusal to another.
 */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const handle = cors({
    origin: [...origins], // cors compares a list of origins string by string
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      ...['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'Idempotency-Key'],
      ...['traceparent', 'tracestate'],
    ],
    exposedHeaders: [
      ...RATE_LIMIT_HEADERS,
      'API-Version',
      'Content-Disposition',
      'ETag',
      'Idempotent-Replayed',
      'Legate-From',
      'Legate-Revocation',
      'Link',
      'Location',
      'WWW-Authenticate',
      'X-Request-Id',
    ],
    maxAge: 600,
  });
  return (req, res, next) => {
    if (req.headers.origin !== undefined) return handle(req, res, next);
    res.vary('Origin');
    next();
  };
}
