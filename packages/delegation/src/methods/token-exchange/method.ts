import type { ProviderRefusal, RefusalMeaning } from '@legate/identity-providers';
import { epochSeconds } from '@legate/jwt';
import { isSpelledAlike, shown } from '@legate/oauth';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import type { Delegation, DelegationFacts, DelegationMethod, Refusal } from '../../domain/delegation.ts';
import type { DiscoverResource } from '../../oauth-peers/discovery/cached-discovery.ts';
import type { FoundIdentityProvider, IdentityProvider } from '../../oauth-peers/identity-provider.ts';
import { rememberNoObjection } from '../../oauth-peers/no-objection.ts';
import type { Pause } from '../../oauth-peers/pause.ts';
import { withSecondAttempt } from '../../oauth-peers/second-attempt.ts';
import type { MeasureLeg } from '../id-jag/method.ts';
import { presentSubject } from '../id-jag/subject-token.ts';
import { toDelegation } from '../id-jag/token-refusal.ts';
import { checkExchangedToken } from './exchanged-token-checks.ts';
import { tokenExchange } from './facts.ts';
import { exchangeRefusal } from './refusal.ts';
import { type Flavour, requestExchange, scopesToAsk } from './request.ts';
import type { TokenExchangeSettings } from './settings.ts';

/** How the identity provider exchanges a user's access token */
export interface ExchangeProfile {
  readonly flavour: Flavour;
  /** The claim of access tokens that names the user */
  readonly userClaim: string;
  /** Returns what a refusal means. */
  readonly readRefusal: (refusal: ProviderRefusal) => RefusalMeaning;
  /** Returns true for an audience that no tool server may have */
  readonly isForbidden: (audience: string) => boolean;
}

export interface TokenExchangeDependencies {
  identityProvider: () => Promise<IdentityProvider>;
  /** Undefined: the identity provider exchanges no access tokens. */
  exchange?: ExchangeProfile | undefined;
  discoverResource: DiscoverResource;
  clock: () => Date;
  /** Waits before the second attempt. */
  pause: Pause;
  measureLeg: MeasureLeg;
}

/** Outcomes that show that the identity provider issues tokens for the tool server */
const USES_EXCHANGE: ReadonlySet<Delegation['outcome']> = new Set(['granted', 'denied', 'expired']);

/**
 * Exchanges the access token of the user's sign-in for one of the tool server, at the identity provider alone, for
 * providers without ID-JAGs. The token acts as the user; it is not for one use, not bound to the hub, and others may
 * accept it if `aud` says so.
 * @see RFC 8693
 */
export function createTokenExchangeMethod(
  deps: TokenExchangeDependencies,
): DelegationMethod<TokenExchangeSettings> {
  const objectionTo = rememberNoObjection<Refusal>(deps);

  async function attempt(
    caller: Caller,
    connector: Connector,
    settings: TokenExchangeSettings,
    extraScopes: readonly string[],
    facts: DelegationFacts,
  ): Promise<Delegation> {
    const { exchange: profile } = deps;
    if (!profile)
      return {
        outcome: 'unsupported',
        by: 'idp',
        reason: 'the identity provider exchanges no access tokens',
      };
    const forbidden = [settings.audience, settings.tokenAudience].find(profile.isForbidden);
    if (forbidden !== undefined)
      return {
        outcome: 'misconfigured',
        by: 'idp',
        reason: `audience ${shown(forbidden)} is one of the identity provider or of the hub, which no tool server may have`,
      };
    const provider = await deps.identityProvider();
    if (provider.kind !== 'found') return toDelegation('idp', provider, extraScopes);
    const support = await supportOf(deps.discoverResource, connector, settings, provider.metadata.issuer);
    const run = async (wanted: readonly string[]): Promise<Delegation> => {
      const scopes = scopesToAsk(wanted);
      // A request without scopes would be one for all of them.
      if (scopes.length === 0 && connector.binding?.scopesKey !== undefined)
        return { outcome: 'denied', by: 'binding', scopes: [], reason: 'the agent has none of its scopes' };
      return exchange(deps, provider, profile, caller, { connector, settings, scopes }, facts);
    };
    switch (support.kind) {
      case 'unsupported': {
        // Only the tool server says so, and it must not be able to choose another method for a user who is denied.
        const isLast = connector.methods.at(-1)?.method === tokenExchange.name;
        const objection = isLast ? undefined : await askObjection(caller, connector, settings, run);
        return objection ?? { outcome: 'unsupported', by: 'tool_server', reason: support.reason };
      }
      case 'supported': {
        const wanted = connector.scopes.length > 0 ? connector.scopes : support.scopes;
        const exchanged = await run([...wanted, ...extraScopes]);
        const wasAsked = exchanged.outcome !== 'expired' || !exchanged.needsSession;
        if (wasAsked && USES_EXCHANGE.has(exchanged.outcome)) facts.usedMethod = tokenExchange.name;
        return exchanged;
      }
      default:
        return toDelegation('tool_server', support, extraScopes);
    }
  }

  /** Makes the exchange and drops the token, as ADR 0042 has it for ID-JAGs. */
  function askObjection(
    { subjectTokenId }: Caller,
    { resource, scopes }: Connector,
    { audience }: TokenExchangeSettings,
    run: (scopes: readonly string[]) => Promise<Delegation>,
  ): Promise<Refusal | undefined> {
    return objectionTo([subjectTokenId, resource, scopes, audience], async () => {
      const asked = await run(scopes);
      // A fault leaves open whether the provider would deny the user.
      return asked.outcome === 'granted' || asked.outcome === 'unsupported' ? undefined : asked;
    });
  }

  return (caller, connector, settings, scopes) =>
    withSecondAttempt(deps.pause, async () => {
      const facts: DelegationFacts = {};
      return { ...(await attempt(caller, connector, settings, scopes, facts)), facts };
    });
}

