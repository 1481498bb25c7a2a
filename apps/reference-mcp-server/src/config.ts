import { privateJwks } from '@legate/jwt';
import {
  browserOrigin,
  ConfigError,
  commaSeparated,
  identifierUrl,
  issuerUrl,
  parseEnvironment,
  port,
  readJsonFile,
  serviceEnvironment,
} from '@legate/service';
import type { ToolServerClient, TrustedIdentityProvider } from '@legate/tool-server';
import { z } from 'zod';
import { ClientsFile, toClients } from './clients/clients-file.ts';

/** `issuer` or `issuer=jwks_uri`. Unlike our own identifiers, an issuer of others may end with a slash. */
const TrustedIssuer = z
  .string()
  .regex(/^https?:\/\/[^\s?#=]+(=https?:\/\/[^\s#]+)?$/, { error: 'must be issuer or issuer=jwks_uri' })
  .transform((entry): TrustedIdentityProvider => {
    const [issuer = '', ...rest] = entry.split('=');
    return { issuer, jwksUri: rest.length > 0 ? rest.join('=') : undefined };
  });

const Environment = z.object({
  ...serviceEnvironment,
  PORT: port.default(4003),
  RESOURCE: identifierUrl.default('http://localhost:4003'),
  TRUSTED_ISSUERS: commaSeparated.pipe(z.array(TrustedIssuer).min(1)),
  CLIENTS_FILE: z.string().min(1),
  /** The content of SIGNING_KEYS_FILE: a private JWKS, the first key signs. Unset: a key made at start. */
  SIGNING_KEYS: privateJwks().optional(),
  ACCESS_TOKEN_ISSUER: z.enum(['token_endpoint', 'issuer']).default('token_endpoint'),
  CLIENT_ASSERTION_AUDIENCE: z.enum(['issuer', 'issuer_or_token_endpoint']).default('issuer'),
  ALLOWED_ORIGINS: commaSeparated.pipe(z.array(browserOrigin)).default([]),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  REDIS_KEY_PREFIX: z.string().default('reference-mcp-server:'),
  /** Where transaction tokens are got, at the hub. Unset: no tools about sites, and the next five mean nothing. */
  TRANSACTION_TOKEN_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Our secret there */
  TRANSACTION_TOKEN_CLIENT_SECRET: z.string().min(1).optional(),
  /** Our client at the identity provider. It has the same name at the hub: the API compares them. */
  IDP_ISSUER: issuerUrl.optional(),
  IDP_CLIENT_ID: z.string().min(1).optional(),
  IDP_CLIENT_SECRET: z.string().min(1).optional(),
  /** The API that has the sites, and its resource identifier. */
  MANAGEMENT_API_URL: identifierUrl.optional(),
});

const SitesSettings = z.object({
  TRANSACTION_TOKEN_ENDPOINT: z.string(),
  TRANSACTION_TOKEN_CLIENT_SECRET: z.string(),
  IDP_ISSUER: z.string(),
  IDP_CLIENT_ID: z.string(),
  IDP_CLIENT_SECRET: z.string(),
  MANAGEMENT_API_URL: z.string(),
});
export type SitesSettings = Readonly<z.output<typeof SitesSettings>>;

export type Config = Readonly<z.output<typeof Environment>> & {
  readonly clients: readonly ToolServerClient[];
  /** undefined: there are no tools about sites. */
  readonly sites: SitesSettings | undefined;
};

/** Called by main.ts alone. @throws {ConfigError} with every fault, and no value */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const environment = parseEnvironment(Environment, env);
  const file = readJsonFile(environment.CLIENTS_FILE, ClientsFile, env);
  if (file.development && environment.NODE_ENV === 'production')
    throw new ConfigError([
      `${environment.CLIENTS_FILE}: a development configuration is refused in production`,
    ]);
  return { ...environment, clients: toClients(file), sites: sitesSettingsOf(environment) };
}

function sitesSettingsOf(environment: z.output<typeof Environment>): SitesSettings | undefined {
  if (environment.TRANSACTION_TOKEN_ENDPOINT === undefined) return undefined;
  const parsed = SitesSettings.safeParse(environment);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(({ path }) => `${path.join('.')}: required with TRANSACTION_TOKEN_ENDPOINT`),
  );
}
