import { Router } from 'express';
import type { RecordUserAction } from '../../audit/user-event.ts';
import type { Calls } from '../../calls/open.ts';
import type { ConnectorAccess } from '../../connectors/access.ts';
import type { Limits } from '../../limits/open.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityProviderPart } from '../../sign-in/identity-provider.ts';
import type { VerifyIdToken } from '../../sign-in/verify-id-token.ts';
import { createBrowserCookie } from './browser-cookie.ts';
import { browserRoutes, connectPageRoutes } from './browser-routes.ts';
import { clientDocumentRoutes } from './client-document.ts';
import { createConnectPage } from './connect-page.ts';
import { createConnectedAccounts } from './connected-accounts.ts';
import { createConsentFlow } from './consent-flow.ts';
import { createPartnersOf } from './consent-partners.ts';
import { createKeepConsent } from './keep-consent.ts';
import { connectionOperations } from './routes.ts';
import type { ConnectOptions } from './settings.ts';
import { createUserSignIn } from './user-sign-in.ts';

export type Accounts = ReturnType<typeof openAccounts>;

/**
 * Opens the routes by which users connect accounts: `operations` below `/api/v1`, with the user's ID token;
 * `publicRoutes` below `/oauth`, for browsers, and for authorization servers that read the client metadata;
 * `pageRoutes` below `/connect`.
 */
export function openAccounts(
  platform: Platform,
  { returnTo, ttlSeconds }: ConnectOptions,
  parts: {
    identityProvider: Pick<IdentityProviderPart, 'identityProvider' | 'kind'>;
    calls: Pick<Calls, 'cache' | 'accounts' | 'records'>;
    access: ConnectorAccess;
    verifyOwn: VerifyIdToken;
    limits: Pick<Limits, 'limiter' | 'strangers'>;
    recordUserAction: RecordUserAction;
  },
) {
  const { publicUrl, store, clock, log } = platform;
  const { fetch } = platform.http;
  const { access, verifyOwn, recordUserAction } = parts;
  const { identityProvider, kind } = parts.identityProvider;
  const { limiter, strangers } = parts.limits;
  const { cache, records } = parts.calls;
  const { connections, clientOf, discover } = parts.calls.accounts;
  const cookie = createBrowserCookie({ secure: publicUrl.startsWith('https:') });
  const userSignIn = createUserSignIn({
    identityProvider,
    redirectUri: `${publicUrl}/oauth/callback`,
    userClaim: kind.userClaim,
  });
  const consentFlow = createConsentFlow({
    connections,
    partnersOf: createPartnersOf({ access, discover, clientOf, fetch }),
    keep: createKeepConsent({ connections, noteUse: records('oauth-pkce').write, ttlSeconds, clock }),
    discover,
    clientOf,
    userSignIn,
    store,
    publicUrl,
    recordUserAction,
    clock,
    log,
  });
  const accounts = createConnectedAccounts({
    connections,
    cache,
    discover,
    clientOf,
    fetch,
    recordUserAction,
    clock,
    log,
  });
  const connectPage = createConnectPage({
    store,
    userSignIn,
    verifyOwn,
    access,
    createLink: consentFlow.begin,
  });
  return {
    userSignIn,
    cookie,
    pageRoutes: connectPageRoutes({ connectPage, cookie, strangers, publicUrl, log }),
    operations: connectionOperations({ access, consentFlow, accounts, limiter, returnTo }),
    publicRoutes: Router().use(
      clientDocumentRoutes({ publicUrl }),
      browserRoutes({ consentFlow, connectPage, publicUrl, cookie, log }),
    ),
  };
}
