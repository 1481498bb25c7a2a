import type { TenantDatabase } from '@legate/postgres';
import type { RateLimiter } from '@legate/rate-limit';
import { type Backend, createSecureStore, createUseOnce, generateEncryptionKeys } from '@legate/secure-store';
import { type Logger, Problem } from '@legate/service';
import type { Request, RequestHandler, Router } from 'express';
import type { Operation } from '../api/operation.ts';
import type { MakeChange } from '../changes/change.ts';
import type { Memberships } from '../members/memberships.ts';
import { limitAttempts } from './attempts.ts';
import { createBrowserSignIn } from './browser-sign-in.ts';
import type { OrganizationDetails } from './context.ts';
import { createCsrfTokens } from './csrf.ts';
import { createIdentityDirectory } from './identity-directory.ts';
import { createRecordOrganization } from './organization-record.ts';
import { createBrowserCookie } from './pages/browser-cookie.ts';
import { pageErrors } from './pages/page-errors.ts';
import { createPages } from './pages/pages.ts';
import { pageRoutes } from './pages/routes.ts';
import { createWays } from './pages/ways.ts';
import { onboardingOperations, signInOperations } from './routes.ts';
import { createOnboarding } from './service.ts';
import { createSessionStore } from './session-store.ts';
import type { OnboardingSettings } from './settings.ts';
import { createSignIn } from './sign-in.ts';
import { createSignInCookie } from './sign-in-cookie.ts';

/** What onboarding needs besides what the whole application has. */
export interface OnboardingDependencies {
  readonly settings: OnboardingSettings;
  readonly issuer: string;
  readonly fetch: typeof globalThis.fetch;
  readonly backend: Backend;
  /** Of a window of ten minutes */
  readonly attempts: RateLimiter;
}

/** As long as a session at most */
const TOKENS_SECONDS = 30 * 60;

/** @returns the operations of the API, and our pages for browsers */
export function createOnboardingFeature(
  deps: OnboardingDependencies & {
    tenants: TenantDatabase;
    makeChange: MakeChange;
    loadDetails: (organizationId: string) => Promise<OrganizationDetails>;
    memberships: Pick<Memberships, 'get'>;
    clock: () => Date;
    /** Lets a caller of our pages in as one of the API; after the caller is set. */
    admission: readonly RequestHandler[];
    log: Logger;
  },
): { operations: Operation[]; pages: Router } {
  const { settings, clock, attempts, backend, fetch } = deps;
  const keys = settings.encryptionKeys ?? generateEncryptionKeys();
  const tokens = createSecureStore({ backend, keys });
  const keyOf = (sessionId: string) => `onboarding:${sessionId}`;

  const onboarding = createOnboarding({
    issuer: deps.issuer,
    relinkMembers: settings.relinkMembers,
    store: createSessionStore(deps.tenants),
    directory: createIdentityDirectory({ fetch, url: settings.adminUrl, apiKey: settings.adminApiKey }),
    record: createRecordOrganization(deps.makeChange),
    loadDetails: deps.loadDetails,
    membershipOf: deps.memberships.get,
    dropTokens: async (sessionId) => void (await tokens.delete(keyOf(sessionId))),
    csrf: createCsrfTokens(settings.csrfKey),
    clock,
    onDetailsMissing: (err) => deps.log.warn({ err }, 'onboarding: organization details cannot be loaded'),
  });
  const signIn = createSignIn({
    issuer: deps.issuer,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    redirectUri: `${settings.publicUrl}/api/oauth/callback`,
    organizationClaim: settings.organizationClaim,
    fetch,
    useOnce: (parts, ttlSeconds) =>
      createUseOnce(backend, 'oauth-state:')(parts, ttlSeconds).catch(storeDown),
    clock,
  });
  const { returnTo, pagesUrl } = settings;
  const secure = settings.publicUrl.startsWith('https:');
  const cookie = createSignInCookie({ keys, secure });
  const browserCookie = createBrowserCookie({ keys, secure });
  const browserSignIn = createBrowserSignIn({
    onboarding,
    signIn,
    cookie,
    keepTokens: (sessionId, received) =>
      tokens.set(keyOf(sessionId), JSON.stringify(received), TOKENS_SECONDS).catch(storeDown),
    attempts,
    returnTo,
    pagesUrl,
    browserCookie,
  });
  const ways = createWays({ pagesUrl, returnTo });
  const pages = createPages(ways.base);
  const showFault = pageErrors({
    pages,
    wayOn: (way, req: Request) =>
      ways.wayOn(way, ways.known(req.query.return_to) ?? browserCookie.read(req)?.returnTo),
    log: deps.log,
  });
  return {
    operations: [
      ...signInOperations({ browserSignIn, showFault }),
      ...onboardingOperations({ onboarding, attempts }),
    ],
    pages: pageRoutes({
      onboarding,
      pages,
      ways,
      cookie: browserCookie,
      issuer: deps.issuer,
      clientId: settings.clientId,
      begin: browserSignIn.begin,
      limitAttempts: limitAttempts(attempts),
      admission: deps.admission,
      showFault,
    }),
  };
}

function storeDown(cause: unknown): never {
  throw new Problem(503, 'service_unavailable', 'Service unavailable', {
    headers: { 'Retry-After': '5' },
    cause,
  });
}
