import { expect, it } from '@jest/globals';
import { createMetrics } from '@legate/service';
import { watchCertificate } from './certificate.ts';

const EXPIRES_AT = Date.UTC(2026, 5, 30) / 1000;
const DAY_SECONDS = 86_400;

/** @returns what was logged, and the gauge, of a hub that starts so many days before its certificate expires */
async function startedBefore(days: number | undefined) {
  const metrics = createMetrics('tool-hub');
  const warnings: unknown[] = [];
  watchCertificate(
    days === undefined
      ? undefined
      : { certificate: 'a certificate', privateKey: 'a key', expiresAt: EXPIRES_AT },
    {
      log: { warn: (...line: unknown[]) => void warnings.push(...line) },
      metrics,
      clock: () => new Date((EXPIRES_AT - (days ?? 0) * DAY_SECONDS) * 1000),
    },
  );
  const exposed = await metrics.registry.getSingleMetricAsString('idp_certificate_expires_at');
  metrics.registry.clear();
  return { warnings, gauge: Number(exposed.split(' ').at(-1)) };
}

it('publishes when the certificate expires', async () => {
  expect((await startedBefore(365)).gauge).toBe(EXPIRES_AT);
});

it('publishes 0, and warns of nothing, without a certificate', async () => {
  expect(await startedBefore(undefined)).toEqual({ gauge: 0, warnings: [] });
});

it.each([
  [31, []],
  [29, [{ expires_at: '2026-06-30T00:00:00.000Z' }, 'IDP_CLIENT_CERTIFICATE expires soon']],
])('warns at the start if it expires in less than 30 days (%i)', async (days, warnings) => {
  expect((await startedBefore(days)).warnings).toEqual(warnings);
});
