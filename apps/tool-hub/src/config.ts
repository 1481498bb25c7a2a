import { ACCESS_TOKEN_MARKS, organizationClaimName, privateJwks } from '@legate/jwt';
import {
  checkRedisEnvironment,
  encryptionKeysSetting,
  redisEnvironment,
  redisKeyPrefix,
  redisSettingNames,
} from '@legate/secure-store';
import {
  browserOrigin,
  commaSeparated,
  identifierUrl,
  issuerUrl,
  port,
  readEnvironment,
  serviceEnvironment,
} from '@legate/service';
import { workloadsSetting } from '@legate/workload';
import { z } from 'zod';
import { readConnectorsFile } from './connectors/file-registry.ts';
import { readTransactionTokensFile } from './faces/transaction-tokens/workloads-file.ts';
import { REMOVED_SETTINGS } from './removed-settings.ts';
import { MAX_LIFETIME_SECONDS } from './sign-in/session-store.ts';

export { REMOVED_SETTINGS };

export const Environment = z.object({
  ...serviceEnvironment,
  PORT: port.default(4001).meta({ description: 'Port to listen on.' }),
  PUBLIC_URL: identifierUrl.default('http://localhost:4001').meta({
    description:
      'Where applications reach the hub: its resource identifier, issuer of transaction tokens, base of problem types.',
    example: 'https://hub.example',
  }),
  IDP_ISSUER: issuerUrl.meta({
    description:
      'The identity provider: its ID tokens are accepted, and exchanged there. Compared with `iss` as a string.',
    example: 'https://idp.example',
  }),
  IDP_CLIENT_ID: z.string().min(1).meta({
    description: 'The hub’s client at the identity provider, which must be allowed to exchange tokens.',
    example: 'tool-hub',
  }),
  IDP_CLIENT_SECRET: z.string().min(1).meta({ description: 'Its secret.', secret: true }),
  IDP_TOKEN_ENDPOINT_AUTH_METHOD: z
    .enum(['client_secret_post', 'client_secret_basic'])
    .default('client_secret_post')
    .meta({ description: 'How the hub authenticates at the identity provider.', secret: false }),
  ACCEPTED_AUDIENCES: commaSeparated.pipe(z.array(z.string()).min(1)).optional().meta({
    description:
      'Clients whose ID tokens are taken as a caller’s, separated by commas. Unset: only the hub’s own client.',
    example: 'frontend-app,tool-hub',
  }),
  ORGANIZATION_CLAIM: organizationClaimName.default('organization_id').meta({
    description: 'The claim of ID tokens that names the organization. Users must not be able to choose it.',
    example: 'org_id',
  }),
  ID_TOKEN_ALLOWED_CLAIMS: commaSeparated
    .pipe(z.array(z.enum(ACCESS_TOKEN_MARKS)))
    .default([])
    .meta({
      description:
        'Claims that ID tokens may have although they mark access tokens, separated by commas: `scope`, `scp`, `client_id`, `token_use`, `typ`. For an identity provider that puts them into ID tokens; an access token with only these then passes for an ID token.',
      example: 'client_id',
      secret: false,
    }),
  ID_JAG_ORGANIZATION: z.enum(['required', 'optional']).default('required').meta({
    description:
      'Whether ID-JAGs must name the user’s organization in `organization_id`. `optional` is for an identity provider that cannot put it there: tool servers then cannot tell the data of a user’s organizations apart.',
  }),
  CONNECTORS_FILE: z.string().min(1).optional().meta({
    description:
      'JSON file with the connectors, for a hub that runs alone. One of this and `MANAGEMENT_API_URL`.',
    example: '/config/connectors.json',
  }),
  MANAGEMENT_API_URL: identifierUrl.optional().meta({
    description:
      'Where the connectors come from; asked as the hub’s client, with the scope `internal:connectors`.',
    example: 'https://api.example',
  }),
  MANAGEMENT_API_RESOURCE: identifierUrl
    .optional()
    .meta({ description: 'Its resource identifier, where that is not its URL.' }),
  WORKLOADS: workloadsSetting
    .default(() => new Map())
    .meta({
      description:
        'Services that may revoke, as `client=scope,scope`, separated by semicolons; their tokens are for `PUBLIC_URL`.',
      example: 'management-api=internal:revocations',
    }),
  REQUIRE_AGENT: z
    .stringbool()
    .default(false)
    .meta({ description: 'Refuses callers that name no agent in `Legate-Agent-Id`.' }),
  CONNECT_RETURN_TO: commaSeparated
    .pipe(z.array(z.url({ protocol: /^https?$/ })))
    .default([])
    .meta({
      description:
        'Pages of applications to which users come back after they have connected an account, separated by commas; compared as strings.',
      example: 'https://app.example/settings',
    }),
  CONNECTION_TTL_DAYS: z.coerce.number().int().min(1).max(365).default(90).meta({
    description:
      'After this a user must connect again, however often the tokens of the connection were refreshed.',
  }),
  ...redisEnvironment,
  REDIS_KEY_PREFIX: redisKeyPrefix(''),
  SESSION_LIFETIME_SECONDS: z.coerce.number().int().min(60).max(MAX_LIFETIME_SECONDS).default(604_800).meta({
    description: 'Life of a session that the hub renews, whatever it is used for.',
  }),
  SESSION_IDLE_SECONDS: z.coerce.number().int().min(60).max(MAX_LIFETIME_SECONDS).default(86_400).meta({
    description: 'After this a session that nobody uses ends.',
  }),
  AUDIT_LOG: z.stringbool().optional().meta({
    description: 'Writes each audit event to the log. Unset: where there is no management-api to tell.',
  }),
  AUDIT_STREAM_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1_048_576)
    .max(17_179_869_184)
    .default(268_435_456)
    .meta({
      description:
        'Audit events that may wait in Redis for management-api, in bytes; about 1 KB each. Three quarters are for calls that were carried out, a quarter for refusals.',
    }),
  AUDIT_REQUIRED: z
    .stringbool()
    .default(false)
    .meta({ description: 'Refuses a call (503) when there is no room for its audit event.' }),
  ENCRYPTION_KEYS: encryptionKeysSetting.optional().meta({
    description:
      'Keys of what is stored, as `id:base64:derive` of 32 bytes each, separated by commas: the first one encrypts, all decrypt. Required with `REDIS_URL`.',
    secret: true,
  }),
  TOOL_CALL_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(600)
    .default(60)
    .meta({ description: 'For each call of a tool.' }),
  MAX_CALLS_PER_ORGANIZATION: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(500)
    .meta({ description: 'Those of one organization.' }),
  MAX_CALLS_PER_USER: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(50)
    .meta({ description: 'Those of one user in an organization.' }),
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).max(100_000_000).default(300).meta({
    description:
      'Requests that an organization may make in a minute where management-api does not tell its plan, as with `CONNECTORS_FILE`.',
  }),
  USER_SHARE_PERCENT: z.coerce.number().int().min(1).max(100).default(100).meta({
    description: 'Part of the requests of an organization that one user may make. 100: all of them.',
  }),
  ALLOWED_ORIGINS: commaSeparated.pipe(z.array(browserOrigin)).default([]).meta({
    description:
      'Origins of web pages that may speak MCP with the hub, besides its own, separated by commas; agents that are no browsers need no entry.',
    example: 'https://app.example',
  }),
  TRANSACTION_TOKENS_FILE: z.string().min(1).optional().meta({
    description: 'JSON file: which workloads get which transaction tokens. Unset: none does.',
    example: '/config/transaction-tokens.json',
    secret: false,
  }),
  SIGNING_KEYS: privateJwks().optional().meta({
    description:
      'Private JWKS for transaction tokens: the first key signs, the others are only published. Unset: a key made at start. Required in production with `TRANSACTION_TOKENS_FILE`.',
    secret: true,
  }),
  MEMORY_BUDGET_MB: z.coerce.number().int().min(128).max(65_536).default(256).meta({
    description:
      'Megabytes (2^20 bytes) that requests may keep in this process: bodies, answers of tool servers and output that nobody has read yet. The process needs about 300 more.',
  }),
});
export type Config = Readonly<z.output<typeof Environment>>;

