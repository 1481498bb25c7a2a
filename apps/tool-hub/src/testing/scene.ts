import { createCertificateConnections, createIdentityProvider, type IdJagSettings } from '@legate/delegation';
import { findKind, readRefusal } from '@legate/identity-providers';
import { ConnectorId, OrganizationId } from '@legate/ids';
import { boundedIdToken } from '@legate/jwt';
import { createIssuerKeySet } from '@legate/oauth';
import { createFailureLimiter, createRateLimiter } from '@legate/rate-limit';
import {
  type Backend,
  createMemoryBackend,
  createSecureStore,
  type EncryptionKeys,
  generateEncryptionKeys,
  type SecureStore,
} from '@legate/secure-store';
import {
  createHealth,
  createHttpClient,
  createLogger,
  createMetrics,
  type HttpClient,
} from '@legate/service';
import { createTestClock, type TestClock } from '@legate/service/testing';
import type { Express } from 'express';
import { createApp, type Front } from '../app.ts';
import type { AuditEvent } from '../audit/call-event.ts';
import { createCallTrail } from '../audit/call-trail.ts';
import { createMemoryIndex, EXPLANATION_BOUND } from '../audit/explanation-index.ts';
import { createExplanations } from '../audit/explanations.ts';
import type { Connector } from '../domain/connector.ts';
import { createConnectorRegistry } from '../domain/registry.ts';
import { createOpenStreams } from '../faces/mcp/open-streams.ts';
import type { FairUseLimits } from '../limits/fair-use.ts';
import { createStrangers } from '../limits/strangers.ts';
import type { Parts } from '../parts.ts';
import type { Platform } from '../platform/platform.ts';
import { createEndings, type Endings } from '../sign-in/endings.ts';
import type { IdentityProviderPart } from '../sign-in/identity-provider.ts';
import { createSessionStore } from '../sign-in/session-store.ts';
import type { SharedSessions } from '../sign-in/shared-sessions.ts';
import { type FakeIdp, startFakeIdp } from './fake-idp.ts';
import { type FakeToolServer, startFakeToolServer } from './fake-tool-server.ts';
import { testBudget } from './memory-budget.ts';

type Groups = Pick<Parts, 'identityProvider' | 'connectors' | 'limits' | 'audit' | 'calls' | 'accounts'>;

/** The platform and the parts of a hub in one object, so that a test can replace any of them by name. */
export type SceneParts = Platform &
  Groups['identityProvider'] &
  Groups['connectors'] &
  Groups['limits'] &
  Groups['audit'] &
  Groups['calls'] &
  Groups['accounts'] &
  Omit<Parts, keyof Groups> &
  Front;

export interface Scene {
  readonly app: Express;
  readonly idp: FakeIdp;
  readonly toolServer: FakeToolServer;
  readonly clock: TestClock;
  /** The contents of the store, as stored. */
  readonly entries: Map<string, { value: Buffer; ttlSeconds: number }>;
  /** The store itself, for a test that writes to it directly. */
  readonly backend: Backend;
  readonly connector: Connector;
  /** Returns the whole log, at the most verbose level. */
  readonly logged: () => string;
  readonly metrics: () => Promise<string>;
  /** Returns the recorded audit events, once all calls so far have ended. */
  readonly audited: () => Promise<readonly AuditEvent[]>;
  /** Notifies the replicas of the scene of ended sessions. */
  readonly ends: {
    announce: (name: string) => Promise<void>;
    /** Runs what each replica does on an announcement, and every few seconds. */
    hear(name: string): Promise<unknown>;
    recheck(): Promise<unknown>;
  };
  /** Issues an ID token for a user of org_acme, unless the claims differ. */
  idTokenOf(sub: string, claims?: Record<string, unknown>): Promise<string>;
  /** Creates another process of the same deployment, which shares only the store. */
  replica(app: Partial<SceneParts>): Express;
  /** Runs at all replicas what a process does when it stops */
  closeCalls(): Promise<unknown>;
  stop(): Promise<void>;
}

export interface SceneOptions {
  /** Default: a new one */
  readonly clock?: TestClock;
  readonly connector?: Partial<Connector>;
  readonly idJag?: Partial<IdJagSettings>;
  readonly backend?: (memory: Backend) => Backend;
  readonly encryptionKeys?: EncryptionKeys;
  readonly http?: { timeoutMs?: number };
  /** The hub's client at the identity provider. Default: one with a secret */
  readonly hubClient?: HubClient;
  readonly app?: Partial<SceneParts>;
}

