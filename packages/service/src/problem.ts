import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from './logger.ts';
import type { DeclaredProblems, ProblemCode } from './problem-codes.ts';

/** One fault within a request: where it is (exactly one of the three) and what is wrong. */
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

class AnyProblem extends Error {
  override readonly name = 'Problem';
  readonly detail: string | undefined;
  readonly errors: readonly FieldProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly isExpected: boolean;

  constructor(
    readonly status: number,
    /** Stable, part of the API: clients decide by it. */
    readonly code: string,
    readonly title: string,
    options: ProblemOptions = {},
  ) {
    super(
      `${code}: ${options.detail ?? title}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.detail = options.detail;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.extensions = options.extensions ?? {};
    this.isExpected = options.isExpected ?? false;
  }
}

/** An answer that is not a success. All of it is public; what is not belongs into `cause`. */
export type Problem = AnyProblem;
/** Takes what is declared, and nothing else. */
export const Problem: new <Code extends ProblemCode>(
  status: DeclaredProblems[Code]['status'],
  code: Code,
  title: DeclaredProblems[Code]['title'],
  options?: ProblemOptions,
) => Problem = AnyProblem;

/** A problem that was answered before, as it was then: what is declared may have changed meanwhile. */
export const pastProblem = (status: number, code: string, title: string, options?: ProblemOptions): Problem =>
  new AnyProblem(status, code, title, options);

export const notFound = (detail?: string): Problem =>
  new Problem(404, 'not_found', 'Not found', detail === undefined ? {} : { detail });

export function methodNotAllowed(allow: readonly string[]): RequestHandler {
  return (req) => {
    throw new Problem(405, 'method_not_allowed', 'Method not allowed', {
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
    const problem = err instanceof Problem ? err : (fromBodyParser(err) ?? internalError(err));
    const requestId = res.get('X-Request-Id');
    const fields = { code: problem.code, request_id: requestId };
    if (problem.isExpected && problem.status >= 500)
      options.log.warn({ ...fields, reason: reasonOf(problem) }, 'request refused');
    else if (problem.status >= 500) options.log.error({ ...fields, err }, 'request failed');
    else options.log.debug(fields, 'request refused');

    res
      .status(problem.status)
      .set({ 'Cache-Control': 'no-store', ...problem.headers })
      .type('application/problem+json')
      .send(
        JSON.stringify({
          type: `${options.typeBase}/${problem.code}`,
          title: problem.title,
          status: problem.status,
          code: problem.code,
          detail: problem.detail,
          instance: req.originalUrl.split('?')[0],
          request_id: requestId,
          errors: problem.errors,
          ...problem.extensions,
        }),
      );
  };
}

/** In one line: what is in the way, and not where in the code that was found out */
export const reasonOf = ({ cause, detail }: Problem): string | undefined =>
  cause instanceof Error ? cause.message : detail;

const internalError = (cause: unknown): Problem =>
  new Problem(500, 'internal_error', 'Internal error', { cause });

/**
 * What Express and its body parser refuse: malformed JSON or percent-encoding, size, charset, encoding. The parser says
 * so by `expose` (http-errors), the router by a URIError: a `status` alone may be what a peer of ours answered.
 */
function fromBodyParser(err: unknown): Problem | undefined {
  if (!(err instanceof Error) || !('status' in err) || typeof err.status !== 'number') return undefined;
  if (err instanceof URIError) {
    return new Problem(400, 'malformed_path', 'Malformed path', {
      detail: 'A percent sign in the path is not followed by the two digits of a UTF-8 byte.',
      cause: err,
    });
  }
  if (!('expose' in err && err.expose === true)) return undefined;
  switch (err.status) {
    case 413:
      return new Problem(413, 'payload_too_large', 'Payload too large', { cause: err });
    case 415:
      return new Problem(415, 'unsupported_media_type', 'Unsupported media type', { cause: err });
    default:
      if (err.status < 400 || err.status > 499) return undefined;
      return new Problem(400, 'malformed_json', 'Malformed request', {
        detail: 'The request body could not be parsed.',
        cause: err,
      });
  }
}
