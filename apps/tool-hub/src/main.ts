import { keySetReads, runService, startOrExit } from '@legate/service';
import { createApp } from './app.ts';
import { openAudit } from './audit/open.ts';
import { callLimits } from './calls/settings.ts';
import { loadConfig } from './config.ts';
import { openChanges } from './connectors/changes.ts';
import { openRegistry } from './connectors/open.ts';
import { connectOptions } from './faces/accounts/settings.ts';
import { openAuthorizationOptions } from './faces/authorization/options.ts';
import { createOpenStreams, wakingStreams } from './faces/mcp/open-streams.ts';
import { openVerifyWorkload } from './faces/revocations/settings.ts';
import { readTransactionTokens } from './faces/transaction-tokens/options.ts';
import { openLimits } from './limits/open.ts';
import { openManagementApi } from './platform/management-api.ts';
import { openPlatform } from './platform/open.ts';
import { openSigningKeys } from './platform/signing-keys.ts';
import { watchCertificate } from './sign-in/certificate.ts';
import { openIdentityProvider } from './sign-in/identity-provider.ts';
import { openSharedSessions } from './sign-in/shared-sessions.ts';

/** Minimum grace period for sign-ins, token exchanges and lists, even if tools have a shorter one. */
const MIN_GRACE_SECONDS = 10;

async function main(): Promise<void> {
  const { env } = process;
  const config = loadConfig(env);
  const production = config.NODE_ENV === 'production';
  const { platform, health, tracer, close: closePlatform } = await openPlatform(config);
  const { clock, log, metrics } = platform;
  const onKeysRead = keySetReads(metrics.registry);

  const managementApi = openManagementApi(config, clock);
  const streams = createOpenStreams({ metrics: metrics.registry });
  const registry = wakingStreams(openRegistry(platform, config, { managementApi, env, production }), streams);
  const changes = await openChanges(platform, config, registry);
  const audit = openAudit(platform, config, managementApi);
  const identityProvider = openIdentityProvider(platform, config, onKeysRead);
  watchCertificate(config.IDP_CLIENT_CERTIFICATE, platform);
  const sessions = await openSharedSessions(platform, config);
  const limits = openLimits(platform, config);
  const signingKeys = await openSigningKeys(platform, config, production);
  const authorizationServer = await openAuthorizationOptions(platform, config, {
    ...{ env, production },
    strangers: limits.strangers,
    fetchAgentClient: registry.fetchAgentClient,
  });

  const { app, close: closeCalls } = createApp(
    platform,
    {
      ...{ identityProvider, sessions, limits, audit, streams, authorizationServer },
      connectors: {
        ...{ registry, noteListed: registry.noteListed, requireAgent: config.REQUIRE_AGENT },
        ...{ announce: changes.announce, announceChange: changes.announceChange },
      },
      calls: callLimits(config),
      accounts: connectOptions(config),
      allowedOrigins: config.ALLOWED_ORIGINS,
      actorKeys: config.IDP_ACTOR_TOKENS ? signingKeys : undefined,
      clientKeys: config.IDP_CLIENT_KEYS,
      transactionTokens: readTransactionTokens(platform, config, {
        ...{ env, production, signingKeys, onKeysRead },
      }),
      verifyWorkload: openVerifyWorkload(platform, config, identityProvider),
    },
    { health, tracer, trustedProxies: config.TRUSTED_PROXIES },
  );
  await runService({
    ...{ config, app, health, metrics, log },
    typeBase: `${config.PUBLIC_URL}/errors`,
    graceSeconds: Math.max(MIN_GRACE_SECONDS, config.TOOL_CALL_TIMEOUT_SECONDS),
    endStreams: async () => streams.endAll(),
    close: async () => {
      changes.close();
      sessions.close();
      // Before the store and the clients of management-api and tool servers are closed
      await Promise.all([audit.close(), closeCalls()]);
      await registry.close();
      await authorizationServer?.close();
      await identityProvider.close();
      await closePlatform();
    },
  });
}

startOrExit(main);
