import type { Problem } from '@legate/service';

/** A JSON-RPC error at `/mcp`. All of it is public; private details belong in `cause`. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  /** `data` of a tool server's error, as its original text */
  readonly dataText: string | undefined;

  constructor(
    readonly code: number,
    message: string,
    options: {
      /** HTTP status; 200 for errors found while a request runs */
      status?: number;
      data?: Record<string, unknown>;
      dataText?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status ?? 200;
    this.data = options.data;
    this.dataText = options.dataText;
  }
}

/**
 * Returns the JSON-RPC error of a problem. Our own codes are HTTP statuses, because JSON-RPC 2.0 §5.1 and MCP reserve
 * -32768 to -32000.
 */
export function fromProblem(problem: Problem, status = 200): RpcError {
  return new RpcError(problem.status, problem.detail ?? problem.title, {
    status,
    data: problemMembers(problem),
    cause: problem,
  });
}

/** Returns the members for programs, which are the same as in our problem details. */
export const problemMembers = ({ code, extensions, headers }: Problem): Record<string, unknown> => ({
  code,
  ...Object.fromEntries(Object.entries(extensions).filter(([, value]) => value !== undefined)),
  ...(headers['Retry-After'] && { retry_after_seconds: Number(headers['Retry-After']) }),
});
