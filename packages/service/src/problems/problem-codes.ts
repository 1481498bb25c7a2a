/** Describes a problem code: for the response, and for the page at its `type`. */
export interface ProblemDeclaration {
  readonly status: number;
  /** A title that is the same for every occurrence (RFC 9457 §3.1.3) */
  readonly title: string;
  /** What happened, in a sentence or two */
  readonly meaning: string;
  /** What the recipient can do */
  readonly remedy: string;
  /** `detail` of an occurrence that has none of its own */
  readonly detail?: string | undefined;
}

export type ProblemDeclarations = Readonly<Record<string, ProblemDeclaration>>;

/** Problems that any service may return. */
export const SERVICE_PROBLEMS = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    meaning:
      'What came is no HTTP/1.1 request, or one that can be read in two ways. The connection is closed.',
    remedy: 'Send one Host header, and one length: either Content-Length or chunks.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed request',
    meaning: 'The body could not be parsed, or an object in it has two members of the same name.',
    remedy: 'Send JSON in UTF-8, each member of an object once.',
  },
  malformed_path: {
    status: 400,
    title: 'Malformed path',
    meaning: 'A percent sign in the path is not followed by the two digits of a UTF-8 byte.',
    remedy: 'Percent-encode what stands in the path, as UTF-8.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is nothing at this path, or nothing that the caller may know of.',
    remedy: 'Compare the path and the ids in it with the documents of the service.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'There is something at this path, but this method does nothing with it.',
    remedy: 'Use one of the methods that the Allow header names.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request did not arrive in time. Nothing was done. The connection is closed.',
    remedy: 'Send it again, on a new connection.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    meaning: 'The body has more bytes than are read here.',
    remedy: 'Send less, or in several requests.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The Content-Type, charset or encoding of the body is not one that is read here.',
    remedy: 'Send the type that detail, or the Accept header, names; in UTF-8 and not compressed.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    meaning: 'The Expect header asks for something else than 100-continue.',
    remedy: 'Leave the header out.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The request line and the headers together have more than 16 KiB. The connection is closed.',
    remedy: 'Shorten them: most often it is a cookie, a token or a query.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'The fault is ours. The log has it under the request id.',
    remedy: 'Try again later, and tell the operator the request_id.',
  },
} as const satisfies ProblemDeclarations;
