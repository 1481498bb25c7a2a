import { randomUUID } from 'node:crypto';
import type { OrganizationSettings } from '@legate/identity-providers';
import { createSigningKeys, type SigningKeys } from '@legate/jwt';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import { createTestDatabase, type TestDatabase } from '@legate/postgres/testing';
import { createRateLimiter, type RateLimiter } from '@legate/rate-limit';
import {
  type Backend,
  type EncryptionKeys,
  generateEncryptionKeys,
  type UseOnce,
} from '@legate/secure-store';
import { createExpressApp, createHealth } from '@legate/service';
import type { Express } from 'express';
import request from 'supertest';
import { createApp } from '../app.ts';
import { openCallers } from '../callers/authentication/open.ts';
import type { AccessTokenType } from '../callers/authentication/verify-token.ts';
import type { MemberRules } from '../callers/open.ts';
import { openTransactions } from '../callers/transactions/open.ts';
import { createSecretCipher } from '../catalog/connectors/secret-cipher.ts';
import type { TxtLookup } from '../catalog/domains/txt-lookup.ts';
import { QUOTAS, type Quotas } from '../catalog/resources/quota.ts';
import type { DescribedApi } from '../http/openapi/routes.ts';
import type { Hub } from '../hub/hub.ts';
import type { OnboardingOptions } from '../people/onboarding/open.ts';
import { APPLICATION_ROLE, MIGRATIONS } from '../storage/database.ts';
import { createReader, type TenantReader } from '../storage/reader.ts';
import { createUsageCounter } from '../trail/usage/counter.ts';
import { createUsageStore } from '../trail/usage/store.ts';
import { type Contract, createContract } from './contract.ts';
import { createTestPlatform, ISSUER, RESOURCE } from './test-platform.ts';
import { watchContract } from './watched-contracts.ts';

export { ISSUER, RESOURCE };
export const NOW = 1_790_000_000;
/** Issuer of transaction tokens */
export const HUB = 'https://hub.example';

/** Created once, because an RSA key takes a while. */
const signingJwks = createSigningKeys({ alg: 'RS256', clock: () => new Date() }).then((keys) =>
  keys.privateJwks(),
);

