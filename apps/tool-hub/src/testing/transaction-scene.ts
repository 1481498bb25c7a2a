import { randomUUID } from 'node:crypto';
import { createSigningKeys, epochSeconds, type SigningKeys } from '@legate/jwt';
import { createFailureLimiter, createRateLimiter } from '@legate/rate-limit';
import { createMemoryBackend, createUseOnce, type UseOnce } from '@legate/secure-store';
import { createExpressApp, createLogger, createMetrics, problemHandler } from '@legate/service';
import { createTestClock, type TestClock } from '@legate/service/testing';
import type { OnKeysRead } from '@legate/transaction-tokens';
import type { Express } from 'express';
import { decodeJwt, type JWTPayload } from 'jose';
import request from 'supertest';
import { oauthRoutes } from '../faces/token-endpoint/routes.ts';
import { openTransactionTokens } from '../faces/transaction-tokens/open.ts';
import { TransactionTokensFile } from '../faces/transaction-tokens/workloads-file.ts';
import type { SessionStore } from '../sign-in/session-store.ts';
import { testBudget } from './memory-budget.ts';

export const ISSUER = 'https://hub.example';
export const IDP = 'https://idp.example';
export const API = 'https://api.example';
export const BILLING = 'https://billing.example';
export const TOOLS = 'https://tools.example';
export const OTHER_TOOLS = 'https://other-tools.example';
export const WORKLOAD = { client_id: 'tools', client_secret: 'the-secret-of-the-tools' };
export const OTHER_WORKLOAD = { client_id: 'other-tools', client_secret: 'the-secret-of-other-tools' };
export const POWERLESS = { client_id: 'powerless', client_secret: 'the-secret-of-the-powerless' };

export const TXN_TOKEN = 'urn:ietf:params:oauth:token-type:txn_token';
export const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Parameters of a form. An array repeats a parameter, `undefined` omits it. */
export type Form = Record<string, string | readonly string[] | undefined>;

export interface TransactionScene {
  readonly app: Express;
  readonly clock: TestClock;
  readonly now: () => number;
  readonly signingKeys: SigningKeys;
  /** Issuer of the tool server's tokens */
  readonly toolKeys: SigningKeys;
  /** JWKS documents by URL; a request for a missing one fails like an outage. */
  readonly documents: Map<string, unknown>;
  readonly logged: () => string;
  /** Returns the recorded audit events */
  readonly noted: () => readonly object[];
  readonly metrics: () => Promise<string>;
  /** Issues an access token of the tool server for Alice, unless claims or header differ. */
  accessToken(claims?: Record<string, unknown>, typ?: string): Promise<string>;
  /** Sends a valid request to list sites, with changes. */
  ask(form?: Form, headers?: Record<string, string>): Promise<request.Response>;
  /** Returns the claims of the token that a valid request gets. */
  claimsFor(form?: Form): Promise<JWTPayload>;
}

