import { randomUUID } from 'node:crypto';
import { cacheVerified, createSigningKeys, type SigningKeys } from '@legate/jwt';
import { createIssuerKeySet } from '@legate/oauth';
import { createTenantDatabase, type TenantDatabase } from '@legate/postgres';
import { createTestDatabase, type TestDatabase } from '@legate/postgres/testing';
import { createRateLimiter, type RateLimiter } from '@legate/rate-limit';
import {
  createMemoryBackend,
  createUseOnce,
  type EncryptionKeys,
  generateEncryptionKeys,
  type UseOnce,
} from '@legate/secure-store';
import { createExpressApp, createHealth, createLogger, createMetrics } from '@legate/service';
import { createTransactionVerifier } from '@legate/transaction-tokens';
import { createWorkloadVerifier } from '@legate/workload';
import type { Express } from 'express';
import request from 'supertest';
import { createApp } from '../app.ts';
import { type AccessTokenType, createCallerTokenVerifier } from '../authentication/verify-token.ts';
import type { TxtLookup } from '../domains/txt-lookup.ts';
import type { DescribedApi } from '../openapi/routes.ts';
import { QUOTAS, type Quotas } from '../resources/quota.ts';
import type { Hub } from '../revocations/hub.ts';
import { APPLICATION_ROLE, MIGRATIONS } from '../storage/database.ts';
import { createReader, type TenantReader } from '../storage/reader.ts';
import { createUsageCounter } from '../usage/counter.ts';
import { createUsageStore } from '../usage/store.ts';
import type { MemberRules } from '../wiring/admission.ts';
import type { OnboardingDependencies } from '../wiring/onboarding.ts';
import { type Contract, createContract } from './contract.ts';
import { watchContract } from './watched-contracts.ts';

export const NOW = 1_790_000_000;
export const ISSUER = 'https://idp.example';
export const RESOURCE = 'https://api.example';
/** Issuer of transaction tokens */
export const HUB = 'https://hub.example';

/** Made once: an RSA key takes a while. */
const signingJwks = createSigningKeys({ alg: 'RS256', clock: () => new Date() }).then((keys) =>
  keys.privateJwks(),
);