/** Limits that a test never reaches unless it sets its own */
export const FAIR_USE: FairUseLimits = {
  slots: { process: 2000, organization: 2000, user: 2000, agent: 2000 },
  streams: { process: 2000, organization: 2000, user: 2000, agent: 2000 },
  requestsPerMinute: 1_000_000,
};

/** The hub's client at the tool server of the scene */
export const ID_JAG: IdJagSettings = {
  method: 'id-jag',
  clientId: 'hub-at-server',
  clientAuth: { method: 'client_secret_post', clientSecret: 'hub-at-server-secret' },
  issuer: undefined,
  audience: undefined,
};

/** Creates a hub with a fake identity provider and a fake tool server, each on its own port. */
export async function createScene(options: SceneOptions = {}): Promise<Scene> {
  const clock = options.clock ?? createTestClock();
  const [idp, toolServer] = await Promise.all([startFakeIdp({ clock }), startFakeToolServer({ clock })]);
  const connector: Connector = {
    id: ConnectorId.parse('con_tools'),
    organizationId: OrganizationId.parse('org_acme'),
    name: 'Tools',
    resource: toolServer.resource,
    mcpUrl: `${toolServer.resource}/mcp`,
    methods: [{ ...ID_JAG, ...options.idJag }],
    scopes: ['mcp:tools:read', 'mcp:tools:call'],
    ...options.connector,
  };
  const http = createHttpClient({ allow: ['loopback'], ...options.http });
  const hubClient = { fetch: http.fetch, ...(options.hubClient ?? HUB_CLIENT) };
  const connections = createCertificateConnections({ open: http.withIdentity, clock });
  const { backend: memory, entries } = recording(createMemoryBackend({ clock }));
  const backend = options.backend?.(memory) ?? memory;
  const encryptionKeys = options.encryptionKeys ?? generateEncryptionKeys();
  let logged = '';
  const metrics = createMetrics('tool-hub');
  const log = createLogger({
    service: 'tool-hub',
    level: 'trace',
    destination: {
      write(line: string) {
        logged += line;
      },
    },
  });
  const store = createSecureStore({ backend, keys: encryptionKeys });
  const explanations = createExplanations({
    store: createSecureStore({ backend: createMemoryBackend({ clock }), keys: encryptionKeys }),
    ttlSeconds: 86_400,
    index: createMemoryIndex(EXPLANATION_BOUND),
    log,
  });
  const audited: AuditEvent[] = [];
  const trail = createCallTrail({
    outbox: {
      add: (events) => void audited.push(...events.map(({ json }) => JSON.parse(json))),
      reserve: () => ({ release: () => undefined }),
    },
    explanations,
    clock,
    log,
    logEvents: false,
    onRecorded: () => undefined,
    onEnded: () => undefined,
  });
  const endings: Endings[] = [];
  const ends: Scene['ends'] = {
    announce: async (name) => void (await ends.hear(name)),
    hear: (name) => Promise.all(endings.map((each) => each.end(name))),
    recheck: () => Promise.all(endings.map((each) => each.recheck())),
  };
  const sessionsOf = (shared: SecureStore): SharedSessions => {
    const sessions = createSessionStore({ store: shared, idleSeconds: 86_400, clock, log });
    const own = createEndings({ store: sessions, clock, log });
    endings.push(own);
    return {
      store: sessions,
      endings: own,
      announce: (name) => ends.announce(name),
      lifetimeSeconds: 604_800,
      maxPerUser: 20,
    };
  };
  const kind = findKind('generic');
  const parts: SceneParts = {
    kind,
    issuesIdJags: true,
    subjectTokenType: 'id_token',
    publicUrl: 'http://hub.test',
    issuer: {
      issuer: idp.issuer,
      keys: createIssuerKeySet({ issuer: idp.issuer, getJson: http.getJson, clock }),
    },
    acceptedAudiences: ['frontend-app', 'tool-hub'],
    organizationRule: { claim: 'organization_id' },
    idTokenProfile: boundedIdToken(),
    idJagOrganization: 'required',
    hubClient,
    identityProvider: identityProviderOf(idp, http, clock, hubClient),
    registry: createConnectorRegistry([
      connector,
      { ...connector, organizationId: OrganizationId.parse('org_globex') },
      {
        ...connector,
        id: ConnectorId.parse('con_globex_only'),
        organizationId: OrganizationId.parse('org_globex'),
      },
    ]),
    streams: createOpenStreams({ metrics: metrics.registry }),
    requireAgent: false,
    verifyWorkload: undefined,
    actorKeys: undefined,
    clientKeys: undefined,
    authorizationServer: undefined,
    transactionTokens: undefined,
    returnTo: [],
    ttlSeconds: 90 * 86_400,
    announce: async () => {},
    announceChange: async () => {},
    sessions: sessionsOf(store),
    trail,
    explanations,
    redis: undefined,
    noteSubscription: () => undefined,
    backend,
    store,
    encryptionKeys,
    allowedOrigins: ['https://app.example'],
    http,
    connections,
    clock,
    limiter: createRateLimiter({ clock }),
    planLimiter: createRateLimiter({ clock }),
    failures: createFailureLimiter({ limiter: createRateLimiter({ clock }), clock }),
    strangers: createStrangers({ clock }),
    fairUse: FAIR_USE,
    pause: async () => {},
    guardLimits: { maxConcurrent: 500, openSeconds: 10 },
    tokenTimeoutMs: 5000,
    storeCommandTimeoutMs: 250,
    toolCallTimeoutMs: 20_000, // a slow response on a busy machine must not count as hanging
    listTimeoutMs: 5000,
    toolResultMaxBytes: 100_000,
    memory: testBudget(metrics),
    log,
    metrics,
    health: createHealth({ checks: {} }),
    ...options.app,
  };
  const closes: (() => Promise<void>)[] = [];
  function appOf(all: SceneParts): Express {
    const groups = {
      identityProvider: all,
      connectors: all,
      limits: all,
      audit: all,
      calls: all,
      accounts: all,
    };
    const { app, close } = createApp(all, { ...all, ...groups }, all);
    closes.push(close);
    return app;
  }
  const app = appOf(parts);

  return {
    app,
    idp,
    toolServer,
    clock,
    entries,
    backend,
    connector,
    logged: () => logged,
    ends,
    metrics: () => metrics.registry.metrics(),
    async audited() {
      trail.flush();
      return audited;
    },
    replica: (other) =>
      appOf({ ...parts, sessions: sessionsOf(store), metrics: createMetrics('tool-hub'), ...other }),
    idTokenOf: (sub, claims) => idp.mintIdToken({ sub, organization_id: 'org_acme', ...claims }),
    closeCalls: () => Promise.all(closes.map((close) => close())),
    async stop() {
      metrics.registry.clear();
      // Connections held by a hanging server would delay a graceful close.
      await Promise.all([idp.stop(), toolServer.stop()]);
      await connections.close();
      await http.dispatcher.destroy();
    },
  };
}

