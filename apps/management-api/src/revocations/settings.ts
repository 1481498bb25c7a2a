import { ConfigError, identifierUrl } from '@legate/service';
import type { WorkloadIdentity } from '@legate/workload';
import { z } from 'zod';

export const hubEnvironment = {
  /** The tool hub, which is told what it must forget; unset: there is none. */
  TOOL_HUB_URL: identifierUrl.optional(),
  /** Its resource identifier, where that is not its URL. */
  TOOL_HUB_RESOURCE: identifierUrl.optional(),
  /** Our client there, by client credentials; unset: IDP_CLIENT_ID and IDP_CLIENT_SECRET. */
  WORKLOAD_CLIENT_ID: z.string().min(1).optional(),
  WORKLOAD_CLIENT_SECRET: z.string().min(1).optional(),
};

export interface HubSettings {
  readonly url: string;
  readonly resource: string;
  readonly identity: WorkloadIdentity;
}

type Environment = z.output<z.ZodObject<typeof hubEnvironment>> & {
  readonly IDP_ISSUER: string;
  readonly IDP_CLIENT_ID?: string | undefined;
  readonly IDP_CLIENT_SECRET?: string | undefined;
};

/**
 * @returns undefined where there is no hub
 * @throws {ConfigError}
 */
export function readHubSettings(env: Environment): HubSettings | undefined {
  if (env.TOOL_HUB_URL === undefined) return undefined;
  const clientId = env.WORKLOAD_CLIENT_ID ?? env.IDP_CLIENT_ID;
  const clientSecret = env.WORKLOAD_CLIENT_ID ? env.WORKLOAD_CLIENT_SECRET : env.IDP_CLIENT_SECRET;
  if (clientId === undefined || clientSecret === undefined) {
    throw new ConfigError(['WORKLOAD_CLIENT_ID, WORKLOAD_CLIENT_SECRET: required with TOOL_HUB_URL']);
  }
  return {
    url: env.TOOL_HUB_URL,
    resource: env.TOOL_HUB_RESOURCE ?? env.TOOL_HUB_URL,
    identity: { issuer: env.IDP_ISSUER, clientId, clientSecret },
  };
}
