import {
  type AssertionAudience,
  type ClientKey,
  clientKeysSetting,
  readClientCredentials,
} from '@legate/client-authentication';
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
      'Client id for calls to the hub, by client credentials. Unset: `IDP_CLIENT_ID` with its secret or keys.',
    when: 'Operators without onboarding, or whose identity provider wants a client of its own for services.',
  }),
  WORKLOAD_CLIENT_SECRET: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Secret of that client.', when: 'The same operators.', secret: true }),
  WORKLOAD_CLIENT_KEYS: clientKeysSetting.optional().meta({
    description:
      'Private JWKS of that client, for `private_key_jwt` in the place of a secret. The first key signs. Each key has a `kid`.',
    when: 'The same operators, if the identity provider wants `private_key_jwt`.',
    secret: true,
  }),
};

export type HubSettings = NonNullable<ReturnType<typeof readHubSettings>>;

type Environment = z.output<z.ZodObject<typeof hubEnvironment>> & {
  readonly IDP_ISSUER: string;
  readonly TRANSACTION_TOKEN_ISSUER?: string | undefined;
  readonly IDP_CLIENT_ID?: string | undefined;
  readonly IDP_CLIENT_SECRET?: string | undefined;
  readonly IDP_CLIENT_KEYS?: readonly ClientKey[] | undefined;
  readonly IDP_CLIENT_ASSERTION_AUDIENCE?: AssertionAudience | undefined;
};

const MISSING =
  'WORKLOAD_CLIENT_ID, WORKLOAD_CLIENT_SECRET: required with TOOL_HUB_URL; or WORKLOAD_CLIENT_KEYS in the place of a secret';
const BOTH = 'WORKLOAD_CLIENT_SECRET, WORKLOAD_CLIENT_KEYS: one of them, and not both';

/** Reports missing settings, given which are set, valid or not. */
export function hubFaults(isSet: (name: keyof Environment) => boolean): string[] {
  if (isSet('WORKLOAD_CLIENT_SECRET') && isSet('WORKLOAD_CLIENT_KEYS')) return [BOTH];
  const isOwn = isSet('WORKLOAD_CLIENT_ID');
  const own = isOwn && (isSet('WORKLOAD_CLIENT_SECRET') || isSet('WORKLOAD_CLIENT_KEYS'));
  const shared = !isOwn && isSet('IDP_CLIENT_ID') && (isSet('IDP_CLIENT_SECRET') || isSet('IDP_CLIENT_KEYS'));
  return isSet('TOOL_HUB_URL') && !own && !shared ? [MISSING] : [];
}

/**
 * @returns undefined where there is no hub
 * @throws {ConfigError}
 */
export function readHubSettings(env: Environment) {
  if (env.TOOL_HUB_URL === undefined) return undefined;
  const clientId = env.WORKLOAD_CLIENT_ID ?? env.IDP_CLIENT_ID;
  const isOwn = env.WORKLOAD_CLIENT_ID !== undefined;
  const credentials = readClientCredentials({
    clientSecret: isOwn ? env.WORKLOAD_CLIENT_SECRET : env.IDP_CLIENT_SECRET,
    clientKeys: isOwn ? env.WORKLOAD_CLIENT_KEYS : env.IDP_CLIENT_KEYS,
    assertionAudience: env.IDP_CLIENT_ASSERTION_AUDIENCE,
  });
  if (clientId === undefined || credentials === undefined) {
    throw new ConfigError([MISSING]);
  }
  return {
    url: env.TOOL_HUB_URL,
    // A hub has one identifier: it issues transaction tokens as what it is called as.
    resource: env.TRANSACTION_TOKEN_ISSUER ?? env.TOOL_HUB_URL,
    identity: { issuer: env.IDP_ISSUER, clientId, credentials },
  };
}
