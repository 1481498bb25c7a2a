import { createSigningKeys } from '@legate/jwt';
import type { AuthenticationFailures } from '@legate/oauth/express';
import { type Backend, createMemoryBackend } from '@legate/secure-store';
import { createHealth, createLogger, createMetrics } from '@legate/service';
import type { Express } from 'express';
import { createApp } from '../app.ts';
import { createDirectory, type Directory } from '../directory/directory.ts';
import { createMemoryDocuments, type OpenDocuments } from '../directory/documents.ts';
import { hashPassword } from '../directory/password.ts';
import { DirectoryFile, seedDirectory } from '../directory/seed.ts';
import type { Personality } from '../personalities/personality.ts';

export const ADMIN_KEY = 'admin-key-of-the-tests';
export const PASSWORD = 'right-password';
export const TOOL_SERVER = 'http://tools.example';
export const MANAGEMENT_API = 'http://api.example';
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Users, clients and resource servers for tests; every rule of a policy applies to at least one of them. */
export const SCENE = {
  users: [
    {
      id: 'user_alice',
      email: 'alice@acme.example',
      name: 'Alice',
      password: PASSWORD,
      groups: ['engineering'],
    },
    { id: 'user_dave', email: 'dave@newco.example', name: 'Dave', password: PASSWORD },
    { id: 'user_gone', email: 'gone@acme.example', name: 'Gone', password: PASSWORD, disabled: true },
  ],
  organizations: [
    { id: 'org_acme', name: 'Acme' },
    { id: 'org_globex', name: 'Globex' },
  ],
  memberships: [
    { user: 'alice@acme.example', organization: 'org_acme', role: 'admin' },
    { user: 'user_gone', organization: 'org_acme' },
  ],
  clients: [
    {
      client_id: 'app',
      name: 'The <b>App</b>',
      public: true,
      redirect_uris: ['http://127.0.0.1/callback'],
      post_logout_redirect_uris: ['http://127.0.0.1/'],
      redirect_origins: ['https://customer.example'],
      grant_types: ['authorization_code', 'refresh_token', TOKEN_EXCHANGE],
      exchange_without_authentication: true,
    },
    {
      client_id: 'quiet-app',
      public: true,
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', TOKEN_EXCHANGE],
    },
    {
      client_id: 'hub',
      client_secrets: ['the-secret-of-the-hub'],
      redirect_uris: ['https://hub.example/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials', TOKEN_EXCHANGE],
      exchangeable_audiences: ['app'],
      organization_id: 'org_acme',
    },
    {
      client_id: 'no-exchange',
      client_secrets: ['the-secret-of-no-exchange'],
      grant_types: ['client_credentials'],
    },
    {
      client_id: 'stranger',
      client_secrets: ['the-secret-of-stranger'],
      grant_types: [TOKEN_EXCHANGE],
      exchangeable_audiences: ['app'],
    },
  ],
  resource_servers: [
    {
      accepts: 'id_jag',
      resource: TOOL_SERVER,
      scopes: ['tools:read', 'tools:call', 'tools:admin'],
      clients: {
        hub: { client_id: 'hub-at-tools', scopes: ['tools:read', 'tools:call'] },
        app: { client_id: 'hub-at-tools', scopes: ['tools:read'] },
      },
    },
    {
      accepts: 'id_jag',
      resource: 'https://one.example/mcp',
      issuer: 'https://as.example',
      scopes: ['one'],
      claims: ['email', 'groups', 'roles'],
      clients: { hub: { client_id: 'https://hub.example/client' } },
    },
    {
      accepts: 'id_jag',
      resource: 'https://two.example/mcp',
      issuer: 'https://as.example',
      scopes: ['two'],
      claims: ['email'],
      clients: { hub: { client_id: 'https://hub.example/client' } },
    },
    {
      accepts: 'access_token',
      resource: MANAGEMENT_API,
      scopes: ['sites:read', 'sites:write', 'audit:write', 'internal:connectors'],
      claims: ['email', 'roles'],
      clients: {
        app: { scopes: ['sites:read', 'sites:write'] },
        hub: { scopes: ['audit:write', 'internal:connectors'] },
      },
    },
  ],
  policies: [],
};

export interface TestWorld {
  readonly app: Express;
  readonly issuer: string;
  readonly directory: Directory;
  /** Log entries, one JSON line each */
  readonly logged: string[];
  /** Advances the injected clock; oidc-provider itself uses the real time. */
  advance(seconds: number): void;
}

/** Created once for each test file, because generating RSA keys is slow. */
const signingJwks = createSigningKeys({ alg: 'RS256', clock: () => new Date() }).then((keys) =>
  keys.privateJwks(),
);

const hashes = new Map<string, Promise<string>>();
/** Hashes the password once: hashing is slow by design, and all users of the scene have the same password. */
function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

/** The whole service with its own stores. Its clock starts at the real time, which oidc-provider uses. */
export async function createTestWorld(
  options: {
    issuer?: string;
    personality?: Personality;
    scene?: object;
    stores?: { backend: Backend; documents: OpenDocuments };
    idTokenTtlSeconds?: number;
    keys?: Awaited<ReturnType<typeof createSigningKeys>>;
    isStoreShared?: boolean;
    failures?: AuthenticationFailures;
  } = {},
): Promise<TestWorld> {
  let offsetMs = 0;
  const clock = () => new Date(Date.now() + offsetMs);
  const issuer = options.issuer ?? 'http://idp.example';
  const logged: string[] = [];
  const log = createLogger({
    service: 'mock-idp',
    level: 'trace',
    destination: { write: (line: string) => void logged.push(line) },
  });
  const directory = createDirectory(options.stores?.documents ?? createMemoryDocuments());
  await seedDirectory(directory, DirectoryFile.parse(options.scene ?? SCENE), clock, hashOnce);
  const app = await createApp({
    issuer,
    personality: options.personality,
    keys: options.keys ?? (await createSigningKeys({ alg: 'RS256', clock, jwks: await signingJwks })),
    cookieKeys: ['a-cookie-key-of-the-tests'],
    adminApiKey: ADMIN_KEY,
    directory,
    // Calls without oidc-provider's dispatcher, which refuses loopback addresses.
    getJson: async (url) => (await globalThis.fetch(url)).json(),
    fetch: (url, { dispatcher: _theirs, ...init } = {}) => globalThis.fetch(url, init),
    idTokenTtlSeconds: options.idTokenTtlSeconds ?? 3600,
    backend: options.stores?.backend ?? createMemoryBackend({ clock }),
    isStoreShared: options.isStoreShared ?? false,
    failures: options.failures,
    clock,
    log,
    health: createHealth({ checks: {} }),
    metrics: createMetrics('mock-idp'),
  });
  return {
    app,
    issuer,
    directory,
    logged,
    advance(seconds) {
      offsetMs += seconds * 1000;
    },
  };
}
