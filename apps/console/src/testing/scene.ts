import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createIssuerKeySet } from '@legate/oauth';
import { createMemoryBackend, generateEncryptionKeys } from '@legate/secure-store';
import { createHealth, createHttpClient, createLogger, createMetrics } from '@legate/service';
import type { Express } from 'express';
import request, { type Test } from 'supertest';
import { type AppDependencies, createApp } from '../app.ts';
import { CLIENT_ID, type SeenRequest, sendJson, startIdp, startPeer } from './peers.ts';

export const ALICE = { sub: 'user_alice', organization_id: 'org_acme', sid: 'sign-in-1' };
export const CAROL = { sub: 'user_carol', organization_id: 'org_globex', sid: 'sign-in-2' };
const ME = {
  user: { type: 'user', id: 'user_alice', email: 'alice@acme.example', name: 'Alice' },
  organization: { id: 'org_acme', name: 'Acme' },
  role: 'owner',
  scopes: ['org:read'],
};

type Answer = (request: SeenRequest, res: ServerResponse) => void;

/** Starts the console with its own identity provider, management API and hub for the test. */
export async function startScene(overrides: Partial<AppDependencies> = {}) {
  const time = { offsetMs: 0 };
  const clock = () => new Date(Date.now() + time.offsetMs);
  const answers: { api: Answer; hub: Answer } = {
    api: (_request, res) => sendJson(res, 200, ME),
    hub: (_request, res) => void res.writeHead(204).end(),
  };
  const idp = await startIdp(clock);
  const api = await startPeer((seen, res) => answers.api(seen, res));
  const hub = await startPeer((seen, res) => answers.hub(seen, res));
  const webRoot = mkdtempSync(join(tmpdir(), 'console-web-'));
  mkdirSync(join(webRoot, 'assets'));
  writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>Legate</title>');
  writeFileSync(join(webRoot, 'assets/index-abc.js'), 'export {};');
  writeFileSync(join(webRoot, 'theme.js'), '');
  const http = createHttpClient({ allow: ['loopback'], maxResponseBytes: 4 * 1024 * 1024 });
  const exporting = createHttpClient({ allow: ['loopback'], maxResponseBytes: 16 * 1024 * 1024 });
  const publicUrl = overrides.publicUrl ?? 'http://localhost:4004';
  const log: string[] = [];
  const shared = {
    publicUrl,
    webRoot,
    browserConfig: { name: 'Acme tools' },
    trustedProxies: ['loopback'],
    issuer: {
      issuer: idp.url,
      keys: createIssuerKeySet({ issuer: idp.url, getJson: http.getJson, clock }),
    },
    clientId: CLIENT_ID,
    credentials: { method: 'client_secret', clientSecret: 'the-secret' } as const,
    resource: 'https://api.example',
    organizationRule: { claim: 'organization_id' },
    managementApiUrl: api.url,
    toolHubUrl: hub.url,
    sessionIdleSeconds: 3600,
    sessionLifetimeSeconds: 43_200,
    backend: createMemoryBackend({ clock }),
    encryptionKeys: generateEncryptionKeys(),
    fetch: http.fetch,
    upstreamFetch: http.fetch,
    exportFetch: exporting.fetch,
    pause: (ms: number) => delay(ms),
    clock,
    log: createLogger({
      service: 'console',
      level: 'debug',
      destination: { write: (line) => void log.push(line) },
    }),
    ...overrides,
  };
  /** Another process of the same console; the two share only the store. */
  const startApp = (): Express =>
    createApp({ ...shared, health: createHealth({ checks: {} }), metrics: createMetrics('console') });
  const app = startApp();

  /** Sends a request as a page of the console does. */
  const fromPage = (test: Test, cookie = ''): Test =>
    test.set({ 'Legate-Console': '1', Origin: publicUrl, 'Sec-Fetch-Site': 'same-origin', Cookie: cookie });

  return {
    ...{ app, startApp, idp, api, hub, answers, time, clock, publicUrl, log, fromPage, shared },
    get: (path: string, cookie?: string) => fromPage(request(app).get(path), cookie),
    post: (path: string, cookie?: string) => fromPage(request(app).post(path), cookie),
    async begin(returnTo = '/', cookie = '') {
      const answer = await request(app)
        .get('/bff/sign-in')
        .query({ return_to: returnTo })
        .set('Cookie', cookie);
      return { answer, location: answer.headers.location ?? '', pending: cookiesOf(answer) };
    },
    /** @returns the cookie of a new session */
    async signIn(claims: Record<string, unknown> = ALICE, cookie = ''): Promise<string> {
      const { location, pending } = await this.begin('/', cookie);
      const answer = await request(app).get(idp.authorize(location, claims)).set('Cookie', pending);
      return cookiesOf(answer);
    },
    async stop() {
      await Promise.all([idp.stop(), api.stop(), hub.stop(), http.close(), exporting.close()]);
      rmSync(webRoot, { recursive: true });
    },
  };
}
export type Scene = Awaited<ReturnType<typeof startScene>>;

export const setCookiesOf = (answer: { headers: Record<string, unknown> }): string[] =>
  ([] as string[]).concat((answer.headers['set-cookie'] as string[] | undefined) ?? []);

/** Returns the cookies of a response as a browser sends them back, without those that the response clears. */
export const cookiesOf = (answer: { headers: Record<string, unknown> }): string =>
  setCookiesOf(answer)
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
