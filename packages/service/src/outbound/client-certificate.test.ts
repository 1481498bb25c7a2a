import { beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyPair } from '@legate/testing';
import { createTestCa, type TestCa, type TestCertificate } from '../testing/certificates.ts';
import { isCertificateBundle, parseClientCertificate, UnusableCertificate } from './client-certificate.ts';

let ca: TestCa;
let own: TestCertificate;
beforeAll(async () => {
  ca = await createTestCa();
  own = await ca.issue('hub');
});

const faultOf = (pem: string): string | undefined => {
  try {
    parseClientCertificate(pem);
  } catch (err) {
    if (err instanceof UnusableCertificate) return err.code;
    throw err;
  }
  return undefined;
};
const encrypted = () =>
  createKeyPair({ namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString();

describe('a client certificate', () => {
  it('is read with its chain and its key, in any order and with any text between them', () => {
    const parsed = parseClientCertificate(
      `subject=hub\n${own.certificate}\r\nissuer=CA\n${own.privateKey}\n${ca.certificate}`,
    );
    expect(parsed.certificate.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(parsed.certificate).not.toContain('PRIVATE');
    expect(parsed.privateKey.trim()).toBe(own.privateKey.trim());
    expect(parsed.expiresAt).toBeGreaterThan(Date.now() / 1000 + 29 * 86_400);
  });

  it.each<[string, () => string, string]>([
    ['nothing in PEM', () => 'an-api-key-of-sixteen', 'pem_invalid'],
    ['no certificate', () => own.privateKey, 'pem_invalid'],
    [
      'a certificate that is none',
      () => `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${own.privateKey}`,
      'pem_invalid',
    ],
    ['no private key', () => own.certificate, 'private_key_missing'],
    ['two private keys', () => own.bundle + own.privateKey, 'private_key_missing'],
    ['a private key under a passphrase', () => own.certificate + encrypted(), 'private_key_missing'],
    ['the key of another certificate', () => own.certificate + ca.privateKey, 'private_key_mismatch'],
    ['its CA in front', () => ca.certificate + own.bundle, 'private_key_mismatch'],
  ])('is refused with %s, and the message contains nothing of the text', (_case, pem, code) => {
    expect(faultOf(pem())).toBe(code);
  });
});

describe('CA certificates', () => {
  it('are one or more in PEM', () => {
    expect(isCertificateBundle(ca.certificate)).toBe(true);
    expect(isCertificateBundle(`${ca.certificate}\n${own.certificate}\n`)).toBe(true);
  });

  it.each<[string, () => string]>([
    ['a key', () => own.bundle],
    ['text', () => `CA\n${ca.certificate}`],
    ['nothing', () => ''],
    ['what is no certificate', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
  ])('are not read from %s', (_case, pem) => {
    expect(isCertificateBundle(pem())).toBe(false);
  });
});
