import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';
import { createTestCa, type TestCertificate } from '@legate/service/testing';
import { createPrivateJwk } from '@legate/testing';

// Tests how the hub, as a process, refuses settings of its client at the identity provider that do not match.

const KEYS = JSON.stringify({ keys: [{ ...createPrivateJwk({ namedCurve: 'P-256' }), kid: 'a' }] });
const METHOD = 'IDP_TOKEN_ENDPOINT_AUTH_METHOD';
let certificate: TestCertificate;
let expired: TestCertificate;
beforeAll(async () => {
  const ca = await createTestCa();
  [certificate, expired] = await Promise.all([ca.issue('hub'), ca.issue('hub', { expired: true })]);
});

function start(settings: Record<string, string>): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    IDP_ISSUER: 'https://idp.example',
    IDP_CLIENT_ID: 'tool-hub',
    CONNECTORS_FILE: join(ROOT, 'infra/development/connectors.json'),
    ...settings,
  };
  return new Promise((resolve) =>
    execFile(process.execPath, [join(ROOT, 'apps/tool-hub/dist/main.js')], { env }, (err, stdout, stderr) =>
      resolve({ code: err?.code, stdout, stderr }),
    ),
  );
}

it.each<[string, () => Record<string, string>, string]>([
  [
    'a method of a certificate, and a secret',
    () => ({ IDP_CLIENT_SECRET: 's3cret', [METHOD]: 'tls_client_auth' }),
    `${METHOD}, IDP_CLIENT_SECRET: tls_client_auth needs IDP_CLIENT_CERTIFICATE instead`,
  ],
  [
    'a method of a secret, and keys',
    () => ({ IDP_CLIENT_KEYS: KEYS, [METHOD]: 'client_secret_basic' }),
    `${METHOD}, IDP_CLIENT_KEYS: client_secret_basic needs IDP_CLIENT_SECRET instead`,
  ],
  [
    'a method of keys, and a certificate',
    () => ({ IDP_CLIENT_CERTIFICATE: certificate.bundle, [METHOD]: 'private_key_jwt' }),
    `${METHOD}, IDP_CLIENT_CERTIFICATE: private_key_jwt needs IDP_CLIENT_KEYS instead`,
  ],
  [
    'keys and a certificate',
    () => ({ IDP_CLIENT_KEYS: KEYS, IDP_CLIENT_CERTIFICATE: certificate.bundle }),
    'IDP_CLIENT_KEYS, IDP_CLIENT_CERTIFICATE: one of them, and not both',
  ],
  [
    'an expired certificate',
    () => ({ IDP_CLIENT_CERTIFICATE: expired.bundle }),
    'IDP_CLIENT_CERTIFICATE: expired at 2020-01-01T00:00:00.000Z',
  ],
])('exits with %s, and names the settings without their values', async (_case, settings, fault) => {
  const { code, stdout, stderr } = await start(settings());
  expect([code, stdout, stderr]).toEqual([1, '', `configuration: 1 fault(s)\n  ${fault}\n`]);
});