/** Determines whether the tool server accepts tokens of the identity provider. */
async function supportOf(
  discoverResource: DiscoverResource,
  { resource }: Connector,
  { issuer: pinned }: TokenExchangeSettings,
  issuer: string,
) {
  if (pinned === issuer) return { kind: 'supported', scopes: [] } as const;
  const found = await discoverResource(resource);
  if (found.kind === 'unsupported')
    return { kind: 'unsupported', reason: `tool server: ${found.reason}` } as const;
  if (found.kind !== 'found') return found;
  return found.authorizationServers.some((listed) => listed === issuer || isSpelledAlike(listed, issuer))
    ? ({ kind: 'supported', scopes: found.scopesSupported } as const)
    : ({
        kind: 'unsupported',
        reason:
          'tool server: its resource metadata does not list the identity provider, and issuer of the connector does not name it either',
      } as const);
}

async function exchange(
  deps: Pick<TokenExchangeDependencies, 'measureLeg' | 'clock'>,
  { client, clientId }: FoundIdentityProvider,
  { flavour, userClaim, readRefusal }: ExchangeProfile,
  caller: Caller,
  of: { connector: Connector; settings: TokenExchangeSettings; scopes: readonly string[] },
  facts: DelegationFacts,
): Promise<Delegation> {
  if (caller.session && caller.exchangeToken?.type !== 'access_token') return KEEPS_NONE;
  const { audience, tokenAudience } = of.settings;
  const { scopes } = of;
  const since = performance.now();
  return deps.measureLeg('exchange', async (): Promise<Delegation> => {
    const answer = await presentSubject(withAccessToken(caller), ({ token }) =>
      requestExchange(client, flavour, { accessToken: token, audience, scopes }),
    );
    if (answer.kind === 'not_presented') return answer.refusal;
    facts.idpMs = performance.now() - since;
    if (answer.kind !== 'answered') return exchangeRefusal(answer, readRefusal, { audience, scopes });
    const checked = checkExchangedToken(
      answer.body,
      {
        ...{ audience, tokenAudience, scopes, userClaim },
        resource: of.connector.resource,
        userId: caller.userId,
        clientId,
      },
      epochSeconds(deps.clock()),
    );
    if (!checked.ok) return { outcome: 'misconfigured', by: 'idp', why: checked.why, reason: checked.reason };
    facts.audienceScoped = checked.audienceScoped;
    if (checked.hasActor) facts.actor = 'provider';
    return { outcome: 'granted', credential: checked.credential };
  });
}

/** Refuses a session: another one would have no access token either. */
const KEEPS_NONE: Refusal = {
  outcome: 'misconfigured',
  by: 'idp',
  why: 'subject_token_type',
  reason: 'sessions of the hub have no access tokens, because IDP_SUBJECT_TOKEN_TYPE is not access_token',
};

/** Returns the caller with the access token of the sign-in alone: no other token is exchanged in its place. */
const withAccessToken = ({ subjectToken, exchangeToken }: Caller) => ({
  subjectToken,
  exchangeToken:
    exchangeToken?.type === 'access_token'
      ? exchangeToken
      : ({ type: 'access_token', lack: 'session' } as const),
});
