import { shownValue } from '@legate/oauth';

/** The peer did not respond, or its response is unusable. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  constructor(
    /** `no_memory`: the response exceeds the memory left for the caller. */
    readonly kind: 'unavailable' | 'unusable' | 'certificate_refused' | 'no_memory',
    readonly reason: string,
    /** True if there was no connection, so no part of the request can have arrived. */
    readonly isUnsent = false,
  ) {
    super(reason);
  }
}

export const tooLarge = (maxBytes: number): HttpFailure =>
  new HttpFailure('unusable', `it answered with more than ${maxBytes} bytes`);

export const tooFragmented = (): HttpFailure =>
  new HttpFailure('unusable', 'it answered in too many small chunks');

/** @param encoding `Content-Encoding` of a response */
export const unknownEncoding = (encoding: string): HttpFailure =>
  new HttpFailure(
    'unusable',
    `the Content-Encoding of its answer, ${shownValue(encoding)}, is none that we asked for`,
  );

export const notEncoded = (encoding: string): HttpFailure =>
  new HttpFailure('unusable', `its answer is not ${encoding}, which its Content-Encoding says`);

export const callerGone = (): HttpFailure => new HttpFailure('unavailable', 'its caller went away');

export const noMemory = (): HttpFailure =>
  new HttpFailure('no_memory', 'there is no memory left for its answer');

export function toFailure(err: Error, isUnsent: boolean): HttpFailure {
  const code = 'code' in err && typeof err.code === 'string' ? err.code : 'network';
  if (code === 'ERR_FORBIDDEN_ADDRESS')
    return new HttpFailure('unusable', 'requests to its address are not allowed');
  if (UNTRUSTED.has(code)) return new HttpFailure('unusable', `its certificate is not trusted (${code})`);
  if (REFUSED_CERTIFICATE.test(code))
    return new HttpFailure('certificate_refused', `it wants another certificate of ours (${code})`);
  return new HttpFailure('unavailable', `it cannot be reached (${code})`, isUnsent);
}

/** Faults of a server's certificate, which a retry cannot fix. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** Alerts 42 to 48 and 116 (RFC 8446 §6.2) as OpenSSL names them. A server may also just close the connection. */
const REFUSED_CERTIFICATE =
  /^ERR_SSL_(?:SSLV3_ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+)|TLSV1_ALERT_(?:UNKNOWN_CA|ACCESS_DENIED)|TLSV13_ALERT_CERTIFICATE_REQUIRED)$/;
