import { setTimeout as delay } from 'node:timers/promises';
import { createPause } from '@legate/delegation';
import {
  createHealth,
  createLogger,
  createMetrics,
  keySetReads,
  type Logger,
  type Metrics,
  openTracer,
  redisAccessGauge,
  runService,
  startOrExit,
} from '@legate/service';
import { createApp } from './app.ts';
import { appSettings } from './app-settings.ts';
import { type Config, loadConfig } from './config.ts';
import { createOpenStreams, wakingStreams } from './faces/mcp/open-streams.ts';
import { changeOf, openAnnouncements } from './open-announcements.ts';
import { openAudit } from './open-audit.ts';
import { openAuthorizationServer } from './open-authorization-server.ts';
import { openIdentityProvider } from './open-identity-provider.ts';
import { openLimits } from './open-limits.ts';
import { openOutbound } from './open-outbound.ts';
import { openRegistry } from './open-registry.ts';
import { openSessions } from './open-sessions.ts';
import { openSigningKeys } from './open-signing-keys.ts';
import { openStore } from './open-store.ts';
import { openTransactionTokens } from './open-transaction-tokens.ts';

async function main(): Promise<void> {
  const { env } = process;
  const config = loadConfig(env);
  const production = config.NODE_ENV === 'production';
  const clock = () => new Date();
  const log = createLogger({ service: 'tool-hub', level: config.LOG_LEVEL });
  const metrics = createMetrics('tool-hub');
  const { registry: registered } = metrics;
  const reads = keySetReads(registered);
  const tracer = await openTracer('tool-hub', config, { log });
  const { memory, http, connections, close: closeOutbound } = openOutbound(config, { clock, metrics });
  const { registry, streams } = openConnectors(config, { env, production, clock, log, metrics: registered });
  const { backend, redis, store, encryptionKeys, checkAccess, close } = await openStore(config, {
    clock,
    log,
  });
  const announcements = await openAnnouncements(config, { redis, registry, connections, log });
  const audit = openAudit(config, { redis, store, keys: encryptionKeys, clock, log, metrics: registered });
  const health = openHealth(checkAccess, { metrics, log });
  const { hubClient, ...identityProvider } = openIdentityProvider(config, { http, reads, clock });
  const sessions = await openSessions(config, { redis, store, hubClient, clock, log });
  const limits = openLimits(config, { redis, clock, log, metrics });
  const signingKeys = await openSigningKeys(config, { production, clock, log });
  const transactionTokens = openTransactionTokens(config, {
    ...{ env, production, backend, signingKeys, getJson: http.getJson, onKeysRead: reads },
  });
  const authorizationServer = await openAuthorizationServer(config, {
    env,
    production,
    backend,
    store,
    encryptionKeys,
    strangers: limits.strangers,
    fetchAgentClient: registry.fetchAgentClient,
    clock,
    log,
  });
  const toStop: (() => Promise<void>)[] = [];
  const app = createApp({
    ...appSettings(config),
    ...identityProvider,
    ...limits,
    registry,
    streams,
    noteListed: registry.noteListed,
    announce: announcements.announce,
    announceChange: (organizationId) => announcements.announce(changeOf(organizationId)),
    transactionTokens,
    actorKeys: config.IDP_ACTOR_TOKENS ? signingKeys : undefined,
    authorizationServer: authorizationServer.options,
    sessions: sessions.options,
    trail: audit.trail,
    explanations: audit.explanations,
    store,
    encryptionKeys,
    http,
    connections,
    clock,
    pause: createPause({ random: Math.random, wait: delay }),
    memory,
    log,
    metrics,
    tracer,
    health,
    onStop: (work) => void toStop.push(work),
  });
  await runService({
    config,
    app,
    health,
    metrics,
    log,
    typeBase: `${config.PUBLIC_URL}/errors`,
    endStreams: async () => streams.endAll(),
    close: async () => {
      announcements.close();
      sessions.close();
      // While there is a store, and a way to management-api and to tool servers
      await Promise.all([audit.close(), ...toStop.map((work) => work())]);
      close();
      await registry.close();
      await authorizationServer.close();
      await closeOutbound();
      await tracer?.close();
    },
  });
}

/** The connectors, and the streams of agents that are told of their changes */
function openConnectors(config: Config, deps: Parameters<typeof openRegistry>[1]) {
  const streams = createOpenStreams({ metrics: deps.metrics });
  return { registry: wakingStreams(openRegistry(config, deps), streams), streams };
}

/**
 * The hub works without Redis (no cache) and reports peers that are down. But a Redis that refuses us does not recover by
 * itself, and a rollout with a wrong password must stop.
 */
function openHealth(checkAccess: () => Promise<void>, { metrics, log }: { metrics: Metrics; log: Logger }) {
  redisAccessGauge(metrics.registry, checkAccess);
  return createHealth({
    checks: { redis_access: checkAccess },
    onFailure: (check, err) => log.warn({ check, err }, 'not ready'),
  });
}

startOrExit(main);
