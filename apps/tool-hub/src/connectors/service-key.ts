import type { CertificateKey, ServiceKey } from '@legate/delegation';
import {
  apiKeyHeader,
  isApiKey,
  isCertificateBundle,
  parseClientCertificate,
  UnusableCertificate,
} from '@legate/service';

/** @returns the key, or the reason, in our own words, why it cannot be used */
export function readApiKey(header: string, value: string): ServiceKey | string {
  if (!apiKeyHeader.safeParse(header).success) return 'its API key is for a header that has another purpose';
  if (!isApiKey(value)) return 'its API key cannot be sent in a header';
  return { kind: 'api_key', header: header.toLowerCase(), value };
}

/**
 * @returns the key, or the reason, in our own words, why it cannot be used; expiry is reported only when the
 * certificate is used
 */
export function readCertificateKey(pem: string, trustedCas: string | undefined): CertificateKey | string {
  if (trustedCas !== undefined && !isCertificateBundle(trustedCas)) return 'its CA certificates are not PEM';
  try {
    return { kind: 'mtls', ...parseClientCertificate(pem), trustedCas };
  } catch (err) {
    if (err instanceof UnusableCertificate) return `its client certificate cannot be used (${err.code})`;
    throw err;
  }
}
