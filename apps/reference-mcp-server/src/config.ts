import { privateJwks } from '@legate/jwt';
import {
  checkRedisEnvironment,
  redisEnvironment,
  redisKeyPrefix,
  redisSettingNames,
} from '@legate/secure-store';
import {
  allowedOrigins,
  ConfigError,
  clientSecretFaults,
  commaSeparated,
  identifierUrl,
  issuerUrl,
  port,
  readEnvironment,
  readJsonFile,
  SHARED_SETTINGS,
  serviceEnvironment,
} from '@legate/service';
import type { ToolServerClient, TrustedIdentityProvider } from '@legate/tool-server';
import { z } from 'zod';
import { ClientsFile, toClients } from './clients-file.ts';
import { SitesSettings } from './sites/settings.ts';

/** `issuer` or `issuer=jwks_uri`. An issuer of another party may end with a slash; our own identifiers may not. */
const TrustedIssuer = z
  .string()
  .regex(/^https?:\/\/[^\s?#=]+(=https?:\/\/[^\s#]+)?$/, { error: 'must be issuer or issuer=jwks_uri' })
  .transform((entry): TrustedIdentityProvider => {
    const [issuer = '', ...rest] = entry.split('=');
    return { issuer, jwksUri: rest.length > 0 ? rest.join('=') : undefined };
  });

export const Environment = z.object({
  ...serviceEnvironment,
  PORT: port.default(4003).meta(SHARED_SETTINGS.PORT),
  RESOURCE: identifierUrl.default('http://localhost:4003').meta(SHARED_SETTINGS.RESOURCE),
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
  SIGNING_KEYS: privateJwks().optional().meta(SHARED_SETTINGS.SIGNING_KEYS),
  ALLOWED_ORIGINS: allowedOrigins,
  ...redisEnvironment,
  REDIS_KEY_PREFIX: redisKeyPrefix('reference-mcp-server:'),
  TOOL_HUB_URL: identifierUrl.optional().meta(SHARED_SETTINGS.TOOL_HUB_URL),
  TRANSACTION_TOKEN_CLIENT_SECRET: z.string().min(1).optional().meta({
    description: 'Client secret of this server at the hub.',
    when: 'Operators who offer the tools about sites.',
    secret: true,
  }),
  IDP_ISSUER: issuerUrl.optional().meta(SHARED_SETTINGS.IDP_ISSUER),
  IDP_CLIENT_ID: z.string().min(1).optional().meta(SHARED_SETTINGS.IDP_CLIENT_ID),
  IDP_CLIENT_SECRET: z.string().min(1).optional().meta(SHARED_SETTINGS.IDP_CLIENT_SECRET),
  MANAGEMENT_API_URL: identifierUrl.optional().meta(SHARED_SETTINGS.MANAGEMENT_API_URL),
});

export type Config = Readonly<z.output<typeof Environment>> & {
  readonly clients: readonly ToolServerClient[];
  /** Settings of the tools for sites. Undefined: there are no such tools. */
  readonly sites: SitesSettings | undefined;
};

/** Parses the environment. Called only by main.ts. @throws {ConfigError} with every fault, and without values */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const reading = readEnvironment(Environment, env);
  reading.refine(redisSettingNames, checkRedisEnvironment);
  const clients = reading.derive(['CLIENTS_FILE', 'NODE_ENV'], ({ CLIENTS_FILE, NODE_ENV }) => {
    const file = readJsonFile(CLIENTS_FILE, ClientsFile, env);
    if (file.development && NODE_ENV === 'production')
      throw new ConfigError([`${CLIENTS_FILE}: a development configuration is refused in production`]);
    const faults = NODE_ENV === 'production' ? clientSecretFaults(CLIENTS_FILE, file.clients) : [];
    if (faults.length > 0) throw new ConfigError(faults);
    return toClients(file);
  });
  if (reading.isSet('TOOL_HUB_URL')) {
    for (const name of SitesSettings.keyof().options.filter((one) => !reading.isSet(one)))
      reading.fault(`${name}: required with TOOL_HUB_URL`);
  }
  reading.refuseInProduction({
    required: {
      SIGNING_KEYS:
        'access tokens would become invalid with this process, and other replicas would refuse them',
      REDIS_URL: 'a second replica would redeem the same ID-JAG again',
    },
    publicUrls: [
      'RESOURCE',
      'TRUSTED_ISSUERS',
      ...(reading.isSet('TOOL_HUB_URL') ? (['IDP_ISSUER'] as const) : []),
    ],
  });
  const environment = reading.complete();
  const sites = SitesSettings.safeParse(environment);
  return { ...environment, clients: clients(), sites: sites.data };
}
