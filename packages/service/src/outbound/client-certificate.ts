import { createPrivateKey, X509Certificate } from 'node:crypto';

/** A certificate and its private key, from one text in PEM. */
export interface ParsedClientCertificate {
  /** PEM: the certificate first, then its chain */
  readonly certificate: string;
  /** PEM */
  readonly privateKey: string;
  /** Epoch seconds at which it expires */
  readonly expiresAt: number;
}

/** `message` is a fixed text, because the faulty value is a secret. */
export class UnusableCertificate extends Error {
  override readonly name = 'UnusableCertificate';
  constructor(readonly code: 'pem_invalid' | 'private_key_missing' | 'private_key_mismatch') {
    super(code);
  }
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g;

/**
 * Reads a bundle: our certificate, further ones up to its CA, and the unencrypted private key at any place. Does not
 * check whether it has expired.
 * @throws {UnusableCertificate}
 */
export function parseClientCertificate(pem: string): ParsedClientCertificate {
  const blocks = [...pem.matchAll(BLOCK)].map(([text, label = '']) => ({ text, label }));
  const certificates = blocks.filter(({ label }) => label === 'CERTIFICATE').map(({ text }) => text);
  const [first] = parseCertificates(certificates);
  if (!first) throw new UnusableCertificate('pem_invalid');
  const [key, ...others] = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'));
  if (!key || others.length > 0) throw new UnusableCertificate('private_key_missing');
  if (!fits(first, key.text)) throw new UnusableCertificate('private_key_mismatch');
  return {
    certificate: `${certificates.join('\n')}\n`,
    privateKey: `${key.text}\n`,
    expiresAt: Math.floor(Date.parse(first.validTo) / 1000),
  };
}

/** Returns true if a text consists of readable PEM certificates and nothing else. */
export function isCertificateBundle(pem: string): boolean {
  const blocks = [...pem.matchAll(BLOCK)];
  if (blocks.length === 0 || pem.replace(BLOCK, '').trim() !== '') return false;
  try {
    return parseCertificates(blocks.map(([text]) => text)).length === blocks.length;
  } catch {
    return false;
  }
}

function parseCertificates(blocks: readonly string[]): X509Certificate[] {
  try {
    return blocks.map((text) => new X509Certificate(text));
  } catch {
    throw new UnusableCertificate('pem_invalid');
  }
}

function fits(certificate: X509Certificate, privateKey: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(privateKey));
  } catch {
    throw new UnusableCertificate('private_key_missing');
  }
}
