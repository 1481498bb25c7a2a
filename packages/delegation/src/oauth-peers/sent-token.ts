import { causesOf } from '@legate/guarded-fetch';
import { classifyFailure, isCertificateAlert, type PeerFailure } from './peer-failure.ts';

/** The state of a refresh token that was sent, when there is no usable response. */
export type SentToken =
  /** The token never arrived, or the server did not process it: it may be sent again. */
  | 'untouched'
  /** Processed and refused, with an error code of RFC 6749 §5.2. */
  | 'refused'
  /** Unknown whether it was used: it must not be sent again (RFC 9700 §4.14.2). */
  | 'in_doubt'
  /** The token was used, and the response is unusable. */
  | 'spent';

/** The outcome of a request with a refresh token. */
export type Sent<Tokens, Failure> =
  | { readonly kind: 'refreshed'; readonly tokens: Tokens }
  | { readonly kind: 'refused'; readonly error: string; readonly failure: Failure }
  | { readonly kind: Exclude<SentToken, 'refused'>; readonly failure: Failure };

/** @param err error of the request */
export function afterFailure(err: unknown): Exclude<Sent<never, PeerFailure>, { kind: 'refreshed' }> {
  const failure = classifyFailure(err);
  const kind = becameOfSent(err);
  return kind === 'refused'
    ? { kind, error: failure.kind === 'refused' ? failure.error : failure.reason, failure }
    : { kind, failure };
}

/** Returns true if no connection was made, so nothing was sent. */
const NEVER_SENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_FORBIDDEN_ADDRESS',
  'ERR_CLIENT_CERTIFICATE_EXPIRED',
];

/** openid-client's codes for a successful response that it does not accept, such as an ID token of another issuer. */
const UNUSABLE_ANSWER = /^OAUTH_(?!TIMEOUT|ABORT)/;

/** @param err error of the token request */
export function becameOfSent(err: unknown): SentToken {
  const chain = causesOf(err);
  const status = chain.map((link) => link.status).find((value) => typeof value === 'number');
  if (typeof status !== 'number') {
    const codes = chain.map(({ code }) => String(code));
    if (codes.some((code) => NEVER_SENT.includes(code) || isCertificateAlert(code))) return 'untouched';
    return codes.some((code) => UNUSABLE_ANSWER.test(code)) ? 'spent' : 'in_doubt';
  }
  if (status < 300) return 'spent';
  // RFC 9110 §15.6.4: 503 means that the server currently cannot handle the request. Other 5xx may be sent after it was
  // processed, or by a gateway.
  if (status >= 500) return status === 503 ? 'untouched' : 'in_doubt';
  const failure = classifyFailure(err);
  if (failure.kind !== 'refused') return 'untouched';
  return failure.error === 'temporarily_unavailable' || failure.error === 'slow_down'
    ? 'untouched'
    : 'refused';
}