type HubClient = Omit<IdentityProviderPart['hubClient'], 'fetch'> &
  Partial<Pick<IdentityProviderPart['hubClient'], 'fetch'>>;

const HUB_CLIENT: HubClient = {
  clientId: 'tool-hub',
  clientAuth: { method: 'client_secret_post', clientSecret: 'tool-hub-secret' },
};

export function identityProviderOf(
  idp: FakeIdp,
  http: HttpClient,
  clock: () => Date,
  hubClient: HubClient = HUB_CLIENT,
) {
  return createIdentityProvider({
    issuer: idp.issuer,
    fetch: http.fetch,
    ...hubClient,
    explain: (leg, refusal) => readRefusal('generic', leg, refusal).hint,
    clock,
  });
}

function recording(memory: Backend): { backend: Backend; entries: Scene['entries'] } {
  const entries: Scene['entries'] = new Map();
  const get = async (key: string) => {
    const entry = entries.get(key);
    return (await memory.get(key)) === undefined ? undefined : entry?.value;
  };
  return {
    entries,
    backend: {
      ...memory,
      get,
      getMany: (keys) => Promise.all(keys.map(get)),
      async set(key, value, ttlSeconds) {
        entries.set(key, { value, ttlSeconds });
        await memory.set(key, value, ttlSeconds);
      },
      async add(key, value, ttlSeconds) {
        const isAdded = await memory.add(key, value, ttlSeconds);
        if (isAdded) entries.set(key, { value, ttlSeconds });
        return isAdded;
      },
      async replace(key, expected, value, newTtlSeconds) {
        const isReplaced = await memory.replace(key, expected, value, newTtlSeconds);
        const entry = entries.get(key);
        const ttlSeconds = newTtlSeconds ?? entry?.ttlSeconds;
        if (isReplaced && value && ttlSeconds) entries.set(key, { value, ttlSeconds });
        else if (isReplaced) entries.delete(key);
        return isReplaced;
      },
      async delete(key) {
        entries.delete(key);
        return memory.delete(key);
      },
    },
  };
}
