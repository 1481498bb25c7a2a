import { keySetReads, runService, startOrExit } from '@legate/service';
import { createApp } from './app.ts';
import { appSettings } from './app-settings.ts';
import { loadConfig } from './config.ts';
import { createOpenStreams, wakingStreams } from './faces/mcp/open-streams.ts';
import { changeOf, openAnnouncements } from './open-announcements.ts';
import { openAudit } from './open-audit.ts';
import { openAuthorizationServer } from './open-authorization-server.ts';
import { openIdentityProvider } from './open-identity-provider.ts';
import { openLimits } from './open-limits.ts';
import { openRegistry } from './open-registry.ts';
import { openSessions } from './open-sessions.ts';
import { openSigningKeys } from './open-signing-keys.ts';
import { openTransactionTokens } from './open-transaction-tokens.ts';
import { openManagementApi } from './platform/management-api.ts';
import { openPlatform } from './platform/open.ts';

async function main(): Promise<void> {
  const { env } = process;
  const config = loadConfig(env);
  const production = config.NODE_ENV === 'production';
  const { platform, health, tracer, close } = await openPlatform(config);
  const { http, connections, redis, backend, store, encryptionKeys, clock, log, metrics } = platform;
  const { registry: registered } = metrics;
  const reads = keySetReads(registered);
  const managementApi = openManagementApi(config, clock);
  const streams = createOpenStreams({ metrics: registered });
  const registry = wakingStreams(
    openRegistry(config, { managementApi, env, production, clock, log, metrics: registered }),
    streams,
  );
  const announcements = await openAnnouncements(config, { redis, registry, connections, log });
  const audit = openAudit(config, {
    ...{ managementApi, redis, store, keys: encryptionKeys, clock, log, metrics: registered },
  });
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
    ...platform,
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
    graceSeconds: config.TOOL_CALL_TIMEOUT_SECONDS,
    endStreams: async () => streams.endAll(),
    close: async () => {
      announcements.close();
      sessions.close();
      // While there is a store, and a way to management-api and to tool servers
      await Promise.all([audit.close(), ...toStop.map((work) => work())]);
      await registry.close();
      await authorizationServer.close();
      await close();
    },
  });
}

startOrExit(main);
