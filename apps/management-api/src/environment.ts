import { organizationClaimName } from '@legate/jwt';
import { encryptionKeysSetting, redisEnvironment, redisKeyPrefix } from '@legate/secure-store';
import {
  browserOrigin,
  commaSeparated,
  identifierUrl,
  issuerUrl,
  port,
  serviceEnvironment,
  succeeds,
} from '@legate/service';
import { workloadsSetting } from '@legate/workload';
import { z } from 'zod';
import { ACCESS_TOKEN_TYPES } from './authentication/verify-token.ts';
import { checkDnsServers } from './domains/txt-lookup.ts';
import { onboardingEnvironment } from './onboarding/settings.ts';
import { hubEnvironment } from './revocations/settings.ts';

const dnsServers = commaSeparated.refine(succeeds(checkDnsServers), {
  error: 'must be IP addresses, with a port where it is not 53',
});

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });

export const Environment = z.object({
  ...serviceEnvironment,
  PORT: port
    .default(4000)
    .meta({ description: 'Port to listen on.', when: 'Developers for whom the default port is taken.' }),
  RESOURCE: identifierUrl.default('http://localhost:4000').meta({
    description: 'Its resource identifier: the `aud` that access tokens must carry.',
    when: 'Everyone but developers on localhost.',
    example: 'https://api.example',
  }),
  IDP_ISSUER: issuerUrl.default('http://localhost:4002').meta({
    description: 'The identity provider, found by discovery. Compared with `iss` as a string.',
    when: 'Everyone but developers on localhost.',
    example: 'https://idp.example',
  }),
  IDP_JWKS_URI: z.url().optional().meta({
    description: 'Where the issuer’s keys are, for an issuer without discovery.',
    when: 'Operators whose identity provider has no discovery document.',
    example: 'https://idp.example/jwks',
  }),
  ACCESS_TOKEN_TYPES: commaSeparated
    .pipe(z.array(z.enum(ACCESS_TOKEN_TYPES)).min(1))
    .default(['at+jwt'])
    .meta({
      description:
        '`typ` of its access tokens, separated by commas. With `JWT` or `absent` only their claims tell them from ID tokens.',
      when: 'Operators whose identity provider gives access tokens another `typ`, or none.',
      example: 'at+jwt,JWT',
      secret: false,
    }),
  ORGANIZATION_CLAIM: organizationClaimName.default('organization_id').meta({
    description: 'The claim that names the organization. Users must not be able to choose it.',
    when: 'Operators whose identity provider names the organization in another claim.',
    example: 'org_id',
  }),
  DATABASE_URL: postgresUrl.optional().meta({
    description:
      'PostgreSQL; the login is `mgmt_app` or a member of it. Unset: embedded, in `DATA_DIR`. Required in production.',
    when: 'Operators in production.',
    example: 'postgres://management_api:…@postgres.example:5432/legate',
    secret: true,
  }),
  MIGRATION_DATABASE_URL: postgresUrl.optional().meta({
    description: 'Login of the tables’ owner, for migrations. Unset: `DATABASE_URL`.',
    when: 'Operators in production, for the migration alone: the service must not own its tables.',
    example: 'postgres://legate_owner:…@postgres.example:5432/legate',
    secret: true,
  }),
  DATABASE_REPLICA_URL: postgresUrl.optional().meta({
    description:
      'A read replica, for usage and the audit trail, which may then be shown some moments late. Unset: all is read from `DATABASE_URL`.',
    when: 'Operators whose primary is slowed down by those who read the audit trail and usage.',
    example: 'postgres://management_api:…@replica.example:5432/legate',
    secret: true,
  }),
  MIGRATE_ON_START: z.stringbool().default(true).meta({
    description: 'Migrates the database at start. False: starts only where `dist/migrate.js` has.',
    when: 'Operators who migrate in a step of the rollout, as on Kubernetes.',
  }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10).meta({
    description: 'Connections to the database, at most.',
    when: 'Operators whose PostgreSQL allows fewer connections, or whose requests wait for one (`postgres_pool_connections`).',
  }),
  DATA_DIR: z.string().min(1).default('.legate/postgres').meta({
    description: 'Directory of the embedded database.',
    when: 'Developers who keep several embedded databases.',
  }),
  CONNECTOR_ENCRYPTION_KEYS: encryptionKeysSetting.optional().meta({
    description:
      'Keys of connector secrets, as `id:base64:derive` of 32 bytes each, separated by commas: the first one encrypts, all decrypt. Required in production.',
    when: 'Operators in production, and again at each rotation.',
    secret: true,
  }),
  ...redisEnvironment,
  REDIS_KEY_PREFIX: redisKeyPrefix(''),
  SEED_FILE: z.string().min(1).optional().meta({
    description: 'JSON file with organizations and their plans, saved at every start.',
    when: 'Developers, and operators who keep organizations and connectors in a file.',
    example: '/config/organizations.json',
  }),
  PURGE_INTERVAL_SECONDS: z.coerce.number().int().min(0).max(604_800).default(3600).meta({
    description: 'Between two runs of the purge, at most. With 0 none runs in the service.',
    when: 'Operators who have a scheduler purge at night: 0, and `dist/purge-once.js`.',
  }),
  AUDIT_RETENTION_MONTHS: z.coerce.number().int().min(1).max(1200).optional().meta({
    description: 'Months of the audit trail that are kept, besides the running one. Unset: all.',
    when: 'Operators whose rules bound how long an audit trail is kept.',
    example: '12',
  }),
  CONSOLE_ORIGINS: commaSeparated.pipe(z.array(browserOrigin)).default([]).meta({
    description:
      'Origins of web consoles that may call the API from a browser, separated by commas; compared as strings.',
    when: 'Operators of a web console that calls the API from the browser.',
    example: 'https://console.example',
  }),
  DNS_SERVERS: dnsServers.optional().meta({
    description:
      'Name servers that are asked for the records of domains, as `address` or `address:port`, separated by commas. Unset: the system’s.',
    when: 'Operators whose own name servers answer differently from public ones.',
    example: '9.9.9.9',
  }),
  ENCRYPTION_KEYS: encryptionKeysSetting.optional().meta({
    description:
      'Keys of the tokens of sign-ins, as `id:base64:derive` of 32 bytes each, separated by commas: the first one encrypts, all decrypt. Required for onboarding with `REDIS_URL`.',
    when: 'Operators of onboarding, and again at each rotation.',
    secret: true,
  }),
  ...onboardingEnvironment,
  WORKLOADS: workloadsSetting
    .default(() => new Map())
    .meta({
      description:
        'Services that may call below `/internal`, as `client=scope,scope`, separated by semicolons.',
      when: 'Operators with a tool hub, or with tool servers that call the API for users.',
      example: 'tool-hub=internal:connectors,internal:audit-events',
    }),
  TRANSACTION_TOKEN_ISSUER: identifierUrl.optional().meta({
    description:
      'The hub’s public URL: issuer of the transaction tokens by which those with `internal:transactions` call for users, and audience of our tokens for the hub. Unset: there are no transaction tokens, and the audience is `TOOL_HUB_URL`.',
    when: 'Operators whose tool servers call the API for users, or who reach the hub by an internal address.',
    example: 'https://hub.example',
    secret: false,
  }),
  ...hubEnvironment,
});
