import { findKind, organizationRuleOf } from '@legate/identity-providers';
import type { OrganizationId } from '@legate/ids';
import type { RateLimiter } from '@legate/rate-limit';
import { createSecureStore, createUseOnce, deriveKeys, generateEncryptionKeys } from '@legate/secure-store';
import type { ErrorRequestHandler } from 'express';
import type { Standings } from '../../callers/standing/standings.ts';
import type { MakeChange } from '../../changes/change.ts';
import type { Operation } from '../../http/api/operation.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DecideConsent } from '../consents/decide.ts';
import { createAcceptance } from '../invitations/acceptance.ts';
import { createAcceptanceStore } from '../invitations/acceptance-store.ts';
import { createInvitationStore } from '../invitations/store.ts';
import { createUnlink, type Unlink } from '../members/unlink.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import { type BrowserCookie, createBrowserCookie } from './browser-cookie.ts';
import { type BrowserSignIn, createBrowserSignIn } from './browser-sign-in.ts';
import type { OrganizationDetails } from './context.ts';
import { type CsrfTokens, createCsrfTokens } from './csrf.ts';
import { createIdentityDirectory, type IdentityDirectory } from './identity-directory.ts';
import { createInvitationCookie, type InvitationCookie, tokenIn } from './invitation-cookie.ts';
import { createInvited, type Invited } from './invited.ts';
import { createKeptTokens } from './kept-tokens.ts';
import { createRecordOrganization } from './organization-record.ts';
import { storeUnavailable } from './problems.ts';
import { onboardingOperations, signInOperations } from './routes.ts';
import { createOnboarding, type Onboarding } from './service.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';
import type { OnboardingSettings } from './settings.ts';
import { createSignIn, createSignInCookie } from './sign-in.ts';

export type OnboardingOptions = OnboardingSettings & {
  /** Limit per minute for unauthenticated callers, in place of the default; for tests */
  readonly strangersPerMinute?: number | undefined;
};

/** The parts of other features that onboarding uses */
interface OnboardingParts {
  readonly makeChange: MakeChange;
  /** Loads the details of an organization that pages show to its users. */
  readonly loadDetails: (organizationId: OrganizationId) => Promise<OrganizationDetails>;
  readonly standings: Standings;
  readonly decideConsent: DecideConsent;
  readonly maxMembers: number;
  /** Counts the attempts of a user, in windows of ten minutes. */
  readonly attempts: RateLimiter;
}

/** Onboarding without its pages, which use the same sessions */
export interface OpenOnboarding {
  readonly onboarding: Onboarding;
  readonly invited: Invited;
  readonly begin: BrowserSignIn['begin'];
  readonly browserCookie: BrowserCookie;
  readonly invitationCookie: InvitationCookie;
  readonly attempts: Attempts;
  /** Ends a removed member's membership at the identity provider. */
  readonly unlink: Unlink;
  /** Returns the link of an invitation, which opens our pages. */
  readonly acceptUrl: (token: string) => string;
  /** @param showProblem handles a refused sign-in; in a browser, with a page */
  operations(showProblem: ErrorRequestHandler): Operation[];
}

export function openOnboarding(
  platform: Platform,
  options: OnboardingOptions,
  parts: OnboardingParts,
): OpenOnboarding {
  const { tenants, issuer, http, backend, clock, log } = platform;
  const { makeChange, standings, loadDetails } = parts;
  const { returnTo, pagesUrl } = options;
  const attempts = createAttempts({
    perUser: parts.attempts,
    perMinute: options.strangersPerMinute,
    clock,
  });
  const keys = options.encryptionKeys ?? generateEncryptionKeys();
  const secure = options.publicUrl.startsWith('https:');
  const tokens = createKeptTokens(createSecureStore({ backend, keys }));
  const browserCookie = createBrowserCookie({ keys, secure });
  const invitationCookie = createInvitationCookie({ keys, secure });
  const sessions = createSessionStore(tenants);
  const directory = createIdentityDirectory({
    fetch: http.fetch,
    url: options.adminUrl,
    apiKey: options.adminApiKey,
  });
  const csrf = createCsrfTokens(deriveKeys(keys, 'legate onboarding forms'));
  const onboarding = createOnboarding({
    issuer,
    relinkMembers: options.relinkMembers,
    store: sessions,
    directory,
    record: createRecordOrganization(makeChange),
    loadDetails,
    decide: parts.decideConsent,
    clientAt: (page) => options.clients.get(page),
    standingOf: standings.get,
    forgetStanding: standings.forget,
    dropTokens: tokens.drop,
    csrf,
    clock,
    onDetailsMissing: (err) => log.warn({ err }, 'onboarding: organization details cannot be loaded'),
  });
  const browserSignIn = createBrowserSignIn({
    onboarding,
    signIn: openSignIn(platform, options),
    cookie: createSignInCookie({ keys, secure }),
    keepTokens: tokens.keep,
    attempts,
    returnTo,
    pagesUrl,
    browserCookie,
    hasInvitation: (req) => tokenIn(invitationCookie, req) !== undefined,
  });
  return {
    ...{ onboarding, begin: browserSignIn.begin, browserCookie, invitationCookie, attempts },
    invited: openInvited(platform, options, { ...parts, directory, sessions, csrf }),
    unlink: createUnlink({
      removeMembership: directory.removeMembership,
      makeChange,
      onLost: (err) => log.warn({ err }, 'a removed member was not unlinked at the identity provider'),
    }),
    acceptUrl: (token) => `${pagesUrl}/invitation?${new URLSearchParams({ token })}`,
    operations: (showProblem) => [
      ...signInOperations({ browserSignIn, showProblem }),
      ...onboardingOperations({ onboarding, attempts }),
    ],
  };
}

function openSignIn({ issuer, http, backend, clock }: Platform, options: OnboardingOptions) {
  const useOnce = createUseOnce(backend, 'oauth-state:');
  return createSignIn({
    issuer,
    clientId: options.clientId,
    credentials: options.credentials,
    redirectUri: `${options.publicUrl}/api/oauth/callback`,
    organizationRule: organizationRuleOf(options.identityProvider),
    userClaim: findKind(options.identityProvider.IDP_KIND).userClaim,
    trustIdpEmail: options.trustIdpEmail,
    fetch: http.fetch,
    useOnce: (parts, ttlSeconds) => useOnce(parts, ttlSeconds).catch(storeUnavailable),
    clock,
  });
}

/** Creates the operations of an invited person who has opened a link. */
function openInvited(
  { tenants, issuer, clock, log }: Platform,
  { multipleOrganizations }: OnboardingOptions,
  parts: OnboardingParts & { directory: IdentityDirectory; sessions: SessionStore; csrf: CsrfTokens },
): Invited {
  const { makeChange, standings, loadDetails, maxMembers, directory, sessions, csrf } = parts;
  const acceptance = createAcceptance({
    store: createAcceptanceStore(tenants),
    invitations: createInvitationStore(tenants),
    makeChange,
    addMembership: directory.addMembership,
    removeMembership: directory.removeMembership,
    multipleOrganizations,
    maxMembers,
    onNotUndone: (err) => log.warn({ err }, 'a membership could not be removed at the identity provider'),
    clock,
  });
  const { forget } = standings;
  return createInvited({ issuer, acceptance, store: sessions, csrf, loadDetails, forget, clock });
}