/**
 * Called by main.ts alone.
 * @throws {ConfigError} with every variable at fault, and no value
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const reading = readEnvironment(Environment, env, REMOVED_SETTINGS);
  reading.refine(redisSettingNames, checkRedisEnvironment);
  if (reading.isSet('CONNECTORS_FILE') === reading.isSet('MANAGEMENT_API_URL'))
    reading.fault('CONNECTORS_FILE, MANAGEMENT_API_URL: one of them, and not both');
  // Where they are used they are read again; here their faults are told with all others.
  reading.derive(['CONNECTORS_FILE', 'NODE_ENV'], ({ CONNECTORS_FILE: path, NODE_ENV }) => {
    if (path !== undefined) readConnectorsFile(path, { env, production: NODE_ENV === 'production' });
  });
  reading.derive(['TRANSACTION_TOKENS_FILE', 'NODE_ENV'], ({ TRANSACTION_TOKENS_FILE: path, NODE_ENV }) => {
    if (path !== undefined) readTransactionTokensFile(path, { env, production: NODE_ENV === 'production' });
  });
  // Keys made at start would leave entries in Redis that no other replica, and not even this one after a restart, can read.
  if (reading.isSet('REDIS_URL') && !reading.isSet('ENCRYPTION_KEYS'))
    reading.fault('ENCRYPTION_KEYS: required with REDIS_URL');
  reading.refuseInProduction({
    required: {
      REDIS_URL:
        'what is revoked at one replica would go on at the others, and sessions would end with this process',
      ...(reading.isSet('TRANSACTION_TOKENS_FILE') && {
        SIGNING_KEYS: 'transaction tokens of other replicas would be signed by other keys',
      }),
    },
    publicUrls: ['PUBLIC_URL', 'IDP_ISSUER'],
  });
  return reading.complete();
}
