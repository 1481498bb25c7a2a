import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import { OAuthError, PUBLIC_TEXT } from './errors.ts';
import { type FormParameters, parseForm } from './form.ts';

declare global {
  namespace Express {
    interface Locals {
      /** Set by `tokenEndpointForm` on a token endpoint. */
      form?: FormParameters;
    }
  }
}

/** The two log calls that the error handler makes; pino fits. */
export interface OAuthLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const FORM = 'application/x-www-form-urlencoded';
/** Also as the last of two: a browser joins them where an application has set one and its library another (MCP Inspector 1). */
const FORM_TYPE = /(?:^|,[ \t]*)application\/x-www-form-urlencoded[ \t]*(;[^,]*)?$/i;
/** An ID-JAG takes about 1 KB; 64 KB leave room for client assertions and large group lists. */
const MAX_FORM_BYTES = 65_536;

/**
 * Protects a token endpoint: only POST, only a form, within the size limit. Puts the form into `res.locals.form`.
 * @param readText reads the text of the form into `req.body`; default: `express.text`
 * @throws {OAuthError} `invalid_request` as 405, 413 or 415
 */
export function tokenEndpointForm(readText = textOfForm()): RequestHandler[] {
  return [
    (req, res, next) => {
      noStore(res);
      if (req.method !== 'POST') {
        throw new OAuthError('invalid_request', `method ${req.method}`, {
          status: 405,
          headers: { Allow: 'POST' },
        });
      }
      if (!FORM_TYPE.test(req.headers['content-type'] ?? '')) {
        throw new OAuthError('invalid_request', 'content type', {
          status: 415,
          headers: { 'Accept-Post': FORM },
        });
      }
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
  express.text({ type: () => true, limit: MAX_FORM_BYTES, defaultCharset: 'utf-8' });

/** Counts clients that fail to authenticate, by their address; the failure limiter of `@legate/rate-limit` fits. */
export interface AuthenticationFailures {
  /** @returns seconds until requests from this address are taken again, or 0 */
  blockedSeconds(address: string | undefined): number;
  recordFailure(address: string | undefined): Promise<void>;
}

/**
 * Delays an address whose client authentication keeps failing, so that secrets cannot be guessed (OAuth 2.1 §2.4).
 * `trust proxy` must name the proxies in front, or all clients behind one are delayed together.
 * @throws {OAuthError} `temporarily_unavailable` as 429 with `Retry-After`
 */
export function refuseAfterFailures(failures: AuthenticationFailures): RequestHandler {
  return (req, res, next) => {
    const seconds = failures.blockedSeconds(req.ip);
    if (seconds > 0) {
      throw new OAuthError('temporarily_unavailable', 'too many failed authentications', {
        status: 429,
        headers: { 'Retry-After': String(seconds) },
      });
    }
    const { ip } = req;
    // A limiter that fails must not fail a request that is answered already.
    res.once('finish', () => void (res.statusCode === 401 && failures.recordFailure(ip).catch(() => {})));
    next();
  };
}

/** The form that `tokenEndpointForm` read. */
export function formOf(res: Response): FormParameters {
  const { form } = res.locals;
  if (!form) throw new Error('tokenEndpointForm was not mounted in front of this route');
  return form;
}

/** RFC 6749 §5.1: responses of a token endpoint contain or concern secrets. */
export function noStore(res: Response): void {
  res.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
}

/** The only place where a refusal becomes HTTP; mounted last, on the OAuth routers. */
export function oauthErrorHandler(log: OAuthLog): ErrorRequestHandler {
  return (err: unknown, _req, res, next) => {
    if (res.headersSent) return next(err);
    noStore(res);
    const refusal = err instanceof OAuthError ? err : fromBodyParser(err);
    if (!refusal) {
      log.error({ err }, 'oauth request failed');
      res.status(500).json({ error: 'server_error' }); // ours: the caller learns nothing more
      return;
    }
    const fields = {
      code: refusal.code,
      reason: refusal.reason,
      request_id: res.get('X-Request-Id'),
    };
    // An outage is ours to fix, so its cause is logged; a refusal is the caller's.
    if (refusal.status >= 500) log.error({ ...fields, err: refusal }, 'oauth request not answered');
    else log.info(fields, 'oauth request refused');
    if (refusal.status === 503) res.set('Retry-After', '5');
    res
      .status(refusal.status)
      .set(refusal.headers)
      .json({ error: refusal.code, error_description: PUBLIC_TEXT[refusal.code] });
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