/** Creates the Transaction Token Service with two tool servers and two services, and a clock that stands still. */
export async function createTransactionScene(
  options: {
    jwks?: object;
    endsOf?: SessionStore['endsOf'];
    useOnce?: UseOnce;
    lifetimeSeconds?: number;
    signingKeys?: SigningKeys;
    perMinute?: number;
    isSubTheUser?: boolean;
    onKeysRead?: OnKeysRead;
  } = {},
): Promise<TransactionScene> {
  const clock = createTestClock();
  const now = () => epochSeconds(clock());
  const signingKeys = options.signingKeys ?? (await createSigningKeys({ alg: 'ES256', clock }));
  const toolKeys = await createSigningKeys({ alg: 'ES256', clock });
  const documents = new Map<string, unknown>([
    [`${TOOLS}/jwks`, toolKeys.publicJwks()],
    [`${OTHER_TOOLS}/jwks`, toolKeys.publicJwks()], // the same keys: only `iss` and `aud` differ
  ]);
  const subject = (resource: string) => ({
    issuer: `${resource}/oauth/token`,
    jwks_uri: `${resource}/jwks`,
    audience: resource,
  });
  const listSites = { name: 'sites:list', subject_scope: 'mcp:tools:call', details: ['limit', 'search'] };
  const { workloads } = TransactionTokensFile.parse({
    workloads: [
      {
        client_id: WORKLOAD.client_id,
        secrets: [WORKLOAD.client_secret],
        ...(options.jwks && { jwks: options.jwks }),
        subject_issuer: subject(TOOLS),
        services: [
          {
            audience: API,
            operations: [listSites, { ...listSites, name: 'sites:delete', subject_scope: 'mcp:tools:admin' }],
          },
          { audience: BILLING, operations: [{ ...listSites, name: 'invoices:list' }] },
        ],
        context: ['req_ip', 'constructor'],
        ...(options.lifetimeSeconds !== undefined && { lifetime_seconds: options.lifetimeSeconds }),
      },
      {
        client_id: OTHER_WORKLOAD.client_id,
        secrets: [OTHER_WORKLOAD.client_secret],
        subject_issuer: subject(OTHER_TOOLS),
        services: [{ audience: BILLING, operations: [{ ...listSites, name: 'invoices:list' }] }],
      },
      {
        client_id: POWERLESS.client_id,
        secrets: [POWERLESS.client_secret],
        subject_issuer: subject(TOOLS),
        services: [],
      },
    ],
  });

  let logged = '';
  const log = createLogger({
    service: 'test',
    level: 'trace',
    destination: {
      write(line: string) {
        logged += line;
      },
    },
  });
  const metrics = createMetrics('tool-hub');
  const noted: object[] = [];
  const app = createExpressApp();
  const part = openTransactionTokens(
    { publicUrl: ISSUER, clock, log, metrics },
    {
      workloads,
      signingKeys,
      useOnce: options.useOnce ?? createUseOnce(createMemoryBackend({ clock }), 'jti:'),
      async getJson(url) {
        const document = documents.get(url);
        if (!document) throw new Error('cannot be reached');
        return document;
      },
      onKeysRead: options.onKeysRead,
      perMinute: options.perMinute ?? 6000,
    },
    {
      identityProvider: IDP,
      isSubTheUser: options.isSubTheUser ?? true,
      ends: { endsOf: options.endsOf ?? (async () => []) },
      limiter: createRateLimiter({ clock }),
      trail: { note: (event) => void noted.push(event) },
    },
  );
  app.use(
    oauthRoutes({
      issuer: ISSUER,
      parts: [part],
      failures: createFailureLimiter({ limiter: createRateLimiter({ clock }), clock }),
      memory: testBudget(),
      log,
    }),
  );
  app.use(problemHandler({ log, typeBase: `${ISSUER}/errors` }));

  const accessToken: TransactionScene['accessToken'] = (claims = {}, typ = 'at+jwt') =>
    toolKeys.sign({ ...accessTokenClaims(now()), ...claims }, { typ });
  const ask: TransactionScene['ask'] = async (form = {}, headers = {}) => {
    const standard: Form = {
      grant_type: TOKEN_EXCHANGE,
      requested_token_type: TXN_TOKEN,
      audience: API,
      scope: 'sites:list',
      subject_token: 'subject_token' in form ? '' : await accessToken(),
      subject_token_type: ACCESS_TOKEN,
      ...WORKLOAD,
    };
    return request(app)
      .post('/oauth/token')
      .type('form')
      .set(headers)
      .send(encode({ ...standard, ...form }));
  };
  return {
    ...{ app, clock, now, signingKeys, toolKeys, documents, accessToken, ask },
    logged: () => logged,
    noted: () => noted,
    metrics: () => metrics.registry.metrics(),
    async claimsFor(form) {
      const answer = await ask(form);
      if (answer.status !== 200) throw new Error(`no transaction token: ${answer.text}`);
      return decodeJwt(answer.body.access_token);
    },
  };
}

export const accessTokenClaims = (now: number) => ({
  iss: `${TOOLS}/oauth/token`,
  aud: TOOLS,
  sub: 'user_alice',
  client_id: 'tool-hub',
  jti: randomUUID(),
  iat: now,
  exp: now + 3600,
  scope: 'mcp:tools:read mcp:tools:call',
  idp: IDP,
  organization_id: 'org_acme',
});

export function encode(form: Form): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(form)) {
    for (const value of [values ?? []].flat()) parameters.append(name, value);
  }
  return parameters.toString();
}
