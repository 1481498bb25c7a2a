import { errors, type InteractionResults, type OpenIdEngine } from '@legate/authorization-server';
import { toEventText } from '@legate/management-contract';
import type { Request, Response } from 'express';
import type { RecordUserAction } from '../../audit/user-event.ts';
import type { FindClient } from '../../oauth-clients/oauth-client.ts';
import type { RefreshTokens } from '../../sign-in/refresh-tokens.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import type { SignInDemand, StepUps } from '../../sign-in/step-ups.ts';
import { PageFault } from '../pages/page-fault.ts';
import type { ConsentRequest, Consents } from './consents.ts';
import type { Interaction, InteractionStore, SignedInUser } from './interaction-store.ts';
import type { PlaceClient } from './place-client.ts';
import { BROWSER_PARAMETER } from './provider.ts';
import type { FindNames, ShownNames } from './shown-names.ts';

/** The next response to the browser */
export type NextPage =
  | { readonly kind: 'sign_in'; readonly uid: string; readonly demand?: SignInDemand }
  | {
      readonly kind: 'kept_out';
      readonly code: string;
      /** Claims of the ID token that caused the fault */
      readonly claims?: readonly string[] | undefined;
      readonly redirectUri: string;
      readonly form: FormOf;
    }
  | {
      readonly kind: 'consent';
      readonly request: ConsentRequest;
      readonly names: ShownNames;
      readonly form: FormOf;
    }
  /** The response has already been sent. */
  | { readonly kind: 'answered' };

interface FormOf {
  readonly uid: string;
  readonly token: string;
}

export type Decision = 'allow' | 'deny';

interface InteractionParts {
  readonly engine: OpenIdEngine;
  readonly hubClientId: string;
  readonly findClient: FindClient;
  readonly placeClient: PlaceClient;
  readonly findNames: FindNames;
  readonly interactions: InteractionStore;
  readonly consents: Consents;
  readonly stepUps: Pick<StepUps, 'find' | 'meet'>;
  readonly sessions: Pick<Sessions, 'openForClient'>;
  readonly refreshTokens: Pick<RefreshTokens, 'revoke'>;
  readonly recordUserAction: RecordUserAction;
}

/**
 * Handles the steps between an authorization request that oidc-provider has accepted and its response. A session is
 * opened, and a code issued, only after the user has allowed it.
 */
export function createInteractions(deps: InteractionParts) {
  const { engine, interactions, consents, stepUps, placeClient } = deps;
  const begun = createFindBegun(deps);
  const forget = createForget(deps);

  function finish(req: Request, res: Response, result: InteractionResults): Promise<void> {
    return engine.provider().interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  }

  const deny = (req: Request, res: Response): Promise<void> => finish(req, res, DENIED);

  const allow = createAllow(deps, finish);

  return {
    /** @throws {PageFault} */
    async next(req: Request, res: Response, browser: string): Promise<NextPage> {
      const { uid, client, redirectUri, resource } = await begun(req, res, browser);
      const interaction = await interactions.find(uid);
      if (!interaction) return { kind: 'sign_in', uid };
      if (interaction.browser !== browser) throw new PageFault('expired', 'another browser');
      const { outcome, formToken: token } = interaction;
      const form = { uid, token };
      switch (outcome.kind) {
        case 'declined':
          // Nobody has signed in, so only a client that the operator has registered gets a redirect.
          if (client.vouchedBy.kind !== 'operator')
            return { kind: 'kept_out', code: 'sign_in_declined', redirectUri, form };
          await interactions.drop(uid);
          await deny(req, res);
          return { kind: 'answered' };
        case 'kept_out':
          return { ...outcome, redirectUri, form };
        case 'signed_in': {
          const { user } = outcome;
          const placed = await placeClient(user, client);
          if (placed.kind === 'kept_out') return { kind: 'kept_out', code: placed.code, redirectUri, form };
          const demand = outcome.demand ? undefined : await stepUps.find(user, client.clientId);
          // Any sign-in meets a demand without requirements.
          if (demand && Object.keys(demand).length > 0) {
            await interactions.drop(uid);
            await forget(user);
            return { kind: 'sign_in', uid, demand };
          }
          const request = { user, client, agentId: placed.agentId, resource, redirectUri };
          if (!(await consents.isRemembered(request)))
            return { kind: 'consent', request, names: await deps.findNames(request), form };
          await allow(req, res, uid, request, outcome.demand);
          return { kind: 'answered' };
        }
      }
    },
    /**
     * Drops the sign-in, so that the user can sign in with another account.
     * @returns the interaction, for a new sign-in
     * @throws {PageFault}
     */
    async forgetSignIn(req: Request, res: Response, browser: string): Promise<string> {
      const { uid } = await begun(req, res, browser);
      const interaction = await interactions.find(uid);
      if (interaction && interaction.browser !== browser) throw new PageFault('expired', 'another browser');
      await interactions.drop(uid);
      const user = interaction && signedInOf(interaction)?.user;
      if (user) await forget(user);
      return uid;
    },
    /**
     * @param formToken CSRF token that the form contained
     * @throws {PageFault}
     */
    async decide(
      req: Request,
      res: Response,
      browser: string | undefined,
      { decision, formToken }: { decision: Decision; formToken: string },
    ): Promise<void> {
      const { uid, client, redirectUri, resource } = await begun(req, res, browser);
      const interaction = await interactions.find(uid);
      if (!interaction || interaction.browser !== browser || interaction.formToken !== formToken)
        throw new PageFault('expired', 'form');
      const { user, demand } = signedInOf(interaction) ?? {};
      if (decision === 'allow') {
        const placed = user && (await placeClient(user, client));
        if (!user || placed?.kind !== 'placed')
          throw new PageFault('bad_request', 'allowed by a user who may not continue');
        const request = { user, client, agentId: placed.agentId, resource, redirectUri };
        await consents.remember(request);
        await allow(req, res, uid, request, demand);
        deps.recordUserAction('consent.granted', aboutOf(request));
        return;
      }
      await interactions.drop(uid);
      if (user) await forget(user);
      await deny(req, res);
      if (user) deps.recordUserAction('consent.denied', aboutOf({ user, client }));
    },
  };
}

