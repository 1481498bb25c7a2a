import { type Backend, createUseOnce, sealedBackend, type UseOnce } from '@legate/secure-store';
import { createHttpClient } from '@legate/service';
import { exportJWK, generateKeyPair } from 'jose';
import type { Strangers } from '../../limits/strangers.ts';
import { createAgentClients, type FetchAgentClient } from '../../oauth-clients/agent-clients.ts';
import { createAssertionVerifiers } from '../../oauth-clients/client-assertions.ts';
import { createClientDocuments } from '../../oauth-clients/client-documents.ts';
import { createDynamicClients } from '../../oauth-clients/dynamic-clients.ts';
import { createFindClient } from '../../oauth-clients/find-client.ts';
import type { FindClient } from '../../oauth-clients/oauth-client.ts';
import { readClientsFile, registeredClients } from '../../oauth-clients/registered-clients.ts';
import type { CLIENT_WAYS, ClientsSettings } from '../../oauth-clients/settings.ts';
import type { Platform } from '../../platform/platform.ts';
import type { PlatformSettings } from '../../platform/settings.ts';
import type { SignInSettings } from '../../sign-in/settings.ts';
import type { AuthorizationSettings } from './settings.ts';

/** Documents are read while a browser waits, and are small (draft-ietf-oauth-client-id-metadata-document §6.6). */
const DOCUMENT_TIMEOUT_MS = 3000;
const MAX_DOCUMENT_BYTES = 5120;
/**
 * Programs that share a refresh token among processes present it more than once; each process gets the same response.
 */
const REFRESH_REUSE_SECONDS = 60;
/** Lifetime of sessions: MCP clients keep refresh tokens, so their users sign in at most once a month. */
const CLIENT_LIFETIME_SECONDS = 30 * 86_400;
const CLIENT_IDLE_SECONDS = 7 * 86_400;

/** Options of the hub as an authorization server, set by an operator or a test */
export interface AuthorizationServerOptions {
  readonly ways: readonly (typeof CLIENT_WAYS)[number][];
  readonly findClient: FindClient;
  readonly dynamic: ReturnType<typeof createDynamicClients> | undefined;
  /** Encrypted store, shared by the replicas of a hub */
  readonly backend: Backend;
  readonly jwks: { readonly keys: object[] };
  readonly useOnce: UseOnce;
  readonly sessionLifetimeSeconds: number;
  readonly sessionIdleSeconds: number;
  /** Seconds within which a repeated refresh gets the same response */
  readonly refreshReuseSeconds: number;
  /** False: `/mcp` accepts only tokens of this authorization server. */
  readonly takesIdTokens: boolean;
}

/** A key pair for oidc-provider, which requires one even if it signs nothing. */
export async function engineKeys(): Promise<AuthorizationServerOptions['jwks']> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] };
}

/**
 * Opens the clients and keys of the hub as an authorization server.
 * @returns undefined if MCP clients sign users in at the identity provider itself
 * @throws {ConfigError} for an unusable file of clients
 */
export async function openAuthorizationOptions(
  platform: Platform,
  settings: AuthorizationSettings &
    ClientsSettings &
    Pick<PlatformSettings, 'OUTBOUND_ALLOW'> &
    Pick<SignInSettings, 'SESSION_IDLE_SECONDS' | 'SESSION_LIFETIME_SECONDS'>,
  deps: {
    env: NodeJS.ProcessEnv;
    production: boolean;
    strangers: Strangers;
    fetchAgentClient: FetchAgentClient | undefined;
  },
): Promise<(AuthorizationServerOptions & { close(): Promise<void> }) | undefined> {
  if (settings.AUTHORIZATION_SERVER === 'identity-provider') return undefined;
  const { publicUrl: issuer, backend, store, encryptionKeys: keys, clock, log } = platform;
  const { env, production, strangers, fetchAgentClient } = deps;
  const { CLIENT_REGISTRATION: ways, CLIENTS_FILE: path, NATIVE_REDIRECT_SCHEMES: nativePrefixes } = settings;
  const verifyAssertionBy = createAssertionVerifiers({ issuer, clock });
  const entries = path === undefined ? [] : readClientsFile(path, { env, production, nativePrefixes });
  const dynamic = ways.includes('dynamic')
    ? createDynamicClients({ keys, nativePrefixes, clock })
    : undefined;
  // A separate HTTP client: a stranger's document URL must not reach hosts that the operator has allowed for tool
  // servers.
  const http = createHttpClient({
    allow: production ? [] : settings.OUTBOUND_ALLOW.filter((entry) => entry === 'loopback'),
    allowSetting: undefined, // OUTBOUND_ALLOW would not help
    timeoutMs: DOCUMENT_TIMEOUT_MS,
    maxResponseBytes: MAX_DOCUMENT_BYTES,
  });
  const documents = ways.includes('documents')
    ? createClientDocuments({
        fetch: http.fetch,
        store,
        nativePrefixes,
        hosts: settings.CLIENT_DOCUMENT_HOSTS,
        verifyAssertionBy,
        budget: strangers.newDocuments,
        onUnusable: (client_id, reason) => log.info({ client_id, reason }, 'client document not used'),
        clock,
      })
    : undefined;
  return {
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
    sessionLifetimeSeconds: settings.SESSION_LIFETIME_SECONDS ?? CLIENT_LIFETIME_SECONDS,
    sessionIdleSeconds: settings.SESSION_IDLE_SECONDS ?? CLIENT_IDLE_SECONDS,
    refreshReuseSeconds: REFRESH_REUSE_SECONDS,
    takesIdTokens: settings.ID_TOKENS_AT_MCP,
    close: () => http.close(),
  };
}
