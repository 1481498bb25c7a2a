import {
  type Backend,
  createUseOnce,
  type EncryptionKeys,
  type SecureStore,
  sealedBackend,
} from '@legate/secure-store';
import { createHttpClient, type Logger } from '@legate/service';
import type { Config } from './config.ts';
import { type AuthorizationServerOptions, engineKeys } from './faces/authorization/feature.ts';
import type { Strangers } from './limits/strangers.ts';
import { createAgentClients, type FetchAgentClient } from './oauth-clients/agent-clients.ts';
import { createAssertionVerifiers } from './oauth-clients/client-assertions.ts';
import { createClientDocuments } from './oauth-clients/client-documents.ts';
import { createDynamicClients } from './oauth-clients/dynamic-clients.ts';
import { createFindClient } from './oauth-clients/find-client.ts';
import { readClientsFile, registeredClients } from './oauth-clients/registered-clients.ts';

/** Documents are read while a browser waits, and are small (draft-ietf-oauth-client-id-metadata-document §6.6). */
const DOCUMENT_TIMEOUT_MS = 3000;
const MAX_DOCUMENT_BYTES = 5120;
/** Programs that share a refresh token among processes present it more than once; each gets the same answer. */
const REFRESH_REUSE_SECONDS = 60;

/**
 * Opens the hub as an authorization server, unless the identity provider is one for MCP clients.
 * @throws {ConfigError} for an unusable file of clients
 */
export async function openAuthorizationServer(
  config: Config,
  deps: {
    env: NodeJS.ProcessEnv;
    production: boolean;
    backend: Backend;
    store: SecureStore;
    encryptionKeys: EncryptionKeys;
    strangers: Strangers;
    fetchAgentClient: FetchAgentClient | undefined;
    clock: () => Date;
    log: Logger;
  },
): Promise<{ readonly options: AuthorizationServerOptions | undefined; close(): Promise<void> }> {
  if (config.AUTHORIZATION_SERVER === 'identity-provider')
    return { options: undefined, close: async () => undefined };
  const {
    env,
    production,
    backend,
    store,
    encryptionKeys: keys,
    strangers,
    fetchAgentClient,
    clock,
    log,
  } = deps;
  const { CLIENT_REGISTRATION: ways, CLIENTS_FILE: path, NATIVE_REDIRECT_SCHEMES: nativePrefixes } = config;
  const verifyAssertionBy = createAssertionVerifiers({ issuer: config.PUBLIC_URL, clock });
  const entries = path === undefined ? [] : readClientsFile(path, { env, production, nativePrefixes });
  const dynamic = ways.includes('dynamic')
    ? createDynamicClients({ keys, nativePrefixes, clock })
    : undefined;
  // A client of its own: a stranger who names a document must not reach what the operator has opened for tool servers.
  const http = createHttpClient({
    allow: production ? [] : config.OUTBOUND_ALLOW.filter((entry) => entry === 'loopback'),
    timeoutMs: DOCUMENT_TIMEOUT_MS,
    maxResponseBytes: MAX_DOCUMENT_BYTES,
  });
  const documents = ways.includes('documents')
    ? createClientDocuments({
        fetch: http.fetch,
        store,
        nativePrefixes,
        hosts: config.CLIENT_DOCUMENT_HOSTS,
        verifyAssertionBy,
        budget: strangers.newDocuments,
        onUnusable: (client_id, reason) => log.info({ client_id, reason }, 'client document not used'),
        clock,
      })
    : undefined;
  return {
    options: {
      ways,
      findClient: createFindClient({
        registered: registeredClients(entries, verifyAssertionBy),
        agents:
          ways.includes('registered') && fetchAgentClient
            ? createAgentClients({
                fetchAgentClient,
                verifyAssertionBy,
                budget: strangers.unknownClients,
                clock,
              })
            : undefined,
        documents,
        dynamic,
      }),
      dynamic,
      backend: sealedBackend(store, backend),
      jwks: await engineKeys(),
      useOnce: createUseOnce(backend, 'jti:'),
      sessionLifetimeSeconds: config.CLIENT_SESSION_LIFETIME_SECONDS,
      sessionIdleSeconds: config.CLIENT_SESSION_IDLE_SECONDS,
      refreshReuseSeconds: REFRESH_REUSE_SECONDS,
      takesIdTokens: config.ID_TOKENS_AT_MCP,
    },
    close: () => http.close(),
  };
}
