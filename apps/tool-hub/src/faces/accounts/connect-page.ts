import type { SecureStore } from '@legate/secure-store';
import { Problem } from '@legate/service';
import { randomNonce, randomPKCECodeVerifier } from 'openid-client';
import { z } from 'zod';
import { type ConnectorAccess, requireConnector } from '../../connectors/access.ts';
import type { Connector } from '../../domain/connector.ts';
import type { VerifyIdToken } from '../../sign-in/verify-id-token.ts';
import { PageFault, type PageFaultCode } from '../pages/page-fault.ts';
import type { CreateConsentLink } from './consent-link.ts';
import { FurtherScopes } from './further-scopes.ts';
import { createOneTime } from './one-time.ts';
import { FLOW_SECONDS } from './pending-consents.ts';
import type { UserSignIn } from './user-sign-in.ts';

/** A pending sign-in at the identity provider, stored under its `state` */
const PendingSignIn = z.object({
  connectorId: z.string(),
  scopes: FurtherScopes,
  browser: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
});

/** The pending question of a user who has signed in, stored under a secret in the URL of the page */
const PendingQuestion = z.object({
  connectorId: z.string(),
  scopes: FurtherScopes,
  browser: z.string(),
  idToken: z.string(),
});

/** Values that the page shows. All of them are data, not markup. */
export interface ConnectQuestion {
  readonly connector: Connector;
  readonly scopes: readonly string[];
  readonly user: string;
  readonly organizationId: string;
}

export type ConnectPage = ReturnType<typeof createConnectPage>;

/**
 * Serves `/connect/{connector_id}`: a URL without a secret, which an agent may show to anybody. The user signs in, is
 * asked whether to connect, and then follows a link like the one that an application requests for its user
 * (consent-flow.ts).
 */
export function createConnectPage(deps: {
  store: SecureStore;
  userSignIn: UserSignIn;
  verifyOwn: VerifyIdToken;
  access: ConnectorAccess;
  createLink: CreateConsentLink;
}) {
  const { store, userSignIn, verifyOwn, access, createLink } = deps;
  const signIns = createOneTime({
    store,
    prefix: 'connect-page-sign-in:',
    schema: PendingSignIn,
    ttlSeconds: FLOW_SECONDS,
  });
  const questions = createOneTime({
    store,
    prefix: 'connect-page:',
    schema: PendingQuestion,
    ttlSeconds: FLOW_SECONDS,
  });

  /** @throws {PageFault} */
  async function subjectOf(pending: z.output<typeof PendingQuestion>) {
    const { caller, claims } = await verifyOwn(pending.idToken);
    const connector = requireConnector(await access(caller, undefined), pending.connectorId);
    const user = typeof claims.email === 'string' ? claims.email : caller.userId;
    return { caller, connector, user };
  }

  return {
    /** @returns the address of the identity provider. @throws {PageFault} */
    async begin(connectorId: string, scope: unknown, browser: string): Promise<string> {
      const scopes = FurtherScopes.safeParse(
        typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [],
      );
      if (!scopes.success) throw new PageFault('nothing_here', 'scope');
      const pending = { nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
      const state = await signIns.issue({ connectorId, scopes: scopes.data, browser, ...pending });
      return userSignIn.url({ state, ...pending }, { scopes: ['openid', 'email', 'profile'] });
    },
    /**
     * @param search query of the callback, as the browser sent it
     * @returns the connector and the secret of the question; undefined if `state` belongs to no sign-in of this page
     * @throws {PageFault}
     */
    async signedIn(search: string, browser: string | undefined) {
      const state = new URLSearchParams(search).get('state') ?? '';
      const flow = await signIns.take(state);
      if (!flow) return undefined;
      if (flow.browser !== browser) throw new PageFault('other_browser', 'connect page: cookie');
      const { idToken } = await userSignIn.tokensOf(search, { state, ...flow });
      const { connectorId, scopes } = flow;
      return { connectorId, secret: await questions.issue({ connectorId, scopes, browser, idToken }) };
    },
    /** @throws {PageFault} */
    async question(
      connectorId: string,
      secret: string,
      browser: string | undefined,
    ): Promise<ConnectQuestion> {
      const pending = await questions.find(secret);
      if (!pending || pending.browser !== browser || pending.connectorId !== connectorId)
        throw new PageFault('other_browser', 'connect page: no such question');
      const { caller, connector, user } = await subjectOf(pending).catch(toFault);
      return { connector, user, organizationId: caller.organizationId, scopes: pending.scopes };
    },
    /** @returns the address of the link, for this browser. @throws {PageFault} */
    async accept(connectorId: string, secret: string, browser: string | undefined): Promise<string> {
      const pending = await questions.find(secret);
      if (!pending || pending.browser !== browser || pending.connectorId !== connectorId)
        throw new PageFault('other_browser', 'connect page: no such question');
      if (!(await questions.take(secret)))
        throw new PageFault('link_expired', 'connect page: accepted before');
      const { scopes } = pending;
      const request = { scopes, returnTo: undefined, agentId: undefined };
      try {
        const { caller, connector } = await subjectOf(pending);
        return (await createLink(caller, connector, request)).url;
      } catch (err) {
        return toFault(err);
      }
    },
  };
}

/** Turns errors of peers and of the store into outages. */
function toFault(err: unknown): never {
  throw err instanceof Problem ? new PageFault(faultCodeOf(err), err.code, { cause: err }) : err;
}

function faultCodeOf({ code, status }: Problem): PageFaultCode {
  if (code === 'connector_misconfigured') return 'not_possible';
  if (status >= 500) return 'unavailable';
  return code === 'token_expired' ? 'link_expired' : 'nothing_here';
}
