import { toEventText } from '@legate/management-contract';
import type { Problem } from '@legate/service';
import { Problem as AnyProblem } from '@legate/service';
import { randomNonce, randomPKCECodeVerifier } from 'openid-client';
import { claimsAtFault } from '../../refusals/token-refusals.ts';
import type { ExchangeTokens } from '../../sign-in/exchange-token.ts';
import { SIGN_IN_SCOPES } from '../../sign-in/sign-in-scope.ts';
import type { VerifyIdToken } from '../../sign-in/verify-id-token.ts';
import type { SignInOptions, UserSignIn } from '../accounts/user-sign-in.ts';
import { PageFault } from '../pages/page-fault.ts';
import type { InteractionStore, SignInOutcome } from './interaction-store.ts';

export type SignInStep = ReturnType<typeof createSignInStep>;

/**
 * Identifies the user of a browser that a client has sent, by a new sign-in at the identity provider as the hub's own
 * client, whatever account the browser was signed in with before.
 * @param deps.subjectScope requested too, for an identity provider that exchanges the access token of the sign-in
 * @param deps.checkMembership throws a 403 for a user who may not act in their organization
 */
export function createSignInStep(deps: {
  interactions: InteractionStore;
  userSignIn: UserSignIn;
  verifyOwn: VerifyIdToken;
  exchangeTokens: Pick<ExchangeTokens, 'kept'>;
  /** Scopes with which the access token of the sign-in can be exchanged */
  subjectScope: string | undefined;
  checkMembership: (user: Awaited<ReturnType<VerifyIdToken>>['caller']) => Promise<void>;
}) {
  const { interactions, userSignIn, verifyOwn, exchangeTokens, subjectScope } = deps;

  async function outcomeOf(
    search: string,
    flow: Parameters<UserSignIn['tokensOf']>[1] & Pick<SignInOptions, 'demand'>,
  ): Promise<SignInOutcome> {
    if (new URLSearchParams(search).get('error') === 'access_denied') return { kind: 'declined' };
    const { idToken, refreshToken, access } = await userSignIn.tokensOf(search, flow);
    try {
      const { caller, claims } = await verifyOwn(idToken);
      await deps.checkMembership(caller);
      const { userId, organizationId } = caller;
      const tokens = { idToken, refreshToken, access: exchangeTokens.kept(access) };
      const user = { userId, organizationId, shownName: shownNameOf(claims), ...tokens };
      return { kind: 'signed_in', user, demand: flow.demand };
    } catch (err) {
      if (isRefusal(err)) return { kind: 'kept_out', code: err.code, claims: [...claimsAtFault(err)] };
      throw err;
    }
  }

  return {
    /** @returns the address of the identity provider. @throws {PageFault} */
    async begin(
      uid: string,
      browser: string,
      options: Pick<SignInOptions, 'choosesAccount' | 'demand'> = {},
    ): Promise<string> {
      const pending = { nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
      const state = await interactions.signIns.issue({ uid, browser, demand: options.demand, ...pending });
      return userSignIn.url({ state, ...pending }, { scopes: SIGN_IN_SCOPES, subjectScope, ...options });
    },
    /**
     * @param search query of the callback, as the browser sent it
     * @returns the interaction; undefined if `state` belongs to no such sign-in
     * @throws {PageFault}
     */
    async finish(search: string, browser: string | undefined): Promise<string | undefined> {
      const state = new URLSearchParams(search).get('state') ?? '';
      const flow = await interactions.signIns.take(state);
      if (!flow) return undefined;
      if (flow.browser !== browser) throw new PageFault('expired', 'sign-in: another browser');
      await interactions.keep(flow.uid, flow.browser, await outcomeOf(search, { state, ...flow }));
      return flow.uid;
    },
  };
}

const MAX_NAME_LENGTH = 200;

/**
 * Returns the name and the address of a user, as far as an ID token has them. The name alone would not tell apart two
 * accounts of one person.
 */
function shownNameOf(claims: Readonly<Record<string, unknown>>): string | undefined {
  const textOf = (name: string): string | undefined => {
    const { [name]: value } = claims;
    return typeof value === 'string' ? toEventText(value.trim(), MAX_NAME_LENGTH) : undefined;
  };
  const [name, address] = [textOf('name'), textOf('email') ?? textOf('preferred_username')];
  return name !== undefined && address !== undefined ? `${name} (${address})` : (name ?? address);
}

const isRefusal = (err: unknown): err is Problem => err instanceof AnyProblem && err.status < 500;