/**
 * Returns a function that opens a session for what the user has allowed, and responds to the client. `demand`: what the
 * sign-in was made for, whatever has been demanded since
 */
const createAllow =
  (
    deps: Pick<InteractionParts, 'interactions' | 'findClient' | 'stepUps' | 'sessions' | 'hubClientId'>,
    finish: (req: Request, res: Response, result: InteractionResults) => Promise<void>,
  ) =>
  async (
    req: Request,
    res: Response,
    uid: string,
    request: ConsentRequest,
    demand: SignInDemand | undefined,
  ): Promise<void> => {
    const { user, client, agentId, resource } = request;
    // Used up first: two decisions about one question must not open two sessions.
    if (!(await deps.interactions.drop(uid))) throw new PageFault('expired', 'answered before');
    await deps.findClient(client.clientId, { kind: 'session' });
    const claimsMet = demand && (await deps.stepUps.meet(user, client.clientId, demand));
    const { key } = await deps.sessions.openForClient(user.idToken, {
      refreshToken: user.refreshToken,
      access: user.access,
      claimsMet,
      clientId: deps.hubClientId,
      agentId,
      grant: { clientId: client.clientId, clientName: client.name, resource },
    });
    await finish(req, res, { login: { accountId: key, remember: false } });
  };

/** Returns a function that revokes a refresh token that no session will use. */
const createForget =
  ({ refreshTokens, hubClientId }: Pick<InteractionParts, 'refreshTokens' | 'hubClientId'>) =>
  async ({ refreshToken }: SignedInUser): Promise<void> => {
    if (refreshToken !== undefined) await refreshTokens.revoke(refreshToken, hubClientId);
  };

const DENIED = { error: 'access_denied', error_description: 'The user did not allow it.' };

/**
 * Returns a function that finds the authorization request of an interaction.
 * @throws {PageFault} for a browser that did not begin it
 */
const createFindBegun =
  ({ engine, findClient }: { engine: OpenIdEngine; findClient: FindClient }) =>
  async (req: Request, res: Response, browser: string | undefined) => {
    const found = await engine
      .provider()
      .interactionDetails(req, res)
      .catch((err: unknown) => {
        if (err instanceof errors.SessionNotFound) throw new PageFault('expired', 'no such interaction');
        throw err;
      });
    const { client_id, redirect_uri, resource } = found.params;
    if (found.params[BROWSER_PARAMETER] !== browser) throw new PageFault('expired', 'another browser');
    const client = await findClient(String(client_id), { kind: 'token' });
    if (!client || found.uid !== req.params.uid)
      throw new PageFault('expired', 'the client no longer exists');
    return { uid: found.uid, client, redirectUri: String(redirect_uri), resource: String(resource) };
  };

const signedInOf = ({ outcome }: Interaction) => (outcome.kind === 'signed_in' ? outcome : undefined);

const aboutOf = ({
  user,
  client,
  agentId,
}: Pick<ConsentRequest, 'user' | 'client'> & { agentId?: string | undefined }) => ({
  organizationId: user.organizationId,
  userId: user.userId,
  details: {
    authorized_party: toEventText(client.clientId, 255) ?? null,
    client_name: toEventText(client.name, 255) ?? null,
    ...(agentId !== undefined && { agent_id: agentId }),
  },
});
