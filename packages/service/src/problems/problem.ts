import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from '../logs/logger.ts';
import { traceOf } from '../logs/request-context.ts';
import { type ProblemDeclaration, SERVICE_PROBLEMS } from './problem-codes.ts';

/** One fault within a request: its place (exactly one of pointer, parameter and header) and a description. */
export interface FieldProblem {
  /** JSON Pointer into the body */
  readonly pointer?: string;
  /** Query or path parameter */
  readonly parameter?: string;
  readonly header?: string;
  /** Stable, part of the API */
  readonly code: string;
  readonly detail: string;
}

export interface ProblemOptions {
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** A refusal that is meant to happen, such as a limit or an open breaker: logged in one line, whatever its status. */
  readonly isExpected?: boolean;
}

/**
 * An error response. All of it is public; put private details into `cause`. Created by {@link problemsOf}, so that each
 * status and title is written once, in the list of the service.
 */
export abstract class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: readonly FieldProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly isExpected: boolean;

  constructor(
    /** Stable, part of the API: clients decide by it. */
    readonly code: string,
    { status, title, detail }: Pick<ProblemDeclaration, 'status' | 'title' | 'detail'>,
    options: ProblemOptions = {},
  ) {
    super(
      `${code}: ${options.detail ?? detail ?? title}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.status = status;
    this.title = title;
    this.detail = options.detail ?? detail;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.extensions = options.extensions ?? {};
    this.isExpected = options.isExpected ?? false;
  }
}

class ListedProblem extends Problem {}

/**
 * Returns a function that creates the problems of a list, which has the status and the title of each code: `const
 * problem = problemsOf(PROBLEMS)`, then `throw problem('not_found', { detail: '…' })`.
 */
export const problemsOf =
  <Code extends string>(list: Readonly<Record<Code, ProblemDeclaration>>) =>
  (code: Code, options?: ProblemOptions): Problem =>
    new ListedProblem(code, list[code], options);

const problem = problemsOf(SERVICE_PROBLEMS);

/** Restores a problem that was stored with an earlier response: its declaration may have changed since. */
export const pastProblem = (status: number, code: string, title: string, options?: ProblemOptions): Problem =>
  new ListedProblem(code, { status, title }, options);

/** Returns the same problem with further members in its response. */
export const withMembers = (problem: Problem, members: Readonly<Record<string, unknown>>): Problem =>
  new ListedProblem(problem.code, problem, {
    ...optionsOf(problem),
    extensions: { ...problem.extensions, ...members },
  });

const optionsOf = ({ detail, errors, headers, cause, isExpected }: Problem): ProblemOptions => ({
  ...(detail !== undefined && { detail }),
  ...(errors !== undefined && { errors }),
  headers,
  isExpected,
  ...(cause !== undefined && { cause }),
});

export const notFound = (detail?: string): Problem =>
  problem('not_found', detail === undefined ? {} : { detail });

export function methodNotAllowed(allow: readonly string[]): RequestHandler {
  return (req) => {
    throw problem('method_not_allowed', {
      detail: `${req.method} is not supported here.`,
      headers: { Allow: allow.join(', ') },
    });
  };
}

/** Mounted after the last route. */
export const unmatchedRoute: RequestHandler = () => {
  throw notFound('There is nothing at this path.');
};

/**
 * The only place where an error becomes `application/problem+json` (RFC 9457); mounted last.
 * @param options.typeBase absolute URL below which each code is documented; `type` is `{typeBase}/{code}`
 */
export function problemHandler(options: { log: Logger; typeBase: string }): ErrorRequestHandler {
  return (err: unknown, req, res, next) => {
    if (res.headersSent) return next(err);
    const refusal = err instanceof Problem ? err : (fromBodyParser(err) ?? internalError(err));
    const requestId = res.get('X-Request-Id');
    const fields = { code: refusal.code, request_id: requestId, trace_id: traceOf(res)?.traceId };
    if (refusal.isExpected && refusal.status >= 500)
      options.log.warn({ ...fields, reason: reasonOf(refusal) }, 'request refused');
    else if (refusal.status >= 500) options.log.error({ ...fields, err }, 'request failed');
    else options.log.debug(fields, 'request refused');

    res
      .status(refusal.status)
      .set({ 'Cache-Control': 'no-store', ...refusal.headers })
      .type('application/problem+json')
      .send(
        JSON.stringify({
          type: `${options.typeBase}/${refusal.code}`,
          title: refusal.title,
          status: refusal.status,
          code: refusal.code,
          detail: refusal.detail,
          instance: req.originalUrl.split('?')[0],
          request_id: requestId,
          errors: refusal.errors,
          ...refusal.extensions,
        }),
      );
  };
}

/** A description in one line, without a stack */
export const reasonOf = ({ cause, detail }: Problem): string | undefined =>
  cause instanceof Error ? cause.message : detail;

const internalError = (cause: unknown): Problem => problem('internal_error', { cause });

/**
 * Errors of Express and its body parser: malformed JSON or percent-encoding, size, charset, encoding. The parser marks
 * them by `expose` (http-errors), the router by a URIError: a `status` alone may come from a peer's response.
 */
function fromBodyParser(err: unknown): Problem | undefined {
  if (!(err instanceof Error) || !('status' in err) || typeof err.status !== 'number') return undefined;
  if (err instanceof URIError) {
    return problem('malformed_path', {
      detail: 'A percent sign in the path is not followed by the two digits of a UTF-8 byte.',
      cause: err,
    });
  }
  if (!('expose' in err && err.expose === true)) return undefined;
  switch (err.status) {
    case 413:
      return problem('payload_too_large', { cause: err });
    case 415:
      return problem('unsupported_media_type', { cause: err });
    default:
      if (err.status < 400 || err.status > 499) return undefined;
      return problem('malformed_json', { detail: 'The request body could not be parsed.', cause: err });
  }
}
