import { privateJwks } from '@legate/jwt';
import {
  ConfigError,
  commaSeparated,
  identifierUrl,
  parseEnvironment,
  port,
  readJsonFile,
  serviceEnvironment,
} from '@legate/service';
import { z } from 'zod';
import { DirectoryFile } from './directory/seed.ts';

const Environment = z.object({
  ...serviceEnvironment,
  PORT: port.default(4002),
  /** An origin: every path of this service hangs directly below it. */
  ISSUER: identifierUrl
    .refine((issuer) => URL.canParse(issuer) && new URL(issuer).origin === issuer, {
      error: 'must be an origin, without a path',
    })
    .default('http://localhost:4002'),
  CONFIG_FILE: z.string().min(1),
  /** Of ID tokens. Short ones make clients renew them. */
  ID_TOKEN_TTL_SECONDS: z.coerce.number().int().min(5).max(86_400).default(3600),
  ADMIN_API_KEY: z.string().min(16).optional(),
  /** The content of SIGNING_KEYS_FILE: a private JWKS of RSA keys, the first one signs. Unset: a key made at start. */
  SIGNING_KEYS: privateJwks('RSA').optional(),
  /** Keys that sign cookies, newest first. Unset: one made at start, so that a restart ends all sessions. */
  COOKIE_KEYS: commaSeparated
    .refine((keys) => keys.length > 0 && keys.every((key) => key.length >= 16), {
      error: 'must be keys of at least 16 characters, separated by commas',
    })
    .optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  REDIS_KEY_PREFIX: z.string().default('mock-idp:'),
});

export type Config = Readonly<z.output<typeof Environment>> & { readonly directory: DirectoryFile };

/** Called by main.ts alone. @throws {ConfigError} with every fault, and no value */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const environment = parseEnvironment(Environment, env);
  const directory = readJsonFile(environment.CONFIG_FILE, DirectoryFile, env);
  if (directory.development && environment.NODE_ENV === 'production')
    throw new ConfigError([
      `${environment.CONFIG_FILE}: a development configuration is refused in production`,
    ]);
  return { ...environment, directory };
}
