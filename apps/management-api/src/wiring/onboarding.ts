import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { RateLimiter } from '@legate/rate-limit';
import {
  type Backend,
  createSecureStore,
  createUseOnce,
  deriveKeys,
  generateEncryptionKeys,
  type SecureStore,
} from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { ErrorRequestHandler, Request, RequestHandler, Router } from 'express';
import type { Standings } from '../admission/standings.ts';
import type { Operation } from '../api/operation.ts';
import type { MakeChange } from '../changes/change.ts';
import type { DecideConsent } from '../consents/decide.ts';
import type { OnboardingSessionId } from '../domain/ids.ts';
import { problem } from '../domain/problem-codes.ts';
import { createUnlink, type Unlink } from '../members/unlink.ts';
import { type Attempts, createAttempts } from '../onboarding/attempts.ts';
import { type BrowserCookie, createBrowserCookie } from '../onboarding/browser-cookie.ts';
import { type BrowserSignIn, createBrowserSignIn } from '../onboarding/browser-sign-in.ts';
import type { OrganizationDetails } from '../onboarding/context.ts';
import { createCsrfTokens } from '../onboarding/csrf.ts';
import { createIdentityDirectory } from '../onboarding/identity-directory.ts';
import { createInvitationCookie, type InvitationCookie, tokenIn } from '../onboarding/invitation-cookie.ts';
import type { Invited } from '../onboarding/invited.ts';
import { createRecordOrganization } from '../onboarding/organization-record.ts';
import { pageErrors, pageErrorsForBrowsers } from '../onboarding/pages/page-errors.ts';
import { createPages } from '../onboarding/pages/pages.ts';
import { pageRoutes } from '../onboarding/pages/routes.ts';
import { createWays, type Ways } from '../onboarding/pages/ways.ts';
import { onboardingOperations, signInOperations } from '../onboarding/routes.ts';
import type { Onboarding } from '../onboarding/service.ts';
import { createOnboarding } from '../onboarding/service.ts';
import { createSessionStore } from '../onboarding/session-store.ts';
import type { OnboardingSettings } from '../onboarding/settings.ts';
import { createSignIn, createSignInCookie, type SignIn } from '../onboarding/sign-in.ts';
import { createInvitedFeature } from './invited.ts';

/** What onboarding needs in addition to the application's common dependencies. */
export interface OnboardingDependencies {
  readonly settings: OnboardingSettings;
  readonly issuer: string;
  readonly fetch: typeof globalThis.fetch;
  readonly backend: Backend;
  /** With a window of ten minutes */
  readonly attempts: RateLimiter;
  /** What strangers have in a minute, in place of the usual numbers; for tests */
  readonly strangersPerMinute?: number;
}

/** At most as long as a session */
const TOKENS_SECONDS = 30 * 60;

/** Creates the operations of the API, and our pages for browsers. */
export function createOnboardingFeature(deps: {
  identityProvider: OnboardingDependencies;
  tenants: TenantDatabase;
  makeChange: MakeChange;
  loadDetails: (organizationId: OrganizationId) => Promise<OrganizationDetails>;
  standings: Standings;
  decideConsent: DecideConsent;
  maxMembers: number;
  clock: () => Date;
  /** Lets a caller of our pages in as one of the API; after the caller is set. */
  admission: readonly RequestHandler[];
  log: Logger;
}): { operations: Operation[]; pages: Router } {
  const { clock, log } = deps;
  const { settings, issuer, backend, fetch } = deps.identityProvider;
  const attempts = createAttempts({
    perUser: deps.identityProvider.attempts,
    perMinute: deps.identityProvider.strangersPerMinute,
    clock,
  });
  const { returnTo, pagesUrl } = settings;
  const keys = settings.encryptionKeys ?? generateEncryptionKeys();
  const tokens = createKeptTokens(createSecureStore({ backend, keys }));
  const secure = settings.publicUrl.startsWith('https:');
  const browserCookie = createBrowserCookie({ keys, secure });
  const invitationCookie = createInvitationCookie({ keys, secure });
  const store = createSessionStore(deps.tenants);
  const directory = directoryAt(fetch, settings);
  const csrf = createCsrfTokens(deriveKeys(keys, 'legate onboarding forms'));

  const onboarding = createOnboarding({
    issuer,
    relinkMembers: settings.relinkMembers,
    store,
    directory,
    record: createRecordOrganization(deps.makeChange),
    loadDetails: deps.loadDetails,
    decide: deps.decideConsent,
    clientAt: (page) => settings.clients.get(page),
    standingOf: deps.standings.get,
    forgetStanding: deps.standings.forget,
    dropTokens: tokens.drop,
    csrf,
    clock,
    onDetailsMissing: (err) => log.warn({ err }, 'onboarding: organization details cannot be loaded'),
  });
  const invited = createInvitedFeature({
    identityProvider: deps.identityProvider,
    tenants: deps.tenants,
    makeChange: deps.makeChange,
    directory,
    sessions: store,
    csrf,
    loadDetails: deps.loadDetails,
    forget: deps.standings.forget,
    maxMembers: deps.maxMembers,
    clock,
    log,
  });
  const browserSignIn = createBrowserSignIn({
    onboarding,
    signIn: createSignInAt(deps.identityProvider, clock),
    cookie: createSignInCookie({ keys, secure }),
    keepTokens: tokens.keep,
    attempts,
    returnTo,
    pagesUrl,
    browserCookie,
    hasInvitation: (req) => tokenIn(invitationCookie, req) !== undefined,
  });
  const { router, showFault } = createOnboardingPages({
    onboarding,
    invited,
    invitationCookie,
    begin: browserSignIn.begin,
    cookie: browserCookie,
    ways: createWays({ pagesUrl, returnTo, clients: settings.clients }),
    issuer,
    attempts,
    admission: deps.admission,
    log,
  });
  return {
    operations: [
      ...signInOperations({ browserSignIn, showProblem: pageErrorsForBrowsers(showFault) }),
      ...onboardingOperations({ onboarding, attempts }),
    ],
    pages: router,
  };
}

