import { createOrganizationStore } from '../../callers/standing/organization-store.ts';
import type { SecretCipher } from '../../catalog/connectors/secret-cipher.ts';
import { createMakeChange } from '../../changes/change.ts';
import type { Platform } from '../../platform/platform.ts';
import { saveConnectors } from './connector-seed.ts';
import { type Seed, saveSeed } from './organization-seed.ts';
import { saveServiceAccounts } from './service-account-seed.ts';

/** Saves the content of the seed file, at every start. */
export async function applySeed(platform: Platform, seed: Seed, cipher: SecretCipher): Promise<void> {
  const { unsharedTenants: tenants, issuer, clock, log } = platform;
  await saveSeed(seed, createOrganizationStore(createMakeChange(tenants)), (organization_id) =>
    log.warn({ organization_id }, 'an organization of SEED_FILE was purged, and is not created again'),
  );
  await saveConnectors(seed.connectors, { tenants, cipher });
  await saveServiceAccounts(seed.service_accounts, { tenants, issuer, clock });
}
