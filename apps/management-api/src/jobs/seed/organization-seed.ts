import { OrganizationId } from '@legate/ids';
import { ConfigError, readJsonFile, secretFault } from '@legate/service';
import { z } from 'zod';
import type { OrganizationStore } from '../../callers/standing/organization-store.ts';
import { SeedConnector } from './connector-seed.ts';
import { SeedServiceAccount } from './service-account-seed.ts';

const SeedFile = z
  .strictObject({
    /** True in files that must not be used in production. */
    development: z.boolean().default(false),
    organizations: z.array(
      z
        .strictObject({
          id: OrganizationId,
          name: z.string().trim().min(1).max(100),
          plan: z.enum(['free', 'pro', 'custom']),
          requests_per_minute: z.number().int().min(1).max(1_000_000).nullable().default(null),
        })
        .refine(({ plan, requests_per_minute }) => plan === 'custom' || requests_per_minute === null, {
          error: 'requests_per_minute is for the custom plan',
        }),
    ),
    connectors: z.array(SeedConnector).default([]),
    service_accounts: z.array(SeedServiceAccount).default([]),
  })
  // Anyone who can read the file can use a key in it.
  .refine(({ development, service_accounts }) => development || service_accounts.every(({ key }) => !key), {
    path: ['service_accounts'],
    error: 'has API keys, which are for development',
  });
export type Seed = z.output<typeof SeedFile>;

/** @throws {ConfigError} also in production for a development file, and for development secrets or weak ones */
export function readSeed(path: string, env: NodeJS.ProcessEnv, production: boolean): Seed {
  const seed = readJsonFile(path, SeedFile, env);
  if (seed.development && production) {
    throw new ConfigError([`${path}: is for development, and NODE_ENV is production`]);
  }
  const faults = seed.connectors.flatMap(({ id, secret }) => {
    const fault = production ? secretFault(secret) : undefined;
    return fault ? [`${path}: connector ${id}: secret: ${fault}`] : [];
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return seed;
}

/**
 * Sets the names and plans of the organizations in the file, at every start.
 * @param onPurged called for each organization that was purged, and is not created again
 */
export async function saveSeed(
  seed: Seed,
  store: OrganizationStore,
  onPurged: (id: OrganizationId) => void,
): Promise<void> {
  for (const { id, name, plan, requests_per_minute } of seed.organizations) {
    const plans = { name: plan, requestsPerMinute: requests_per_minute };
    if (!(await store.save({ id, name, plan: plans }))) onPurged(id);
  }
}
