import { ConfigError, identifierUrl } from '@legate/service';
import { z } from 'zod';

export const hubEnvironment = {
  TOOL_HUB_URL: identifierUrl.optional().meta({
    description: 'URL of the tool hub, to which revocations are sent. Unset: there is no hub.',
    when: 'Operators with a tool hub: revocations reach it at once.',
    example: 'https://hub.example',
  }),
  WORKLOAD_CLIENT_ID: z.string().min(1).optional().meta({
    description:
      'Client id for calls to the hub, by client credentials. Unset: `IDP_CLIENT_ID` and `IDP_CLIENT_SECRET`.',
    when: 'Operators without onboarding, or whose identity provider wants a client of its own for services.',
  }),
  WORKLOAD_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Secret of that client.', when: 'The same operators.', secret: true }),
};

export type HubSettings = NonNullable<ReturnType<typeof readHubSettings>>;

type Environment = z.output<z.ZodObject<typeof hubEnvironment>> & {
  readonly IDP_ISSUER: string;
  readonly TRANSACTION_TOKEN_ISSUER?: string | undefined;
  readonly IDP_CLIENT_ID?: string | undefined;
  readonly IDP_CLIENT_SECRET?: string | undefined;
};

const MISSING = 'WORKLOAD_CLIENT_ID, WORKLOAD_CLIENT_SECRET: required with TOOL_HUB_URL';

/** Reports missing settings, given which are set, valid or not. */
export function hubFaults(isSet: (name: keyof Environment) => boolean): string[] {
  const own = isSet('WORKLOAD_CLIENT_ID') && isSet('WORKLOAD_CLIENT_SECRET');
  const shared = !isSet('WORKLOAD_CLIENT_ID') && isSet('IDP_CLIENT_ID') && isSet('IDP_CLIENT_SECRET');
  return isSet('TOOL_HUB_URL') && !own && !shared ? [MISSING] : [];
}

/**
 * @returns undefined where there is no hub
 * @throws {ConfigError}
 */
export function readHubSettings(env: Environment) {
  if (env.TOOL_HUB_URL === undefined) return undefined;
  const clientId = env.WORKLOAD_CLIENT_ID ?? env.IDP_CLIENT_ID;
  const clientSecret = env.WORKLOAD_CLIENT_ID ? env.WORKLOAD_CLIENT_SECRET : env.IDP_CLIENT_SECRET;
  if (clientId === undefined || clientSecret === undefined) {
    throw new ConfigError([MISSING]);
  }
  return {
    url: env.TOOL_HUB_URL,
    // A hub has one identifier: it issues transaction tokens as what it is called as.
    resource: env.TRANSACTION_TOKEN_ISSUER ?? env.TOOL_HUB_URL,
    identity: { issuer: env.IDP_ISSUER, clientId, clientSecret },
  };
}
