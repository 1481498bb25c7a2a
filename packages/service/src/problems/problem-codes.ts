/** Describes a problem code: for the response, and for the page at its `type`. */
export interface ProblemDeclaration {
  readonly status: number;
  /** A title that is the same for every occurrence (RFC 9457 §3.1.3) */
  readonly title: string;
  /** What happened, in a sentence or two */
  readonly meaning: string;
  /** What the recipient can do */
  readonly remedy: string;
  /** Default of `detail` */
  readonly detail?: string | undefined;
}

export type ProblemDeclarations = Readonly<Record<string, ProblemDeclaration>>;

/** Problems that any service may return. */
export const SERVICE_PROBLEMS = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    meaning:
      'The bytes are not an HTTP/1.1 request, or one that can be interpreted in two ways. The connection is closed.',
    remedy: 'Send one Host header, and one length: either Content-Length or chunked encoding.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed request',
    meaning: 'The body could not be parsed, or an object in it has two members of the same name.',
    remedy: 'Send JSON in UTF-8, with each member of an object only once.',
  },
  malformed_path: {
    status: 400,
    title: 'Malformed path',
    meaning: 'A percent sign in the path is not followed by the two digits of a UTF-8 byte.',
    remedy: 'Percent-encode the path as UTF-8.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is nothing at this path, or nothing that the caller is allowed to see.',
    remedy: 'Check the path, and the ids in it, against the API documentation.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists, but it does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request did not arrive in time, and was not processed. The connection is closed.',
    remedy: 'Send it again, on a new connection.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    meaning: 'The body is larger than this endpoint accepts.',
    remedy: 'Send less, or split it into several requests.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'This endpoint does not support the Content-Type, charset or encoding of the body.',
    remedy: 'Send the type that is named in detail or in the Accept header, in UTF-8 and uncompressed.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    meaning: 'The Expect header has a value other than 100-continue.',
    remedy: 'Omit the header.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The request line and the headers together are larger than 16 KiB. The connection is closed.',
    remedy: 'Shorten them. The cause is usually a cookie, a token or a query.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'The service failed. Its log has the error under the request id.',
    remedy: 'Try again later. If the problem persists, give the operator the request_id.',
  },
} as const satisfies ProblemDeclarations;
