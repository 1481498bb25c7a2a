import { inOnePiece } from '@legate/bounded-body/node';
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import { OAuthError } from './errors.ts';
import { type FormParameters, parseForm } from './form.ts';
import { answerRefusal, type OAuthLog } from './refusal.ts';
import {
  type AuthenticationFailures,
  checkTokenRequest,
  MAX_FORM_BYTES,
  NO_STORE,
  recordIfFailed,
  refuseBlocked,
} from './token-request.ts';

export type { AuthenticationFailures, OAuthLog };

declare global {
  namespace Express {
    interface Locals {
      /** Set by `tokenEndpointForm` on a token endpoint. */
      form?: FormParameters;
    }
  }
}

/**
 * Protects a token endpoint: only POST, only a form, within the size limit. Puts the form into `res.locals.form`.
 * @param readText reads the text of the form into `req.body`; default: `express.text`
 * @throws {OAuthError} `invalid_request` as 405, 413 or 415
 */
export function tokenEndpointForm(readText = textOfForm()): RequestHandler[] {
  return [
    (req, res, next) => {
      noStore(res);
      checkTokenRequest(req.method, req.headers['content-type']);
      next();
    },
    readText,
    (req, res, next) => {
      res.locals.form = parseForm(typeof req.body === 'string' ? req.body : '');
      next();
    },
  ];
}

/** Accepts any type, because the type has been checked before. */
const textOfForm = (): RequestHandler =>
  inOnePiece(
    MAX_FORM_BYTES,
    express.text({ type: () => true, limit: MAX_FORM_BYTES, defaultCharset: 'utf-8' }),
  );

/**
 * Delays an address whose client authentication keeps failing. `trust proxy` must name the proxies in front, or all
 * clients behind one are delayed together.
 * @throws {OAuthError} `temporarily_unavailable` as 429 with `Retry-After`
 */
export function refuseAfterFailures(failures: AuthenticationFailures): RequestHandler {
  return (req, res, next) => {
    const { ip } = req;
    refuseBlocked(failures, ip);
    res.once('finish', () => recordIfFailed(failures, ip, res.statusCode));
    next();
  };
}

/** The form that `tokenEndpointForm` read. */
export function formOf(res: Response): FormParameters {
  const { form } = res.locals;
  if (!form) throw new Error('tokenEndpointForm was not mounted in front of this route');
  return form;
}

export function noStore(res: Response): void {
  res.set(NO_STORE);
}

/** Mounted last, on the OAuth routers. */
export function oauthErrorHandler(log: OAuthLog): ErrorRequestHandler {
  return (err: unknown, _req, res, next) => {
    if (res.headersSent) return next(err);
    const { status, headers, body } = answerRefusal(log, fromBodyParser(err) ?? err, {
      request_id: res.get('X-Request-Id'),
    });
    res.status(status).set(headers).json(body);
  };
}

/**
 * body-parser errors for a bad length, charset, encoding or size are the client's fault. `expose` (http-errors)
 * identifies them: a `status` alone may come from a peer's response.
 */
function fromBodyParser(err: unknown): OAuthError | undefined {
  if (!(err instanceof Error) || !('status' in err) || typeof err.status !== 'number') return undefined;
  if (!('expose' in err) || err.expose !== true || err.status < 400 || err.status > 499) return undefined;
  return new OAuthError('invalid_request', err.message, { cause: err, status: err.status });
}
