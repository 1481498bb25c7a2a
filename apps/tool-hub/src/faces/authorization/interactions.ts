import { errors, type InteractionResults, type OpenIdEngine } from '@legate/authorization-server';
import { toEventText } from '@legate/management-contract';
import type { Request, Response } from 'express';
import type { NoteDeed } from '../../audit/user-event.ts';
import type { FindClient, OAuthClient } from '../../oauth-clients/oauth-client.ts';
import type { RefreshTokens } from '../../sign-in/refresh-tokens.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import type { ConsentRequest, Consents } from './consents.ts';
import { AuthorizationFault } from './faults.ts';
import type { Interaction, InteractionStore, SignedInUser } from './interaction-store.ts';

/** What a browser is shown next */
export type NextPage =
  | { readonly kind: 'sign_in'; readonly uid: string }
  | { readonly kind: 'kept_out'; readonly code: string; readonly redirectUri: string; readonly form: FormOf }
  | { readonly kind: 'consent'; readonly request: ConsentRequest; readonly form: FormOf }
  /** The answer is sent already. */
  | { readonly kind: 'answered' };

interface FormOf {
  readonly uid: string;
  readonly token: string;
}

export type Decision = 'allow' | 'deny';

/**
 * What happens between an authorization request that oidc-provider has accepted and its answer. A session is opened only
 * once the user has allowed it, and only then there is a code.
 */
export function createInteractions(deps: {
  engine: OpenIdEngine;
  hubClientId: string;
  findClient: FindClient;
  interactions: InteractionStore;
  consents: Consents;
  sessions: Pick<Sessions, 'openForClient'>;
  refreshTokens: Pick<RefreshTokens, 'revoke'>;
  noteDeed: NoteDeed;
}) {
  const { engine, interactions, consents, sessions, refreshTokens, hubClientId } = deps;
  const begun = createFindBegun(deps);

  function finish(req: Request, res: Response, result: InteractionResults): Promise<void> {
    return engine.provider().interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  }

  const deny = (req: Request, res: Response): Promise<void> => finish(req, res, DENIED);

  async function allow(req: Request, res: Response, uid: string, request: ConsentRequest): Promise<void> {
    const { user, client, resource } = request;
    // Used up first: two answers to one question must not open two sessions.
    if (!(await interactions.drop(uid))) throw new AuthorizationFault('expired', 'answered before');
    await deps.findClient(client.clientId, { kind: 'session' });
    const { key } = await sessions.openForClient(user.idToken, {
      ...(user.refreshToken !== undefined && { refreshToken: user.refreshToken }),
      clientId: hubClientId,
      grant: { clientId: client.clientId, clientName: client.name, resource },
    });
    await finish(req, res, { login: { accountId: key, remember: false } });
  }

  /** A refresh token that no session will use */
  async function forget({ refreshToken }: SignedInUser): Promise<void> {
    if (refreshToken !== undefined) await refreshTokens.revoke(refreshToken, hubClientId);
  }

  return {
    /** @throws {AuthorizationFault} */
    async next(req: Request, res: Response, browser: string): Promise<NextPage> {
      const { uid, client, redirectUri, resource } = await begun(req, res);
      const interaction = await interactions.find(uid);
      if (!interaction) return { kind: 'sign_in', uid };
      if (interaction.browser !== browser) throw new AuthorizationFault('expired', 'another browser');
      const { outcome, formToken: token } = interaction;
      const form = { uid, token };
      switch (outcome.kind) {
        case 'declined':
          await interactions.drop(uid);
          await deny(req, res);
          return { kind: 'answered' };
        case 'kept_out':
          return { kind: 'kept_out', code: outcome.code, redirectUri, form };
        case 'signed_in': {
          const { user } = outcome;
          if (!isFor(client, user))
            return { kind: 'kept_out', code: 'client_of_another_organization', redirectUri, form };
          const request = { user, client, resource, redirectUri };
          if (!(await consents.isRemembered(request))) return { kind: 'consent', request, form };
          await allow(req, res, uid, request);
          return { kind: 'answered' };
        }
      }
    },
    /**
     * Forgets who has signed in, so that the user can sign in with another account.
     * @returns the interaction, for a new sign-in
     * @throws {AuthorizationFault}
     */
    async forgetSignIn(req: Request, res: Response, browser: string): Promise<string> {
      const { uid } = await begun(req, res);
      const interaction = await interactions.find(uid);
      if (interaction && interaction.browser !== browser)
        throw new AuthorizationFault('expired', 'another browser');
      await interactions.drop(uid);
      const user = interaction && userOf(interaction);
      if (user) await forget(user);
      return uid;
    },
    /**
     * @param formToken what the form of the page had
     * @throws {AuthorizationFault}
     */
    async decide(
      req: Request,
      res: Response,
      browser: string | undefined,
      { decision, formToken }: { decision: Decision; formToken: string },
    ): Promise<void> {
      const { uid, client, redirectUri, resource } = await begun(req, res);
      const interaction = await interactions.find(uid);
      if (!interaction || interaction.browser !== browser || interaction.formToken !== formToken)
        throw new AuthorizationFault('expired', 'form');
      const user = userOf(interaction);
      if (decision === 'allow') {
        if (!user || !isFor(client, user))
          throw new AuthorizationFault('bad_request', 'allowed by somebody who is kept out');
        const request = { user, client, resource, redirectUri };
        await consents.remember(request);
        await allow(req, res, uid, request);
        deps.noteDeed('consent.granted', aboutOf(request));
        return;
      }
      await interactions.drop(uid);
      if (user) await forget(user);
      await deny(req, res);
      if (user) deps.noteDeed('consent.denied', aboutOf({ user, client, resource, redirectUri }));
    },
  };
}

const isFor = ({ organizationId }: OAuthClient, user: SignedInUser): boolean =>
  organizationId === undefined || organizationId === user.organizationId;

const DENIED = { error: 'access_denied', error_description: 'The user did not allow it.' };

/**
 * Returns what finds the authorization request that an interaction is about.
 * @throws {AuthorizationFault} for a browser that did not begin it
 */
const createFindBegun =
  ({ engine, findClient }: { engine: OpenIdEngine; findClient: FindClient }) =>
  async (req: Request, res: Response) => {
    const found = await engine
      .provider()
      .interactionDetails(req, res)
      .catch((err: unknown) => {
        if (err instanceof errors.SessionNotFound)
          throw new AuthorizationFault('expired', 'no such interaction');
        throw err;
      });
    const { client_id, redirect_uri, resource } = found.params;
    const client = await findClient(String(client_id), { kind: 'token' });
    if (!client || found.uid !== req.params.uid)
      throw new AuthorizationFault('expired', 'no such client any more');
    return { uid: found.uid, client, redirectUri: String(redirect_uri), resource: String(resource) };
  };

const userOf = ({ outcome }: Interaction): SignedInUser | undefined =>
  outcome.kind === 'signed_in' ? outcome.user : undefined;

const aboutOf = ({ user, client }: ConsentRequest) => ({
  organizationId: user.organizationId,
  userId: user.userId,
  details: {
    client_id: toEventText(client.clientId, 255) ?? null,
    client_name: toEventText(client.name, 255) ?? null,
  },
});
