import { generate } from 'selfsigned';

export interface TestCertificate {
  /** PEM */
  readonly certificate: string;
  /** PEM */
  readonly privateKey: string;
  /** The certificate and its private key */
  readonly bundle: string;
}

export interface TestCa extends TestCertificate {
  /**
   * @param options.expired true: it expired long ago
   * @param options.host of a server; default: 127.0.0.1 and localhost
   */
  issue(name: string, options?: { expired?: boolean; host?: string }): Promise<TestCertificate>;
}

const DAY_MS = 86_400_000;
const LONG_AGO = Date.UTC(2020, 0, 1);

/** A CA for one test. It issues certificates for TLS servers and for clients. */
export async function createTestCa(name = 'Test CA'): Promise<TestCa> {
  const root = await generate(commonName(name), {
    ...EC,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    ...toCertificate(root),
    async issue(subject, { expired = false, host } = {}) {
      const notAfter = expired ? LONG_AGO : Date.now() + 30 * DAY_MS;
      return toCertificate(
        await generate(commonName(subject), {
          ...EC,
          ca: { key: root.private, cert: root.cert },
          notBeforeDate: new Date(notAfter - 60 * DAY_MS),
          notAfterDate: new Date(notAfter),
          extensions: [
            { name: 'basicConstraints', cA: false },
            { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
            {
              name: 'subjectAltName',
              altNames: host
                ? [{ type: 2, value: host }]
                : [
                    { type: 2, value: 'localhost' },
                    { type: 7, ip: '127.0.0.1' },
                  ],
            },
          ],
        }),
      );
    },
  };
}

const EC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

const commonName = (value: string) => [{ name: 'commonName', value }];

const toCertificate = (made: { cert: string; private: string }): TestCertificate => ({
  certificate: made.cert,
  privateKey: made.private,
  bundle: `${made.cert}\n${made.private}`,
});
