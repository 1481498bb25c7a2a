import {
  Gauge,
  type Logger,
  type Metrics,
  type ParsedClientCertificate,
  parseClientCertificate,
  UnusableCertificate,
} from '@legate/service';
import { z } from 'zod';

const WARN_BEFORE_SECONDS = 30 * 86_400;

const FAULTS: Readonly<Record<UnusableCertificate['code'], string>> = {
  pem_invalid: 'has no certificate in PEM that can be read',
  private_key_missing: 'needs exactly one private key in PEM, without a passphrase',
  private_key_mismatch: 'begins with a certificate that does not belong to the private key',
};

/**
 * Parses a setting with a client certificate, its chain and its private key in PEM. Error messages never quote the
 * text.
 */
export const certificateSetting = z.string().transform((pem, context): ParsedClientCertificate => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  try {
    const certificate = parseClientCertificate(pem);
    return certificate.expiresAt > Date.now() / 1000
      ? certificate
      : refuse(`expired at ${inWords(certificate)}`);
  } catch (err) {
    if (err instanceof UnusableCertificate) return refuse(FAULTS[err.code]);
    throw err;
  }
});

/**
 * Publishes until when the hub's certificate at the identity provider is valid, and warns if that is soon.
 * @param certificate undefined: the hub has none, and the metric is 0, so that alerts find it
 */
export function watchCertificate(
  certificate: ParsedClientCertificate | undefined,
  { log, metrics, clock }: { log: Pick<Logger, 'warn'>; metrics: Metrics; clock: () => Date },
): void {
  const { expiresAt = 0 } = certificate ?? {};
  new Gauge({
    name: 'idp_certificate_expires_at',
    help: 'Epoch seconds at which the client certificate for the identity provider expires; 0: there is none',
    registers: [metrics.registry],
  }).set(expiresAt);
  if (certificate && expiresAt - clock().getTime() / 1000 < WARN_BEFORE_SECONDS)
    log.warn({ expires_at: inWords(certificate) }, 'IDP_CLIENT_CERTIFICATE expires soon');
}

const inWords = ({ expiresAt }: ParsedClientCertificate): string => new Date(expiresAt * 1000).toISOString();