export interface TestApi {
  /** Each of its answers is compared with the OpenAPI document, and fails the test that saw it where it differs. */
  readonly app: Express;
  readonly contract: Contract;
  /** The application alone, to look into. */
  readonly inner: Express;
  readonly database: TestDatabase;
  readonly keys: SigningKeys;
  /** The time of the application. */
  now(): Date;
  /** Moves the clock of the application. */
  advanceSeconds(seconds: number): void;
  /** Takes the identity provider down, or up again. */
  setIdpDown(down: boolean): void;
  /** Saves what was counted until now. */
  flushUsage(): Promise<void>;
  /** A good access token of a user of this organization, unless claims or header say otherwise. */
  token(
    organizationId: string | undefined,
    claims?: Record<string, unknown>,
    header?: { typ: string },
  ): Promise<string>;
  /** A good transaction token for Alice of org_acme, issued to `tools`, to list sites, unless claims or header say otherwise. */
  txnToken(claims?: Record<string, unknown>, header?: { typ: string }): Promise<string>;
  /** Takes the issuer of transaction tokens down, or up again. */
  setHubDown(down: boolean): void;
  /** A good token of the tool hub itself. */
  workloadToken(scope: string, claims?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** The application with its own database, an identity provider without a network, and a stopped clock. */
export async function createTestApi(
  options: {
    limiter?: RateLimiter;
    onboarding?: OnboardingDependencies;
    /** undefined: none */
    connectorKeys?: EncryptionKeys | undefined;
    getJson?: (url: string) => Promise<unknown>;
    outboundAllow?: readonly string[];
    lookupTxt?: TxtLookup;
    quotas?: Partial<Quotas>;
    concurrentRequests?: number;
    /** Default: 100, for suites that are not about shares */
    userSharePercent?: number;
    accessTokenTypes?: readonly AccessTokenType[];
    allowedOrigins?: readonly string[];
    hub?: (deps: { tenants: TenantDatabase; clock: () => Date }) => Hub;
    workloadRequestsPerMinute?: number;
    useTransactionOnce?: UseOnce;
    /** Default: `developer`, for suites that are not about roles, and many members */
    memberRules?: Partial<MemberRules>;
    replica?: { replica: TenantReader; onAway: (err: unknown) => void };
    /** How readers of the description sign in */
    readSignIn?: DescribedApi['readSignIn'];
    /** Uses this one's database, which outlives it: creating one takes longer than most tests. */
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
  };
  const getJson = async (url: string): Promise<unknown> => {
    const document = documents[url];
    if (idpDown || !document) throw new Error('cannot be reached');
    return document();
  };
  const getHubJson = async (url: string): Promise<unknown> => {
    if (hubDown) throw new Error('cannot be reached');
    if (url === `${HUB}/jwks`) return hubKeys.publicJwks();
    return { issuer: HUB, jwks_uri: `${HUB}/jwks` };
  };
  const issuerKeys = createIssuerKeySet({ issuer: ISSUER, getJson, clock });
  const verifyToken = createCallerTokenVerifier({
    issuers: [{ issuer: ISSUER, keys: issuerKeys }],
    audience: RESOURCE,
    clock,
    types: options.accessTokenTypes ?? ['at+jwt'],
    organizationClaim: 'organization_id',
  });

  const usage = createUsageCounter({ store: createUsageStore(tenants), clock, onLost: () => undefined });
  const verifyWorkload = createWorkloadVerifier({
    issuer: { issuer: ISSUER, keys: issuerKeys },
    audience: RESOURCE,
    workloads: new Map([
      ['tool-hub', new Set(['internal:connectors', 'internal:audit-events'])],
      ['tools', new Set(['internal:transactions'])],
      ['other-tools', new Set(['internal:transactions'])],
    ]),
    clock,
  });
  const app = createApp({
    description: { resource: RESOURCE, issuer: ISSUER, readSignIn: options.readSignIn },
    log: createLogger({ service: 'test', level: 'silent' }),
    clock,
    verifyToken: cacheVerified(verifyToken, { clock }),
    tenants,
    connectionShare: { max: 5, maxAlone: 8 },
    reader: options.replica && createReader({ ...options.replica, primary: tenants, clock }),
    limiter: options.limiter ?? generousLimiter(clock),
    health: createHealth({ checks: { postgres: tenants.ping } }),
    metrics: createMetrics('test'),
    concurrentRequests: options.concurrentRequests ?? 1000,
    userSharePercent: options.userSharePercent ?? 100,
    quotas: { ...QUOTAS, ...options.quotas },
    trustedProxies: ['loopback'],
    allowedOrigins: options.allowedOrigins ?? [],
    onboarding: options.onboarding,
    connectorKeys: 'connectorKeys' in options ? options.connectorKeys : generateEncryptionKeys(),
    getJson: options.getJson ?? getJson,
    outboundAllow: options.outboundAllow ?? [],
    lookupTxt: options.lookupTxt ?? (async () => []),
    usage,
    hub: options.hub?.({ tenants, clock }),
    workloads: {
      verify: verifyWorkload,
      requestsPerMinute: options.workloadRequestsPerMinute ?? 1_000_000,
    },
    maxKeyDays: 366,
    memberRules: { defaultRole: 'developer', maxMembers: 10_000, ...options.memberRules },
    transactions: {
      verifyWorkload,
      verifyTransaction: createTransactionVerifier({
        issuer: { issuer: HUB, keys: createIssuerKeySet({ issuer: HUB, getJson: getHubJson, clock }) },
        audience: RESOURCE,
        clock,
      }),
      identityProvider: ISSUER,
      useOnce: options.useTransactionOnce ?? createUseOnce(createMemoryBackend({ clock }), 'txn:'),
    },
  });

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

/** Counts, and never refuses: for suites that are not about limits. */
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
