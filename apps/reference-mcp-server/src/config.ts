import { privateJwks } from '@legate/jwt';
import {
  browserOrigin,
  ConfigError,
  commaSeparated,
  identifierUrl,
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
});

export type Config = Readonly<z.output<typeof Environment>> & {
  readonly clients: readonly ToolServerClient[];
};

/** Called by main.ts alone. @throws {ConfigError} with every fault, and no value */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const environment = parseEnvironment(Environment, env);
  const file = readJsonFile(environment.CLIENTS_FILE, ClientsFile, env);
  if (file.development && environment.NODE_ENV === 'production')
    throw new ConfigError([
      `${environment.CLIENTS_FILE}: a development configuration is refused in production`,
    ]);
  return { ...environment, clients: toClients(file) };
}
