import { clientAuthentication } from '@legate/client-authentication';
import {
  allowInsecureRequests,
  Configuration,
  type CustomFetch,
  customFetch,
  type ServerMetadata,
} from 'openid-client';
import type { ConnectorClientAuth } from '../domain/method-settings.ts';
import { readTokenAnswer } from './token-answer.ts';

/** One of our client registrations at one token endpoint. */
export type TokenClient = Configuration;

/**
 * @param options.authMethods how clients authenticate at the token endpoint, according to its metadata, if any
 * @param options.fetch the guarded client's: it follows no redirect, limits time and size, and checks addresses
 */
export async function createTokenClient(options: {
  issuer: string;
  tokenEndpoint: string;
  authMethods?: readonly string[] | undefined;
  clientId: string;
  clientAuth: ConnectorClientAuth;
  fetch: typeof globalThis.fetch;
}): Promise<TokenClient> {
  const metadata = {
    issuer: options.issuer,
    token_endpoint: options.tokenEndpoint,
    ...(options.authMethods && { token_endpoint_auth_methods_supported: [...options.authMethods] }),
  };
  const authentication = await clientAuthentication(options.clientAuth);
  const client = new Configuration(metadata, options.clientId, undefined, authentication);
  return sendThrough(client, metadata, options.fetch);
}

/**
 * Makes a client send requests by the guarded client's `fetch`, which decides for each address whether plain http may
 * be used, and limits the time, for which the library would make another signal. Used for all requests.
 * @param metadata of the client's server, which the library would copy
 * @param options.usesIdTokens false: an ID token in a token response is ignored, no matter who issued it
 */
export function sendThrough(
  client: Configuration,
  { token_endpoint: endpoint, mtls_endpoint_aliases: aliases }: Readonly<ServerMetadata>,
  fetch: typeof globalThis.fetch,
  options: { readonly usesIdTokens: boolean } = { usesIdTokens: false },
): Configuration {
  // The library sends requests to the normalized form.
  const tokenEndpoints = [endpoint, aliases?.token_endpoint].flatMap((url) =>
    url !== undefined && URL.canParse(url) ? [new URL(url).href] : [],
  );
  const send = toCustomFetch(fetch);
  client[customFetch] = async (url, init) => {
    const answer = await send(url, init);
    return tokenEndpoints.includes(url) ? readTokenAnswer(answer, options) : answer;
  };
  client.timeout = undefined;
  allowInsecureRequests(client);
  return client;
}

/** Adapts the one difference between the two types: an absent body is `undefined` in the library's type. */
export const toCustomFetch =
  (fetch: typeof globalThis.fetch): CustomFetch =>
  (url, { body, ...options }) =>
    fetch(url, { ...options, ...(body !== undefined && { body }) });
