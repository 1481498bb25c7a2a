import type {
  Connections,
  ConsentClientOf,
  DiscoverUserAuthorization,
  IdentityProvider,
  TokenCache,
} from '@legate/delegation';
import type { RateLimiter } from '@legate/rate-limit';
import type { SecureStore } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { Router } from 'express';
import type { NoteDeed } from '../../audit/user-event.ts';
import type { ConnectorAccess } from '../../connectors/access.ts';
import type { Connector } from '../../domain/connector.ts';
import { createBrowserCookie } from './browser-cookie.ts';
import { browserRoutes } from './browser-routes.ts';
import { clientDocumentRoutes } from './client-document.ts';
import { createConnectedAccounts } from './connected-accounts.ts';
import { createConsentFlow } from './consent-flow.ts';
import { createPartnersOf } from './consent-partners.ts';
import { createKeepConsent } from './keep-consent.ts';
import { connectionRoutes } from './routes.ts';
import { createUserSignIn } from './user-sign-in.ts';

/** The routes where users connect accounts. */
export interface AccountsFace {
  /** Below `/api/v1`, with the user's ID token */
  readonly apiRoutes: Router;
  /** Below `/oauth`: for browsers, and for authorization servers that read the client metadata */
  readonly publicRoutes: Router;
}

export function createAccountsFace(deps: {
  publicUrl: string;
  /** Pages of applications that a user may be sent back to, compared as strings */
  returnTo: readonly string[];
  /** The longest that a connection lives without the user being asked again */
  ttlSeconds: number;
  connections: Connections;
  clientOf: ConsentClientOf;
  discover: DiscoverUserAuthorization;
  identityProvider: () => Promise<IdentityProvider>;
  access: ConnectorAccess;
  cache: Pick<TokenCache, 'revoke'>;
  store: SecureStore;
  limiter: RateLimiter;
  noteDeed: NoteDeed;
  /** Records that users have connected accounts at the tool server of a connector. */
  noteUse: (connector: Connector) => Promise<void>;
  fetch: typeof globalThis.fetch;
  clock: () => Date;
  log: Logger;
}): AccountsFace {
  const { publicUrl, ttlSeconds, connections, clientOf, discover, access, fetch, noteDeed, clock, log } =
    deps;
  const consentFlow = createConsentFlow({
    connections,
    partnersOf: createPartnersOf({ access, discover, clientOf, fetch }),
    keep: createKeepConsent({ connections, noteUse: deps.noteUse, ttlSeconds, clock }),
    discover,
    clientOf,
    userSignIn: createUserSignIn({
      identityProvider: deps.identityProvider,
      redirectUri: `${publicUrl}/oauth/callback`,
    }),
    store: deps.store,
    publicUrl,
    noteDeed,
    clock,
    log,
  });
  const { cache, limiter, returnTo } = deps;
  const accounts = createConnectedAccounts({
    connections,
    cache,
    discover,
    clientOf,
    fetch,
    noteDeed,
    clock,
    log,
  });
  const cookie = createBrowserCookie({ secure: publicUrl.startsWith('https:') });
  return {
    apiRoutes: connectionRoutes({ access, consentFlow, accounts, limiter, returnTo }),
    publicRoutes: Router().use(
      clientDocumentRoutes({ publicUrl }),
      browserRoutes({ consentFlow, cookie, log }),
    ),
  };
}
