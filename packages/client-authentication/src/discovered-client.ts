import {
  allowInsecureRequests,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { type ClientCredentials, clientAuthentication } from './client-credentials.ts';

/**
 * Returns a function that gets a client of an OpenID provider. The provider's metadata is read at the first call, and
 * again after a failure, which is rethrown unchanged. Signatures of ID tokens are checked, including those from the
 * token endpoint.
 * @param options.fetch decides for each address whether plain http is allowed
 * @see OpenID Connect Discovery §4
 */
export function createDiscoveredClient(options: {
  issuer: string;
  clientId: string;
  credentials: ClientCredentials;
  fetch: typeof globalThis.fetch;
}): () => Promise<Configuration> {
  let discovered: Promise<Configuration> | undefined;
  return () => {
    discovered ??= discover(options).catch((err: unknown) => {
      discovered = undefined;
      throw err;
    });
    return discovered;
  };
}

async function discover(options: Parameters<typeof createDiscoveredClient>[0]): Promise<Configuration> {
  const { issuer, clientId, fetch } = options;
  const isInsecure = issuer.startsWith('http:');
  const authentication = await clientAuthentication(options.credentials);
  return discovery(new URL(issuer), clientId, undefined, authentication, {
    [customFetch]: (url, { body, ...init }) => fetch(url, { ...init, ...(body !== undefined && { body }) }),
    execute: isInsecure ? [allowInsecureRequests, enableNonRepudiationChecks] : [enableNonRepudiationChecks],
  });
}
