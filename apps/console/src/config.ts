import { clientSettingFaults } from '@legate/client-authentication';
import { organizationFault } from '@legate/identity-providers';
import {
  checkRedisEnvironment,
  encryptionKeysSetting,
  redisEnvironment,
  redisKeyPrefix,
  redisSettingNames,
} from '@legate/secure-store';
import {
  ConfigError,
  identifierUrl,
  port,
  readEnvironment,
  readJsonFile,
  SHARED_SETTINGS,
  serviceEnvironment,
  sessionEnvironment,
} from '@legate/service';
import { z } from 'zod';
import { type BrowserConfig, BrowserConfigFile } from './pages/browser-config.ts';
import { signInEnvironment, upstreamEnvironment } from './settings.ts';

export const Environment = z.object({
  ...serviceEnvironment,
  PORT: port.default(4004).meta(SHARED_SETTINGS.PORT),
  PUBLIC_URL: identifierUrl
    .refine((url) => URL.canParse(url) && new URL(url).origin === url, {
      error: 'must be an origin, without a path',
    })
    .default('http://localhost:4004')
    .meta(SHARED_SETTINGS.PUBLIC_URL),
  ...signInEnvironment,
  ...upstreamEnvironment,
  ...sessionEnvironment,
  ...redisEnvironment,
  REDIS_KEY_PREFIX: redisKeyPrefix('console:'),
  ENCRYPTION_KEYS: encryptionKeysSetting.optional().meta(SHARED_SETTINGS.ENCRYPTION_KEYS),
  CONFIG_FILE: z.string().min(1).optional().meta({
    description:
      'JSON file with public settings, which browsers read as `/config.json`. Members: `name`, `environment`, `tool_hub_url`, `management_api_url`, `docs_url`, `identity_provider_name`, `features`.',
    when: 'Operators who name their installation, or whose users copy addresses from the console.',
    example: '/config/console.json',
  }),
});

export type Config = Readonly<z.output<typeof Environment>> & { readonly browserConfig: BrowserConfig };

/** Called by main.ts alone. @throws {ConfigError} with every fault, and no value */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const reading = readEnvironment(Environment, env);
  reading.refine(redisSettingNames, checkRedisEnvironment);
  const client = { secret: 'IDP_CLIENT_SECRET', keys: 'IDP_CLIENT_KEYS' } as const;
  const isSet = (name: keyof typeof client) => reading.isSet(client[name]);
  for (const fault of clientSettingFaults('IDP_CLIENT', ['secret', 'keys'], isSet)) reading.fault(fault);
  if (reading.isSet('REDIS_URL') && !reading.isSet('ENCRYPTION_KEYS'))
    reading.fault('ENCRYPTION_KEYS: required with REDIS_URL');
  reading.derive(['IDP_KIND', 'ORGANIZATION_CLAIM', 'ORGANIZATION_RULE'], (settings) => {
    const fault = organizationFault(settings);
    if (fault !== undefined) throw new ConfigError([fault]);
  });
  const browserConfig = reading.derive(['CONFIG_FILE', 'NODE_ENV'], ({ CONFIG_FILE: path, NODE_ENV }) => {
    if (path === undefined) return {};
    const { development, ...members } = readJsonFile(path, BrowserConfigFile, env);
    if (development && NODE_ENV === 'production')
      throw new ConfigError([`${path}: a development configuration is refused in production`]);
    return members;
  });
  reading.refuseInProduction({
    required: {
      REDIS_URL: 'sessions would end with this process, and no other replica would know them',
    },
    publicUrls: ['PUBLIC_URL', 'IDP_ISSUER'],
  });
  return { ...reading.complete(), browserConfig: browserConfig() };
}
