import { parseEncryptionKeys } from '@legate/secure-store';
import {
  browserOrigin,
  commaSeparated,
  identifierUrl,
  issuerUrl,
  parseEnvironment,
  port,
  serviceEnvironment,
} from '@legate/service';
import { workloadsSetting } from '@legate/workload';
import { z } from 'zod';
import { ACCESS_TOKEN_TYPES } from './caller/verify-token.ts';
import { checkDnsServers } from './domains/txt-lookup.ts';
import { onboardingEnvironment } from './onboarding/settings.ts';
import { hubEnvironment } from './revocations/settings.ts';

/** Kept as text: what is at fault must be told without it. */
const encryptionKeys = z.string().refine(
  (text) => {
    try {
      parseEncryptionKeys(text);
      return true;
    } catch {
      return false;
    }
  },
  { error: 'must be id:base64 of 32 bytes, separated by commas' },
);

const quota = z.coerce.number().int().min(1).max(1_000_000);

const dnsServers = commaSeparated.refine(
  (servers) => {
    try {
      checkDnsServers(servers);
      return true;
    } catch {
      return false;
    }
  },
  { error: 'must be IP addresses, with a port where it is not 53' },
);

const Environment = z.object({
  ...serviceEnvironment,
  PORT: port.default(4000),
  /** Resource identifier: the `aud` that access tokens must carry. */
  RESOURCE: identifierUrl.default('http://localhost:4000'),
  /** The identity provider, found by discovery. */
  IDP_ISSUER: issuerUrl.default('http://localhost:4002'),
  /** Where the issuer's keys are, for an issuer without discovery. */
  IDP_JWKS_URI: z.url().optional(),
  /** `typ` of its access tokens. With `JWT` or `absent` only their claims tell them from ID tokens. */
  ACCESS_TOKEN_TYPES: commaSeparated.pipe(z.array(z.enum(ACCESS_TOKEN_TYPES)).min(1)).default(['at+jwt']),
  /** The claim that names the organization. Users must not be able to choose it. */
  ORGANIZATION_CLAIM: z
    .string()
    .regex(/^[\w.:/-]{1,200}$/, { error: 'must be the name of a claim' })
    .default('organization_id'),
  /** PostgreSQL; unset: embedded, in DATA_DIR. The login is `mgmt_app` or a member of it. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Login of the tables' owner, for migrations; unset: DATABASE_URL. */
  MIGRATION_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10),
  /** Directory of the embedded database. */
  DATA_DIR: z.string().min(1).default('.legate/postgres'),
  /** `id:base64` of 32 bytes each, separated by commas, for connector secrets; the first one encrypts. Required in production. */
  CONNECTOR_ENCRYPTION_KEYS: z.string().min(1).optional(),
  /** Shared rate limits; unset: each process counts for itself. */
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  REDIS_KEY_PREFIX: z.string().default(''),
  /** JSON file with organizations and their plans, saved at every start. */
  SEED_FILE: z.string().min(1).optional(),
  /** Processes that share a rate limit while Redis is down. */
  INSTANCE_COUNT: z.coerce.number().int().min(1).max(10_000).default(1),
  /** Requests per minute of a custom plan without a number of its own. */
  CUSTOM_PLAN_DEFAULT_RPM: z.coerce.number().int().min(1).max(1_000_000).default(3000),
  /** Between two runs of the purge, at most; 0: none runs in the service. */
  PURGE_INTERVAL_SECONDS: z.coerce.number().int().min(0).max(604_800).default(3600),
  /** Months of the audit trail that are kept, besides the running one; unset: all. */
  AUDIT_RETENTION_MONTHS: z.coerce.number().int().min(1).max(1200).optional(),
  /** Origins of web consoles that may call the API from a browser, compared as strings. */
  CONSOLE_ORIGINS: commaSeparated.pipe(z.array(browserOrigin)).default([]),
  /** What an organization may have at a time; more is 409 `quota_exceeded`. */
  MAX_SITES_PER_ORGANIZATION: quota.default(10_000),
  MAX_AGENTS_PER_ORGANIZATION: quota.default(1000),
  MAX_CONNECTORS_PER_ORGANIZATION: quota.default(1000),
  MAX_DOMAINS_PER_ORGANIZATION: quota.default(100),
  /** Name servers that are asked for the records of domains, as `address` or `address:port`; unset: the system's. */
  DNS_SERVERS: dnsServers.optional(),
  /** Below this URL each error code is documented; unset: RESOURCE/errors. */
  PROBLEM_TYPE_BASE: identifierUrl.optional(),
  /** `id:base64` of 32 bytes each, separated by commas, for the tokens of sign-ins; the first one encrypts. */
  ENCRYPTION_KEYS: encryptionKeys.optional(),
  ...onboardingEnvironment,
  /** Services that may call below /internal, such as `tool-hub=internal:connectors,internal:audit-events`. */
  WORKLOADS: workloadsSetting.default(() => new Map()),
  /**
   * Issuer of the transaction tokens by which those with `internal:transactions` call for users: the hub's public URL.
   * Unset: there are none.
   */
  TRANSACTION_TOKEN_ISSUER: identifierUrl.optional(),
  /** Of each of them */
  WORKLOAD_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(12_000),
  ...hubEnvironment,
});

export type Config = z.output<typeof Environment>;

/**
 * Called by main.ts alone.
 * @throws {ConfigError} with every variable at fault, and no value
 */
export function loadConfig(env: NodeJS.ProcessEnv): Readonly<Config> {
  return parseEnvironment(Environment, env);
}
