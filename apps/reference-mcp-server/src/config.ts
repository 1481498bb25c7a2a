import { privateJwks } from '@legate/jwt';
import {
  checkRedisEnvironment,
  redisEnvironment,
  redisKeyPrefix,
  redisSettingNames,
} from '@legate/secure-store';
import {
  browserOrigin,
  ConfigError,
  commaSeparated,
  identifierUrl,
  issuerUrl,
  port,
  readEnvironment,
  readJsonFile,
  serviceEnvironment,
} from '@legate/service';
import type { ToolServerClient, TrustedIdentityProvider } from '@legate/tool-server';
import { z } from 'zod';
import { ClientsFile, toClients } from './clients-file.ts';
import { SitesSettings } from './sites/settings.ts';

/** `issuer` or `issuer=jwks_uri`. Unlike our own identifiers, an issuer of others may end with a slash. */
const TrustedIssuer = z
  .string()
  .regex(/^https?:\/\/[^\s?#=]+(=https?:\/\/[^\s#]+)?$/, { error: 'must be issuer or issuer=jwks_uri' })
  .transform((entry): TrustedIdentityProvider => {
    const [issuer = '', ...rest] = entry.split('=');
    return { issuer, jwksUri: rest.length > 0 ? rest.join('=') : undefined };
  });

export const Environment = z.object({
  ...serviceEnvironment,
  PORT: port
    .default(4003)
    .meta({ description: 'Port to listen on.', when: 'Developers for whom the default port is taken.' }),
  RESOURCE: identifierUrl.default('http://localhost:4003').meta({
    description:
      'Resource identifier of the server, and issuer of its access tokens. The MCP endpoint is `/mcp` below it.',
    when: 'Everyone but developers on localhost.',
    example: 'https://tools.example',
  }),
  TRUSTED_ISSUERS: commaSeparated.pipe(z.array(TrustedIssuer).min(1)).meta({
    description:
      'Identity providers whose ID-JAGs are accepted, separated by commas. `issuer=jwks_uri` for one without discovery.',
    when: 'Everyone: nobody is trusted by default.',
    example: 'https://idp.example',
  }),
  CLIENTS_FILE: z.string().min(1).meta({
    description:
      'JSON file with the clients that may redeem ID-JAGs, and hashes of their secrets or their public keys.',
    when: 'Everyone: no client is accepted by default.',
    example: '/config/tool-server-clients.json',
  }),
  SIGNING_KEYS: privateJwks().optional().meta({
    description:
      'Private JWKS for access tokens. The first key signs, the others are only published. Unset: a key is generated at start. Required in production.',
    when: 'Operators in production: replicas share the keys, and tokens survive a restart.',
    secret: true,
  }),
  ALLOWED_ORIGINS: commaSeparated.pipe(z.array(browserOrigin)).default([]).meta({
    description:
      'Origins of web pages that may call the MCP endpoint, separated by commas. Its own origin needs no entry.',
    when: 'Developers of web pages that speak MCP, such as the MCP Inspector.',
    example: 'https://app.example',
  }),
  ...redisEnvironment,
  REDIS_KEY_PREFIX: redisKeyPrefix('reference-mcp-server:'),
  TRANSACTION_TOKEN_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description:
        'Token endpoint of the hub, which issues transaction tokens. Unset: the server has no tools about sites. If it is set, the next five are required.',
      when: 'Operators who offer the tools about sites.',
      example: 'https://hub.example/oauth/token',
      secret: false,
    }),
  TRANSACTION_TOKEN_CLIENT_SECRET: z.string().min(1).optional().meta({
    description: 'Client secret of this server at the hub.',
    when: 'The same operators.',
    secret: true,
  }),
  IDP_ISSUER: issuerUrl.optional().meta({
    description: 'Identity provider at which this server is a client.',
    when: 'The same operators.',
    example: 'https://idp.example',
  }),
  IDP_CLIENT_ID: z.string().min(1).optional().meta({
    description: 'Client id of this server there, and at the hub: the API compares the two.',
    when: 'The same operators.',
    example: 'reference-mcp-server',
  }),
  IDP_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Secret of that client.', when: 'The same operators.', secret: true }),
  MANAGEMENT_API_URL: identifierUrl.optional().meta({
    description: 'Management API, which stores the sites. The URL is also its resource identifier.',
    when: 'The same operators.',
    example: 'https://api.example',
  }),
});

export type Config = Readonly<z.output<typeof Environment>> & {
  readonly clients: readonly ToolServerClient[];
  /** undefined: there are no tools about sites. */
  readonly sites: SitesSettings | undefined;
};

/** Called by main.ts alone. @throws {ConfigError} with every fault, and no value */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const reading = readEnvironment(Environment, env);
  reading.refine(redisSettingNames, checkRedisEnvironment);
  const clients = reading.derive(['CLIENTS_FILE', 'NODE_ENV'], ({ CLIENTS_FILE, NODE_ENV }) => {
    const file = readJsonFile(CLIENTS_FILE, ClientsFile, env);
    if (file.development && NODE_ENV === 'production')
      throw new ConfigError([`${CLIENTS_FILE}: a development configuration is refused in production`]);
    return toClients(file);
  });
  if (reading.isSet('TRANSACTION_TOKEN_ENDPOINT')) {
    for (const name of SitesSettings.keyof().options.filter((one) => !reading.isSet(one)))
      reading.fault(`${name}: required with TRANSACTION_TOKEN_ENDPOINT`);
  }
  reading.refuseInProduction({
    required: {
      SIGNING_KEYS: 'access tokens would end with this process, and no other replica would take them',
      REDIS_URL: 'a second replica would redeem the same ID-JAG again',
    },
    publicUrls: [
      'RESOURCE',
      'TRUSTED_ISSUERS',
      ...(reading.isSet('TRANSACTION_TOKEN_ENDPOINT') ? (['IDP_ISSUER'] as const) : []),
    ],
  });
  const environment = reading.complete();
  const sites = SitesSettings.safeParse(environment);
  return { ...environment, clients: clients(), sites: sites.data };
}