export interface TestApi {
  /**
   * An application for tests. Each of its responses is compared with the OpenAPI document; a difference fails
   * the test.
   */
  readonly app: Express;
  readonly contract: Contract;
  /** The Express app, for inspection. */
  readonly inner: Express;
  readonly database: TestDatabase;
  readonly keys: SigningKeys;
  /** Returns the current time of the application. */
  now(): Date;
  /** Advances the clock of the application. */
  advanceSeconds(seconds: number): void;
  /** Makes the identity provider unavailable, or available again. */
  setIdpDown(down: boolean): void;
  /** Saves the counts of usage. */
  flushUsage(): Promise<void>;
  /** Returns a valid access token of a user of this organization, unless claims or header change that. */
  token(
    organizationId: string | undefined,
    claims?: Record<string, unknown>,
    header?: { typ: string | undefined },
  ): Promise<string>;
  /**
   * Returns a valid transaction token for Alice of org_acme, issued to `tools`, to list sites, unless claims
   * or header change that.
   */
  txnToken(claims?: Record<string, unknown>, header?: { typ: string }): Promise<string>;
  /** Makes the issuer of transaction tokens unavailable, or available again. */
  setHubDown(down: boolean): void;
  /** Returns a valid token of the tool hub itself. */
  workloadToken(scope: string, claims?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** Creates the application with its own database, an identity provider without a network, and a stopped clock. */
export async function createTestApi(
  options: {
    limiter?: RateLimiter;
    onboarding?: {
      settings: OnboardingOptions;
      /** The identity provider */
      fetch: typeof globalThis.fetch;
      backend: Backend;
      attempts: RateLimiter;
    };
    /** undefined: no keys */
    connectorKeys?: EncryptionKeys | undefined;
    getJson?: (url: string) => Promise<unknown>;
    outboundAllow?: readonly string[];
    lookupTxt?: TxtLookup;
    quotas?: Partial<Quotas>;
    concurrentRequests?: number;
    /** Default: 100, for suites that do not test shares */
    userSharePercent?: number;
    accessTokenTypes?: readonly AccessTokenType[];
    /** Kind of the identity provider, and rule for the organization of a token */
    identityProvider?: Partial<OrganizationSettings>;
    allowedOrigins?: readonly string[];
    hub?: (deps: { tenants: TenantDatabase; clock: () => Date }) => Hub;
    workloadRequestsPerMinute?: number;
    useTransactionOnce?: UseOnce;
    /** Default: `developer`, for suites that do not test roles, and many members */
    memberRules?: Partial<MemberRules>;
    replica?: { replica: TenantReader; onAway: (err: unknown) => void };
    /** How readers of the description sign in */
    readSignIn?: DescribedApi['readSignIn'];
    /**
     * Uses the database of this other application, and does not close it: creating one takes longer than most
     * tests.
     */
    beside?: TestApi;
  } = {},
): Promise<TestApi> {
  let seconds = NOW;
  let idpDown = false;
  let hubDown = false;
  const clock = () => new Date(seconds * 1000);
  const keys = await createSigningKeys({ alg: 'RS256', clock, jwks: await signingJwks });
  const hubKeys = await createSigningKeys({ alg: 'ES256', clock });
  const database =
    options.beside?.database ??
    (await createTestDatabase({ migrations: MIGRATIONS, role: APPLICATION_ROLE }));
  const tenants = createTenantDatabase(database.pool, { role: APPLICATION_ROLE });
  const documents: Record<string, () => unknown> = {
    [`${ISSUER}/.well-known/openid-configuration`]: () => ({ issuer: ISSUER, jwks_uri: `${ISSUER}/jwks` }),
    [`${ISSUER}/jwks`]: () => keys.publicJwks(),
    [`${HUB}/.well-known/openid-configuration`]: () => ({ issuer: HUB, jwks_uri: `${HUB}/jwks` }),
    [`${HUB}/jwks`]: () => hubKeys.publicJwks(),
  };
  const getJson = async (url: string): Promise<unknown> => {
    const isDown = url.startsWith(HUB) ? hubDown : url.startsWith(ISSUER) && idpDown;
    const document = documents[url];
    if (document && !isDown) return document();
    if (!document && options.getJson) return options.getJson(url);
    throw new Error('cannot be reached');
  };
  const usage = createUsageCounter({ store: createUsageStore(tenants), clock, onLost: () => undefined });
  const { onboarding } = options;
  const shared = createTestPlatform({ tenants, clock, getJson });
  const platform = {
    ...shared,
    ...(options.replica && { reader: createReader({ ...options.replica, primary: tenants, clock }) }),
    ...(onboarding && { backend: onboarding.backend, http: { fetch: onboarding.fetch, getJson } }),
  };
  const onKeysRead = () => () => undefined;
  const callers = openCallers(
    platform,
    {
      ACCESS_TOKEN_TYPES: options.accessTokenTypes && [...options.accessTokenTypes],
      IDP_KIND: 'generic',
      ...options.identityProvider,
      WORKLOADS: new Map([
        ['tool-hub', new Set(['internal:connectors', 'internal:audit-events'])],
        ['tools', new Set(['internal:transactions'])],
        ['other-tools', new Set(['internal:transactions'])],
      ]),
    },
    onKeysRead,
  );
  const limiter = options.limiter ?? generousLimiter(clock);
  const app = createApp(
    platform,
    {
      callers,
      transactions: openTransactions(
        platform,
        { TRANSACTION_TOKEN_ISSUER: HUB },
        { ...callers, onKeysRead, useOnce: options.useTransactionOnce },
      ),
      limits: {
        limiter,
        attempts: onboarding?.attempts ?? limiter,
        decisions: () => () => undefined,
      },
      fairness: {
        concurrentRequests: options.concurrentRequests ?? 1000,
        userSharePercent: options.userSharePercent ?? 100,
      },
      usage,
      hub: options.hub?.({ tenants, clock }),
      memberRules: { defaultRole: 'developer', maxMembers: 10_000, ...options.memberRules },
      quotas: { ...QUOTAS, ...options.quotas },
      cipher: createSecretCipher(
        'connectorKeys' in options ? options.connectorKeys : generateEncryptionKeys(),
      ),
      refusedAudiences: {
        kind: 'entra',
        issuer: ISSUER,
        clientIds: ['management-api', 'tool-hub'],
        services: ['https://api.example'],
      },
      outboundAllow: options.outboundAllow ?? [],
      lookupTxt: options.lookupTxt ?? (async () => []),
      maxKeyDays: 366,
      onboarding: onboarding?.settings,
      readSignIn: options.readSignIn,
      workloadRequestsPerMinute: options.workloadRequestsPerMinute ?? 1_000_000,
    },
    {
      health: createHealth({ checks: { postgres: tenants.ping } }),
      trustedProxies: ['loopback'],
      allowedOrigins: options.allowedOrigins ?? [],
    },
  );

  const contract = createContract((await request(app).get('/api/v1/openapi.json')).body);
  watchContract(contract);
  const watched = createExpressApp();
  watched.use((req, res, next) => {
    contract.watch(req, res);
    next();
  }, app);

  return {
    contract,
    inner: app,
    app: watched,
    database,
    keys,
    now: clock,
    advanceSeconds(by) {
      seconds += by;
    },
    flushUsage: usage.flush,
    setIdpDown(down) {
      idpDown = down;
    },
    token(organizationId, claims = {}, header = { typ: 'at+jwt' }) {
      const standard = {
        iss: ISSUER,
        sub: 'user_alice',
        aud: RESOURCE,
        iat: seconds,
        exp: seconds + 3600,
        ...(organizationId !== undefined && { organization_id: organizationId }),
      };
      return keys.sign({ ...standard, ...claims }, header);
    },
    setHubDown(down) {
      hubDown = down;
    },
    txnToken(claims = {}, header = { typ: 'txntoken+jwt' }) {
      const standard = { iss: HUB, aud: RESOURCE, sub: 'user_alice', iat: seconds, exp: seconds + 60 };
      const transaction = { txn: randomUUID(), jti: randomUUID(), scope: 'sites:list', req_wl: 'tools' };
      const tctx = { organization_id: 'org_acme' };
      return hubKeys.sign({ ...standard, ...transaction, tctx, ...claims }, header);
    },
    workloadToken(scope, claims = {}) {
      const standard = { iss: ISSUER, aud: RESOURCE, iat: seconds, exp: seconds + 3600 };
      const workload = { sub: 'tool-hub', client_id: 'tool-hub', scope };
      return keys.sign({ ...standard, ...workload, ...claims }, { typ: 'at+jwt' });
    },
    close: async () => {
      if (!options.beside) await database.drop();
    },
  };
}

/** Counts, and never refuses: for suites that do not test limits. */
function generousLimiter(clock: () => Date): RateLimiter {
  const limiter = createRateLimiter({ clock });
  return {
    peek: limiter.peek,
    consume: async (key, limit) => ({
      ...(await limiter.consume(key, limit)),
      remaining: 1,
      exceeded: false,
    }),
  };
}
