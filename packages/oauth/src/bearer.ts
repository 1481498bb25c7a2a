/** RFC 6750 §3.1 */
export type BearerErrorCode = 'invalid_request' | 'invalid_token' | 'insufficient_scope';

export type BearerCredentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed' };

/** Reads `Authorization: Bearer <b64token>` (RFC 6750 §2.1); credentials of another scheme are ignored. */
export function readBearer(authorization: string | undefined): BearerCredentials {
  if (authorization === undefined || !/^bearer(\s|$)/i.test(authorization)) return { kind: 'absent' };
  const match = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization);
  return match?.[1] ? { kind: 'token', token: match[1] } : { kind: 'malformed' };
}

export interface Challenge {
  readonly error?: BearerErrorCode;
  readonly errorDescription?: string;
  readonly scope?: string;
  /** URL of the protected resource metadata (RFC 9728 §5.1) */
  readonly resourceMetadata?: string;
  readonly realm?: string;
}

/** @returns the value of `WWW-Authenticate`; omit `error` if the request had no credentials (RFC 6750 §3.1) */
export function formatBearerChallenge(challenge: Challenge): string {
  const parameters: [string, string | undefined][] = [
    ['realm', challenge.realm],
    ['error', challenge.error],
    ['error_description', challenge.errorDescription],
    ['scope', challenge.scope],
    ['resource_metadata', challenge.resourceMetadata],
  ];
  const present = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${quotable(value)}"`],
  );
  return present.length > 0 ? `Bearer ${present.join(', ')}` : 'Bearer';
}

/**
 * Reads the Bearer challenge of a peer (RFC 9110 §11.6.1); undefined if there is none. Its parameters are untrusted.
 */
export function parseBearerChallenge(
  header: string | undefined,
): Readonly<Record<string, string>> | undefined {
  const start = header?.match(/(?:^|,)\s*bearer(?:\s+|$)/i);
  if (header === undefined || start?.index === undefined) return undefined;
  // Without a prototype, so that inherited members such as `constructor` are not mistaken for parameters.
  const parameters: Record<string, string> = Object.create(null);
  const parameter = /\s*([A-Za-z0-9_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*(?:,|$)/y;
  parameter.lastIndex = start.index + start[0].length;
  for (let match = parameter.exec(header); match; match = parameter.exec(header)) {
    const [, name = '', quoted, plain] = match;
    parameters[name.toLowerCase()] ??= quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
  }
  return parameters;
}

/**
 * Removes characters that could end a quoted string or a header line, so that a value cannot inject headers or
 * parameters.
 */
function quotable(value: string): string {
  return value.replace(/[^\x20-\x7E]|["\\]/g, '');
}
