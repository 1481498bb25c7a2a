import { organizationFault } from '@legate/identity-providers';
import { checkRedisEnvironment, redisSettingNames } from '@legate/secure-store';
import { allowedOrigins, ConfigError, readEnvironment } from '@legate/service';
import { z } from 'zod';
import { clientEnvironment, clientFaults } from './callers/authentication/client-settings.ts';
import { callerEnvironment } from './callers/authentication/settings.ts';
import { admissionEnvironment } from './callers/settings.ts';
import { transactionsEnvironment } from './callers/transactions/settings.ts';
import { connectorsEnvironment } from './catalog/connectors/settings.ts';
import { domainsEnvironment } from './catalog/domains/settings.ts';
import { referenceEnvironment } from './http/openapi/settings.ts';
import { type HubSettings, hubEnvironment, hubFaults, readHubSettings } from './hub/settings.ts';
import { purgeEnvironment } from './jobs/purge/settings.ts';
import { readSeed, type Seed } from './jobs/seed/organization-seed.ts';
import { seedEnvironment } from './jobs/seed/settings.ts';
import {
  type OnboardingSettings,
  onboardingEnvironment,
  onboardingFaults,
  readOnboardingSettings,
} from './people/onboarding/settings.ts';
import { serviceAccountsEnvironment } from './people/service-accounts/settings.ts';
import { platformEnvironment } from './platform/settings.ts';
import { isEmbedded, refuseEmbedded, storageEnvironment } from './storage/settings.ts';

export const Environment = z.object({
  ...platformEnvironment,
  ...callerEnvironment,
  ...clientEnvironment,
  ...storageEnvironment,
  ...connectorsEnvironment,
  ...seedEnvironment,
  ...purgeEnvironment,
  ALLOWED_ORIGINS: allowedOrigins,
  ...referenceEnvironment,
  ...domainsEnvironment,
  ...onboardingEnvironment,
  ...transactionsEnvironment,
  ...hubEnvironment,
  ...admissionEnvironment,
  ...serviceAccountsEnvironment,
});

const PUBLIC_URLS = [
  'RESOURCE',
  'IDP_ISSUER',
  'PUBLIC_URL',
  'IDP_ADMIN_URL', // a key is sent to this URL
  'RETURN_TO',
  'ALLOWED_ORIGINS',
  'TRANSACTION_TOKEN_ISSUER',
] as const;

export type Config = z.output<typeof Environment> & {
  readonly seed: Seed | undefined;
  /** undefined: the feature is off */
  readonly onboarding: OnboardingSettings | undefined;
  /** undefined: not configured */
  readonly hub: HubSettings | undefined;
};

/**
 * Called by main.ts alone.
 * @throws {ConfigError} with every variable at fault, and no value
 */
export function loadConfig(env: NodeJS.ProcessEnv): Readonly<Config> {
  const reading = readEnvironment(Environment, env);
  reading.refine(redisSettingNames, checkRedisEnvironment);
  const seed = reading.derive(['SEED_FILE', 'NODE_ENV'], ({ SEED_FILE, NODE_ENV }) =>
    SEED_FILE === undefined ? undefined : readSeed(SEED_FILE, env, NODE_ENV === 'production'),
  );
  reading.derive(['DATABASE_URL', 'CONNECTOR_ENCRYPTION_KEYS'], (settings) => {
    // The embedded database stores its keys next to its data.
    const hasKeys = isEmbedded(settings) || settings.CONNECTOR_ENCRYPTION_KEYS !== undefined;
    if (!hasKeys && (seed()?.connectors.length ?? 0) > 0)
      throw new ConfigError(['CONNECTOR_ENCRYPTION_KEYS: required for the connectors of SEED_FILE']);
  });
  const { isSet } = reading;
  for (const text of [...clientFaults(isSet), ...onboardingFaults(isSet), ...hubFaults(isSet)])
    reading.fault(text);
  reading.derive(['IDP_KIND', 'ORGANIZATION_CLAIM', 'ORGANIZATION_RULE'], (settings) => {
    const fault = organizationFault(settings);
    if (fault !== undefined) throw new ConfigError([fault]);
  });
  const onboarding = reading.derive(Environment.keyof().options, readOnboardingSettings);
  const hub = reading.derive(Environment.keyof().options, readHubSettings);
  reading.derive(['TRANSACTION_TOKEN_ISSUER', 'WORKLOADS'], ({ TRANSACTION_TOKEN_ISSUER, WORKLOADS }) => {
    if (TRANSACTION_TOKEN_ISSUER !== undefined && WORKLOADS.size === 0)
      throw new ConfigError(['WORKLOADS: required with TRANSACTION_TOKEN_ISSUER']);
  });
  reading.derive(['NODE_ENV', 'DATABASE_URL'], refuseEmbedded);
  reading.refuseInProduction({
    required: {
      DATABASE_URL: 'the embedded database is for development',
      CONNECTOR_ENCRYPTION_KEYS: 'connector secrets must be readable by every replica',
      REDIS_URL:
        'a transaction token could be used again at another replica, and sign-ins could not continue there',
    },
    publicUrls: PUBLIC_URLS,
  });
  const settings = reading.complete();
  return { ...settings, seed: seed(), onboarding: onboarding(), hub: hub() };
}

const DatabaseEnvironment = Environment.pick({
  NODE_ENV: true,
  LOG_LEVEL: true,
  DATABASE_URL: true,
  MIGRATION_DATABASE_URL: true,
  AUDIT_RETENTION_MONTHS: true,
});

const ResealEnvironment = DatabaseEnvironment.extend(
  Environment.pick({ CONNECTOR_ENCRYPTION_KEYS: true }).shape,
);

/**
 * Loads the settings of the job that re-encrypts connector secrets: the database and the keys.
 * @throws {ConfigError} with every invalid variable, and no value
 */
export function loadResealConfig(env: NodeJS.ProcessEnv): Readonly<z.output<typeof ResealEnvironment>> {
  const reading = readEnvironment(ResealEnvironment, env);
  reading.derive(['NODE_ENV', 'DATABASE_URL'], refuseEmbedded);
  reading.refuseInProduction({
    required: {
      DATABASE_URL: 'the embedded database is for development',
      CONNECTOR_ENCRYPTION_KEYS: 'they seal the secrets',
    },
  });
  return reading.complete();
}

/**
 * Loads the settings of jobs that need only the database, so that they get nothing else.
 * @param options.login `owner`: the tables' owner is sufficient
 * @throws {ConfigError} with every invalid variable, and no value
 */
export function loadDatabaseConfig(
  env: NodeJS.ProcessEnv,
  options: { login: 'owner' | 'application' },
): Readonly<z.output<typeof DatabaseEnvironment>> {
  const reading = readEnvironment(DatabaseEnvironment, env);
  reading.derive(['NODE_ENV', 'DATABASE_URL'], refuseEmbedded);
  // A migration also accepts the owner's login in DATABASE_URL.
  const isOwner = options.login === 'owner' && !reading.isSet('DATABASE_URL');
  reading.refuseInProduction({
    required: {
      [isOwner ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL']: 'the embedded database is for development',
    },
  });
  return reading.complete();
}