function createSignInAt(
  { settings, issuer, fetch, backend }: OnboardingDependencies,
  clock: () => Date,
): SignIn {
  const useOnce = createUseOnce(backend, 'oauth-state:');
  return createSignIn({
    issuer,
    clientId: settings.clientId,
    credentials: settings.credentials,
    redirectUri: `${settings.publicUrl}/api/oauth/callback`,
    organizationClaim: settings.organizationClaim,
    trustIdpEmail: settings.trustIdpEmail,
    fetch,
    useOnce: (parts, ttlSeconds) => useOnce(parts, ttlSeconds).catch(storeDown),
    clock,
  });
}

/** Returns the link of an invitation, which opens our pages. */
export const acceptUrlAt =
  ({ pagesUrl }: OnboardingSettings) =>
  (token: string): string =>
    `${pagesUrl}/invitation?${new URLSearchParams({ token })}`;

/** Tells the identity provider whom an organization has removed. */
export const createUnlinkAt = (
  { fetch, settings }: Pick<OnboardingDependencies, 'fetch' | 'settings'>,
  { makeChange, log }: { makeChange: MakeChange; log: Logger },
): Unlink =>
  createUnlink({
    removeMembership: directoryAt(fetch, settings).removeMembership,
    makeChange,
    onLost: (err) => log.warn({ err }, 'a removed member was not unlinked at the identity provider'),
  });

const directoryAt = (fetch: typeof globalThis.fetch, settings: OnboardingSettings) =>
  createIdentityDirectory({ fetch, url: settings.adminUrl, apiKey: settings.adminApiKey });

/** Stores the tokens of a sign-in as long as its onboarding session. */
function createKeptTokens(store: SecureStore) {
  const keyOf = (sessionId: OnboardingSessionId) => `onboarding:${sessionId}`;
  return {
    keep: (sessionId: OnboardingSessionId, tokens: object): Promise<void> =>
      store.set(keyOf(sessionId), JSON.stringify(tokens), TOKENS_SECONDS).catch(storeDown),
    async drop(sessionId: OnboardingSessionId): Promise<void> {
      await store.delete(keyOf(sessionId));
    },
  };
}

function createOnboardingPages(deps: {
  onboarding: Onboarding;
  invited: Invited;
  invitationCookie: InvitationCookie;
  begin: BrowserSignIn['begin'];
  cookie: BrowserCookie;
  ways: Ways;
  issuer: string;
  attempts: Attempts;
  admission: readonly RequestHandler[];
  log: Logger;
}): { router: Router; showFault: ErrorRequestHandler } {
  const { onboarding, begin, cookie, ways, issuer, admission, log } = deps;
  const pages = createPages(ways.base);
  const showFault = pageErrors({
    pages,
    wayOn: (way, req: Request) =>
      ways.wayOn(way, ways.known(req.query.return_to) ?? cookie.read(req)?.returnTo),
    hasInvitation: (req) => tokenIn(deps.invitationCookie, req) !== undefined,
    log,
  });
  const router = pageRoutes({
    onboarding,
    pages,
    ways,
    cookie,
    issuer,
    begin,
    attempts: deps.attempts,
    invited: deps.invited,
    invitationCookie: deps.invitationCookie,
    admission,
    showFault,
  });
  return { router, showFault };
}

function storeDown(cause: unknown): never {
  throw problem('service_unavailable', { headers: { 'Retry-After': '5' }, cause });
}
