import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from './logger.ts';

const INBOUND_REQUEST_ID = /^[\w.-]{8,64}$/;

/** Gives every answer an `X-Request-Id`; a well-formed one from the caller is kept, so that a chain shares it. */
export const requestId: RequestHandler = (req, res, next) => {
  const inbound = req.headers['x-request-id'];
  const id =
    typeof inbound === 'string' && INBOUND_REQUEST_ID.test(inbound) ? inbound : `req_${randomUUID()}`;
  res.setHeader('X-Request-Id', id);
  next();
};

/** One line per answered request: method, path without query (it may hold codes), status, milliseconds. */
export function accessLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    if (!log.isLevelEnabled('info')) return next();
    const startedAt = performance.now();
    res.once('close', () => {
      log.info(
        {
          request_id: res.getHeader('X-Request-Id'),
          method: req.method,
          path: req.originalUrl.split('?')[0],
          status: res.statusCode,
          aborted: !res.writableFinished || undefined,
          ms: Math.round((performance.now() - startedAt) * 100) / 100,
        },
        'request',
      );
    });
    next();
  };
}
