import { readBytes } from '@legate/bounded-body';

/** Read access to the headers of a request: a `Request` has it, and adapters implement it cheaply. */
export interface RequestHeaders {
  readonly headers: { get(name: string): string | null };
}

/**
 * A request as the endpoints read it. On Node.js the objects of the Fetch standard cost a third of a token request, so
 * adapters of node:http pass this instead of a `Request`.
 */
export interface PlainRequest extends RequestHeaders {
  readonly method: string;
  /** The path, without the query */
  readonly pathname: string;
  /** The result of the application's body parser; null: the body was read and is lost; undefined: it was not read. */
  readonly parsedBody: unknown;
  /** @throws {ByteLimitExceeded}, and the error with which the connection fails */
  readBody(maxBytes: number): Promise<Uint8Array>;
}

/** The response to a {@link PlainRequest}. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A JSON response, with the same media type as in Express and Fastify. */
export const jsonAnswer = (
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PlainAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
});

export const toResponse = ({ body, ...init }: PlainAnswer): Response => new Response(body, init);

/** @param parsedBody the result of a body parser that has read the body, if there was one */
export const plainRequest = (request: Request, parsedBody?: unknown): PlainRequest => ({
  method: request.method,
  pathname: new URL(request.url).pathname,
  headers: request.headers,
  parsedBody: parsedBody === undefined && request.bodyUsed ? null : parsedBody,
  readBody: (maxBytes) => readBytes(request.body, maxBytes),
});
