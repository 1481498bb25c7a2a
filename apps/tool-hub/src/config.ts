import { type ClientAuthMethod, clientSettingFaults } from '@legate/client-authentication';
import { organizationFault } from '@legate/identity-providers';
import { checkRedisEnvironment, redisSettingNames } from '@legate/secure-store';
import { allowedOrigins, ConfigError, readEnvironment } from '@legate/service';
import { z } from 'zod';
import { auditEnvironment } from './audit/settings.ts';
import { callsEnvironment } from './calls/settings.ts';
import { readConnectorsFile } from './connectors/connectors-document.ts';
import { connectorsEnvironment } from './connectors/settings.ts';
import { accountsEnvironment } from './faces/accounts/settings.ts';
import { authorizationEnvironment } from './faces/authorization/settings.ts';
import { revocationsEnvironment } from './faces/revocations/settings.ts';
import { transactionTokensEnvironment } from './faces/transaction-tokens/settings.ts';
import { readTransactionTokensFile } from './faces/transaction-tokens/workloads-file.ts';
import { limitsEnvironment } from './limits/settings.ts';
import { clientsEnvironment } from './oauth-clients/settings.ts';
import { platformEnvironment, storeEnvironment } from './platform/settings.ts';
import { signInEnvironment } from './sign-in/settings.ts';

export const Environment = z.object({
  ...platformEnvironment,
  ALLOWED_ORIGINS: allowedOrigins,
  ...revocationsEnvironment,
  ...callsEnvironment,
  ...signInEnvironment,
  ...connectorsEnvironment,
  ...accountsEnvironment,
  ...storeEnvironment,
  ...auditEnvironment,
  ...limitsEnvironment,
  ...transactionTokensEnvironment,
  ...authorizationEnvironment,
  ...clientsEnvironment,
});
export type Config = Readonly<z.output<typeof Environment>>;

/**
 * Parses the environment. Called only by main.ts.
 * @throws {ConfigError} with every invalid variable, and without values
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const reading = readEnvironment(Environment, env);
  reading.refine(redisSettingNames, checkRedisEnvironment);
  if (reading.isSet('CONNECTORS_FILE') === reading.isSet('MANAGEMENT_API_URL'))
    reading.fault('CONNECTORS_FILE, MANAGEMENT_API_URL: set exactly one of them');
  const client = {
    secret: 'IDP_CLIENT_SECRET',
    keys: 'IDP_CLIENT_KEYS',
    certificate: 'IDP_CLIENT_CERTIFICATE',
  } as const;
  const method = 'IDP_TOKEN_ENDPOINT_AUTH_METHOD';
  const clientFaults = (value?: ClientAuthMethod) =>
    clientSettingFaults(
      'IDP_CLIENT',
      ['secret', 'keys', 'certificate'],
      (name) => reading.isSet(client[name]),
      { name: method, value },
    );
  for (const fault of clientFaults()) reading.fault(fault);
  reading.derive([method], ({ [method]: value }) => {
    const faults = clientFaults(value);
    if (faults.length > 0) throw new ConfigError(faults);
  });
  const organization = ['IDP_KIND', 'ORGANIZATION_CLAIM', 'ORGANIZATION_RULE'] as const;
  reading.derive(organization, (settings) => {
    const fault = organizationFault(settings);
    if (fault !== undefined) throw new ConfigError([fault]);
  });
  // The files are read again where they are used; this reports their faults together with all others.
  reading.derive(['CONNECTORS_FILE', 'NODE_ENV'], ({ CONNECTORS_FILE: path, NODE_ENV }) => {
    if (path !== undefined) readConnectorsFile(path, { env, production: NODE_ENV === 'production' });
  });
  reading.derive(['TRANSACTION_TOKENS_FILE', 'NODE_ENV'], ({ TRANSACTION_TOKENS_FILE: path, NODE_ENV }) => {
    if (path !== undefined) readTransactionTokensFile(path, { env, production: NODE_ENV === 'production' });
  });
  // With keys generated at start, no other replica could read the entries in Redis, nor could this one after a restart.
  if (reading.isSet('REDIS_URL') && !reading.isSet('ENCRYPTION_KEYS'))
    reading.fault('ENCRYPTION_KEYS: required with REDIS_URL');
  reading.refuseInProduction({
    required: {
      REDIS_URL:
        'a revocation at one replica would not reach the others, and sessions would end with this process',
      ...(reading.isSet('MANAGEMENT_API_URL') && {
        WORKLOADS:
          'without it no revocation arrives, and removed members keep their access for a while. Set CLIENT=internal:revocations, with the client id of the management API',
      }),
      ...((reading.isSet('TRANSACTION_TOKENS_FILE') ||
        z.stringbool().safeParse(env.IDP_ACTOR_TOKENS).data === true) && {
        SIGNING_KEYS: 'each replica would sign transaction tokens with its own keys',
      }),
    },
    publicUrls: ['PUBLIC_URL', 'IDP_ISSUER'],
  });
  return reading.complete();
}
