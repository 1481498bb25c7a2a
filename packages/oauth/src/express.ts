import { inOnePiece } from '@legate/bounded-body/node';
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import { claimedCredentials } from './client-authentication.ts';
import { OAuthError } from './errors.ts';
import { type FormParameters, parseForm } from './form.ts';
import { answerRefusal, type OAuthLog } from './refusal.ts';
import {
  type AuthenticationFailures,
  checkTokenRequest,
  limitFailures,
  MAX_FORM_BYTES,
  NO_STORE,
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

/** Options of an endpoint at which clients authenticate. */
export interface TokenEndpointOptions {
  /** The parser of the form's text, as in `tokenEndpointForm` */
  readonly readText?: RequestHandler | undefined;
  /** Returns true if a response with 400 counts as a failure, like one with 401. Default: it does not */
  readonly countsRefusal?: ((form: FormParameters) => boolean) | undefined;
  /** True for token revocation, as in `limitFailures` */
  readonly takesAnyToken?: boolean | undefined;
  /** Returns true for a form with a code or token that this server has given to that client. */
  readonly isKnown?: ((form: FormParameters, client: string | undefined) => Promise<boolean>) | undefined;
}

/**
 * Protects an endpoint at which clients authenticate, with `tokenEndpointForm` and the limit on failures. `trust proxy`
 * must name the proxies in front, otherwise all clients behind a proxy have the same address.
 * @param failures undefined: failures are not limited
 * @throws {OAuthError} for the same reasons as `tokenEndpointForm` and `limitFailures`
 */
export function tokenEndpoint(
  failures: AuthenticationFailures | undefined,
  options: TokenEndpointOptions = {},
): RequestHandler[] {
  const { readText, countsRefusal, takesAnyToken, isKnown } = options;
  if (!failures) return tokenEndpointForm(readText);
  return [
    ...tokenEndpointForm(readText),
    async (req, res, next) => {
      const form = formOf(res);
      const claimed = claimedCredentials(req.headers.authorization, form);
      const attempt = { ...claimed, ...(isKnown && { isKnown: () => isKnown(form, claimed.client) }) };
      const isFailure = (status: number) =>
        status === 401 || (status === 400 && countsRefusal?.(form) === true);
      const answered = await limitFailures(failures, req.ip, attempt, { isFailure, takesAnyToken });
      res.once('finish', () => answered(res.statusCode));
      next();
    },
  ];
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
 * body-parser errors for an invalid length, charset, encoding or size are caused by the client. `expose` (http-errors)
 * identifies them: a `status` alone may come from a peer's response.
 */
function fromBodyParser(err: unknown): OAuthError | undefined {
  if (!(err instanceof Error) || !('status' in err) || typeof err.status !== 'number') return undefined;
  if (!('expose' in err) || err.expose !== true || err.status < 400 || err.status > 499) return undefined;
  return new OAuthError('invalid_request', err.message, { cause: err, status: err.status });
}
