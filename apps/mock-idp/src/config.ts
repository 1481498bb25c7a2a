import { privateJwks } from '@legate/jwt';
import {
  checkRedisEnvironment,
  redisEnvironment,
  redisKeyPrefix,
  redisSettingNames,
} from '@legate/secure-store';
import {
  ConfigError,
  issuerUrl,
  port,
  readEnvironment,
  readJsonFile,
  SHARED_SETTINGS,
  serviceEnvironment,
} from '@legate/service';
import { z } from 'zod';
import { DirectoryFile } from './directory/seed.ts';
import { issuerFault, issuerOf } from './personalities/issuer.ts';
import { PERSONALITIES, PERSONALITY_NAMES } from './personalities/personalities.ts';
import type { Personality } from './personalities/personality.ts';

export const Environment = z.object({
  ...serviceEnvironment,
  PORT: port.default(4002).meta(SHARED_SETTINGS.PORT),
  IDP_ISSUER: issuerUrl.optional().meta({
    description:
      'Issuer in the tokens of mock-idp: an origin, with the path that `PERSONALITY` requires, such as `/realms/acme`. Unset: `http://localhost:4002`, with that path.',
    when: 'Developers who reach mock-idp at another address.',
    example: 'https://idp.example',
  }),
  PERSONALITY: z
    .enum(PERSONALITY_NAMES, { error: `must be one of ${PERSONALITY_NAMES.join(', ')}` })
    .optional()
    .meta({
      description: `Identity provider that mock-idp imitates, in what it answers and in what it refuses, as documented by that provider, or \`strict\`, the draft of ID-JAGs to the letter: one of ${PERSONALITY_NAMES.map((name) => `\`${name}\``).join(', ')}. Unset: its own.`,
      when: 'Developers who want to test against the behavior of another provider.',
      example: 'keycloak',
    }),
  CONFIG_FILE: z.string().min(1).meta({
    description: 'JSON file with users, organizations, clients, resource servers and policies.',
    when: 'Everyone who runs mock-idp: there are no users without it.',
    example: '/config/identity-provider.json',
  }),
  IDP_ADMIN_API_KEY: z.string().min(16).optional().meta(SHARED_SETTINGS.IDP_ADMIN_API_KEY),
  SIGNING_KEYS: privateJwks('RSA').optional().meta(SHARED_SETTINGS.SIGNING_KEYS),
  ...redisEnvironment,
  REDIS_KEY_PREFIX: redisKeyPrefix('mock-idp:'),
});

export type Config = Readonly<Omit<z.output<typeof Environment>, 'IDP_ISSUER' | 'PERSONALITY'>> & {
  readonly issuer: string;
  readonly personality: Personality | undefined;
  readonly directory: DirectoryFile;
};

const DEFAULT_ORIGIN = 'http://localhost:4002';

/** Parses the environment. Called only by main.ts. @throws {ConfigError} with every fault, and without values */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const reading = readEnvironment(Environment, env);
  reading.refine(redisSettingNames, checkRedisEnvironment);
  const directory = reading.derive(['CONFIG_FILE', 'NODE_ENV'], ({ CONFIG_FILE, NODE_ENV }) => {
    const file = readJsonFile(CONFIG_FILE, DirectoryFile, env);
    if (file.development && NODE_ENV === 'production')
      throw new ConfigError([`${CONFIG_FILE}: a development configuration is refused in production`]);
    return file;
  });
  const provider = reading.derive(['IDP_ISSUER', 'PERSONALITY'], ({ IDP_ISSUER, PERSONALITY }) => {
    const personality: Personality | undefined = PERSONALITY && PERSONALITIES[PERSONALITY];
    const issuer = IDP_ISSUER ?? (personality ? issuerOf(personality, DEFAULT_ORIGIN) : DEFAULT_ORIGIN);
    const fault = personality
      ? issuerFault(personality, issuer)
      : new URL(issuer).origin === issuer
        ? undefined
        : 'must be an origin, without a path';
    if (fault) throw new ConfigError([`IDP_ISSUER: ${fault}`]);
    return { issuer, personality };
  });
  reading.derive(['NODE_ENV'], ({ NODE_ENV }) => {
    // mock-idp reads passwords from a file, signs in anyone who knows one, and issues tokens for any user over its
    // admin API.
    if (NODE_ENV === 'production')
      throw new ConfigError([
        'NODE_ENV: mock-idp is for development and tests; production has a real provider',
      ]);
  });
  reading.refuseInProduction({ publicUrls: ['IDP_ISSUER'] });
  const { IDP_ISSUER: _issuer, PERSONALITY: _personality, ...settings } = reading.complete();
  return { ...settings, ...provider(), directory: directory() };
}
