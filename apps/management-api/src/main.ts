import { USER_SHARE_PERCENT } from '@legate/rate-limit';
import { keySetReads, runService, startOrExit } from '@legate/service';
import { createApp } from './app.ts';
import { openCallers } from './callers/authentication/open.ts';
import { openTransactions } from './callers/transactions/open.ts';
import { loadConnectorKeys } from './catalog/connectors/encryption-keys.ts';
import { createSecretCipher } from './catalog/connectors/secret-cipher.ts';
import { startDailyChecks } from './catalog/domains/daily-checks.ts';
import { createTxtLookup } from './catalog/domains/txt-lookup.ts';
import { QUOTAS } from './catalog/resources/quota.ts';
import { ensureAuditPartitions } from './changes/audit-log.ts';
import { loadConfig } from './config.ts';
import { problemTypeBaseOf } from './front-pages.ts';
import { openReferenceSignIn } from './http/openapi/reference-sign-in.ts';
import { startHub } from './hub/hub.ts';
import { startPurging } from './jobs/purge/purging.ts';
import { applySeed } from './jobs/seed/apply.ts';
import { startWatchingOwners } from './people/members/watch-owners.ts';
import { openLimits } from './platform/limits.ts';
import { openPlatform } from './platform/open.ts';
import { startUsageCounting } from './trail/usage/counting.ts';

/** Maximum number of members of an organization, including those without access: only an attack creates more */
const MAX_MEMBERS = 100_000;

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const cipher = createSecretCipher(loadConnectorKeys(config));
  const { platform, health, tracer, maxConnections, close: closePlatform } = await openPlatform(config);
  const { log, metrics, unsharedTenants } = platform;
  const onKeysRead = keySetReads(metrics.registry);
  const lookupTxt = createTxtLookup({ servers: config.DNS_SERVERS });

  await ensureAuditPartitions(unsharedTenants);
  if (config.seed) await applySeed(platform, config.seed, cipher);
  const usage = startUsageCounting(platform);
  const dailyChecks = startDailyChecks(platform, lookupTxt);
  const owners = startWatchingOwners(platform);
  const hub = config.hub && startHub(platform, config.hub);
  const purging = startPurging(platform, config);

  const callers = openCallers(platform, config, onKeysRead);
  const app = createApp(
    platform,
    {
      ...{ callers, usage, hub, cipher, lookupTxt, quotas: QUOTAS },
      transactions: openTransactions(platform, config, { ...callers, onKeysRead }),
      limits: openLimits(platform),
      fairness: { concurrentRequests: maxConnections, userSharePercent: USER_SHARE_PERCENT },
      memberRules: { defaultRole: config.DEFAULT_MEMBER_ROLE, maxMembers: MAX_MEMBERS },
      refusedAudiences: {
        ...{ kind: config.IDP_KIND, issuer: config.IDP_ISSUER },
        // The hub is among the workloads.
        clientIds: [config.IDP_CLIENT_ID ?? [], ...config.WORKLOADS.keys()].flat(),
        services: [config.RESOURCE, config.TOOL_HUB_URL ?? []].flat(),
      },
      outboundAllow: config.OUTBOUND_ALLOW,
      maxKeyDays: config.API_KEY_MAX_DAYS,
      onboarding: config.onboarding,
      readSignIn: openReferenceSignIn(platform, config),
    },
    {
      ...{ health, tracer, trustedProxies: config.TRUSTED_PROXIES },
      allowedOrigins: config.ALLOWED_ORIGINS,
    },
  );
  await runService({
    ...{ config, app, health, metrics, log },
    typeBase: problemTypeBaseOf(config.RESOURCE),
    async close() {
      await purging.stop();
      dailyChecks.stop();
      await owners.stop();
      await usage.stop();
      await hub?.stop();
      await closePlatform();
    },
  });
}

startOrExit(main);
