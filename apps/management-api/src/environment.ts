import { fileURLToPath } from 'node:url';
import { organizationClaimName } from '@legate/jwt';
import { encryptionKeysSetting, redisEnvironment, redisKeyPrefix } from '@legate/secure-store';
import {
  allowedOrigins,
  commaSeparated,
  identifierUrl,
  issuerUrl,
  port,
  SHARED_SETTINGS,
  serviceEnvironment,
  singleOrganization,
  succeeds,
} from '@legate/service';
import { workloadsSetting } from '@legate/workload';
import { z } from 'zod';
import { clientEnvironment } from './authentication/client-settings.ts';
import { ACCESS_TOKEN_TYPES } from './authentication/verify-token.ts';
import { checkDnsServers } from './domains/txt-lookup.ts';
import { onboardingEnvironment } from './onboarding/settings.ts';
import { hubEnvironment } from './revocations/settings.ts';

const dnsServers = commaSeparated.refine(succeeds(checkDnsServers), {
  error: 'must be IP addresses, with a port where it is not 53',
});

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });
/** `file:///directory`, of this machine */
const embeddedUrl = z.url({ protocol: /^file$/ }).refine(
  succeeds((url: string) => fileURLToPath(url)),
  {
    error: 'must be the URL of a directory, such as file:///var/lib/legate',
  },
);

export const Environment = z.object({
  ...serviceEnvironment,
  PORT: port.default(4000).meta(SHARED_SETTINGS.PORT),
  RESOURCE: identifierUrl.default('http://localhost:4000').meta(SHARED_SETTINGS.RESOURCE),
  IDP_ISSUER: issuerUrl.default('http://localhost:4002').meta(SHARED_SETTINGS.IDP_ISSUER),
  ACCESS_TOKEN_TYPES: commaSeparated
    .pipe(z.array(z.enum(ACCESS_TOKEN_TYPES)).min(1))
    .default(['at+jwt'])
    .meta({
      description:
        'Accepted `typ` of access tokens, separated by commas. With `JWT` or `absent`, only their claims distinguish them from ID tokens.',
      when: 'Operators whose identity provider gives access tokens another `typ`, or none.',
      example: 'at+jwt,JWT',
      secret: false,
    }),
  ORGANIZATION_CLAIM: organizationClaimName
    .default('organization_id')
    .meta(SHARED_SETTINGS.ORGANIZATION_CLAIM),
  DATABASE_URL: z.union([postgresUrl, embeddedUrl]).optional().meta({
    description:
      'URL of PostgreSQL. The login is `mgmt_app` or a member of it. With `file:///directory`, a database is embedded in the service, and keeps its data there. Unset: the same, in `.legate/postgres`. Required in production, and PostgreSQL there.',
    when: 'Operators in production, and developers who keep several embedded databases.',
    example: 'postgres://management_api:…@postgres.example:5432/legate',
    secret: true,
  }),
  MIGRATION_DATABASE_URL: postgresUrl.optional().meta({
    description: 'URL with the login that owns the tables, for migrations. Unset: `DATABASE_URL`.',
    when: 'Operators in production, for the migration alone: the service must not own its tables.',
    example: 'postgres://legate_owner:…@postgres.example:5432/legate',
    secret: true,
  }),
  DATABASE_REPLICA_URL: postgresUrl.optional().meta({
    description:
      'URL of a read replica for usage and the audit trail, which may then be slightly out of date. Unset: `DATABASE_URL` serves all reads.',
    when: 'Operators whose primary is slowed down by those who read the audit trail and usage.',
    example: 'postgres://management_api:…@replica.example:5432/legate',
    secret: true,
  }),
  MIGRATE_ON_START: z.stringbool().default(true).meta({
    description:
      'Whether the service migrates the database at start. If false, it starts only after `dist/migrate.js` has run.',
    when: 'Operators who migrate in a step of the rollout, as on Kubernetes.',
  }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10).meta({
    description: 'Maximum number of connections to the database.',
    when: 'Operators whose PostgreSQL allows fewer connections, or whose requests wait for one (`postgres_pool_connections`).',
  }),
  CONNECTOR_ENCRYPTION_KEYS: encryptionKeysSetting.optional().meta({
    description:
      'Keys of connector secrets, as `id:base64` of 32 bytes each, separated by commas. The first key encrypts, all of them decrypt. Required in production.',
    when: 'Operators in production, and again at each rotation.',
    secret: true,
  }),
  ...redisEnvironment,
  REDIS_KEY_PREFIX: redisKeyPrefix(''),
  SEED_FILE: z.string().min(1).optional().meta({
    description: 'JSON file with organizations, their plans and connectors, saved at every start.',
    when: 'Developers, and operators who keep organizations and connectors in a file.',
    example: '/config/organizations.json',
  }),
  AUDIT_RETENTION_MONTHS: z.coerce.number().int().min(1).max(1200).optional().meta({
    description: 'Months of the audit trail that are kept, in addition to the current one. Unset: all.',
    when: 'Operators whose rules bound how long an audit trail is kept.',
    example: '12',
  }),
  ALLOWED_ORIGINS: allowedOrigins,
  API_REFERENCE_CLIENT_ID: z.string().min(1).max(255).optional().meta({
    description:
      'Public client of the identity provider with which readers of `/api/v1/docs` sign in (PKCE), so that they can try the API there. Its redirect URI is `RESOURCE/api/v1/docs/oauth2-redirect.html`, and the provider lets that page call its token endpoint (CORS). Unset: readers paste a token.',
    when: 'Operators who want the API tried on its page.',
    example: 'api-reference',
  }),
  DNS_SERVERS: dnsServers.optional().meta({
    description:
      'Name servers for the records that prove domains, as `address` or `address:port`, separated by commas. Unset: those of the system.',
    when: 'Operators whose own name servers answer differently from public ones.',
    example: '9.9.9.9',
  }),
  ENCRYPTION_KEYS: encryptionKeysSetting.optional().meta(SHARED_SETTINGS.ENCRYPTION_KEYS),
  ...clientEnvironment,
  ...onboardingEnvironment,
  WORKLOADS: workloadsSetting
    .default(() => new Map())
    .meta({
      ...SHARED_SETTINGS.WORKLOADS,
      example: 'tool-hub=internal:connectors,internal:audit-events',
    }),
  TRANSACTION_TOKEN_ISSUER: identifierUrl.optional().meta({
    description:
      'Public URL of the hub: the issuer of the transaction tokens with which services that have `internal:transactions` call for users, and the audience of our tokens for the hub. Unset: no transaction tokens are accepted, and the audience is `TOOL_HUB_URL`.',
    when: 'Operators whose tool servers call the API for users, or who reach the hub by an internal address.',
    example: 'https://hub.example',
    secret: false,
  }),
  ...hubEnvironment,
  SINGLE_ORGANIZATION: singleOrganization,
  DEFAULT_MEMBER_ROLE: z.enum(['viewer', 'developer', 'none']).default('viewer').meta({
    description:
      'Role of a member whose first token has none of `owner`, `admin`, `developer` and `viewer`, in organizations that set no `default_role`. With `none` such users are refused.',
    when: 'Operators whose identity provider gives no roles, and whose users should do more than read, or nothing.',
  }),
  API_KEY_MAX_DAYS: z.coerce.number().int().min(1).max(3660).default(366).meta({
    description:
      'Maximum time that an API key is good, in days. Without `expires_at` it is 90 days, or less.',
    when: 'Operators whose rules ask for keys to be changed more often, or less.',
    secret: false,
  }),
});
