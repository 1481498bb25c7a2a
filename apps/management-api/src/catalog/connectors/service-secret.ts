import { readClientKey } from '@legate/client-authentication';
import { isApiKey, parseClientCertificate, UnusableCertificate } from '@legate/service';
import type { Connector } from './connector.ts';

/** Maximum length in characters of a secret that is not a certificate */
const MAX_KEY_LENGTH = 4096;

export interface SecretFault {
  readonly code: string;
  /** Description of the fault, which reveals nothing about the secret */
  readonly detail: string;
}

/** Kind of a secret: that of a `service`, the private key of a client, or (null) a client's password */
export type SecretKind = Connector['service_kind'] | 'private_key';

/**
 * Checks that the hub can use a secret, so that the administrator who sets it sees the fault, and not the
 * first user of the connector.
 */
export function faultOfSecret(kind: SecretKind, secret: string, now: Date): SecretFault | undefined {
  if (kind === 'mtls') return faultOfCertificate(secret, now);
  if (kind === 'private_key') return faultOfKey(secret);
  if (secret.length > MAX_KEY_LENGTH)
    return { code: 'too_long', detail: `Must be at most ${MAX_KEY_LENGTH} characters long.` };
  if (kind === 'api_key' && !isApiKey(secret))
    return {
      code: 'api_key_invalid',
      detail: 'Must be visible ASCII characters without spaces: the key is sent in a header.',
    };
  return undefined;
}

function faultOfKey(secret: string): SecretFault | undefined {
  const read = readClientKey(secret);
  return typeof read === 'string'
    ? { code: 'private_key_invalid', detail: `Must be a private JWK: ${read}.` }
    : undefined;
}

const CERTIFICATE_DETAIL: Record<UnusableCertificate['code'], string> = {
  pem_invalid: 'Must be a certificate and its private key in PEM.',
  private_key_missing: 'One private key in PEM, without a passphrase.',
  private_key_mismatch: 'The private key is not that of the first certificate.',
};

function faultOfCertificate(secret: string, now: Date): SecretFault | undefined {
  try {
    const { expiresAt } = parseClientCertificate(secret);
    return expiresAt * 1000 <= now.getTime()
      ? { code: 'certificate_expired', detail: 'The certificate has expired.' }
      : undefined;
  } catch (err) {
    if (err instanceof UnusableCertificate) return { code: err.code, detail: CERTIFICATE_DETAIL[err.code] };
    throw err;
  }
}
