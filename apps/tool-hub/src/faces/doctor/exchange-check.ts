import type { Delegation, DelegationMethod, Refusal, TokenExchangeSettings } from '@legate/delegation';
import { type Check, fail, ok, shown } from '@legate/doctor';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import { rowOf } from '../../domain/decision.ts';
import { refusalDecided } from '../../refusals/refusal-decided.ts';
import { legOf, type OnLeg } from './legs.ts';
import { withoutSession } from './refusals.ts';

const CLAIMS =
  'It acts as the user until it expires: it is not for one use, not bound to the hub, and names no agent.';

const AUDIENCE = {
  yes: 'Its audience is exactly the resource of the connector.',
  no: 'Its audience is not the resource alone: any server that accepts this audience accepts the token.',
  unknown: 'The hub cannot read for whom it is.',
} as const;

/** Where the answer of the provider names no cause */
const REMEDIES: Readonly<Record<Exclude<Delegation['outcome'], 'granted'>, string>> = {
  denied: 'Allow this user, audience and scopes at the identity provider.',
  unsupported:
    'Let the metadata of the tool server list the identity provider, or set issuer of the connector to it, if the tool server accepts its tokens. Otherwise choose another method.',
  expired: 'Sign in again, as strongly as the identity provider requires.',
  unavailable: 'Try again. The identity provider or the tool server has an outage.',
  misconfigured:
    'Compare exchange_audience and token_audience of the connector, and the rights of the client of the hub, with the identity provider.',
};

function remedyOf(refusal: Refusal): string {
  const isOurs = refusal.outcome === 'misconfigured' && refusal.why !== undefined;
  if (isOurs) return rowOf(refusalDecided(refusal, undefined)).remedy;
  return refusal.hint ?? REMEDIES[refusal.outcome];
}

/** Exchanges the user's access token as a call would, and drops the new one. */
export const exchangeCheck = (
  exchange: DelegationMethod<TokenExchangeSettings>,
  about: { caller: Caller; connector: Connector; settings: TokenExchangeSettings; onLeg: OnLeg },
): Check => ({
  check: 'token_exchange',
  async run() {
    const { caller, connector, settings, onLeg } = about;
    const delegation = await exchange(caller, connector, settings, []);
    const evidence = { audience: shown(settings.audience), token_audience: shown(settings.tokenAudience) };
    if (delegation.outcome === 'expired' && delegation.needsSession)
      return withoutSession(delegation.needsSession);
    if (delegation.outcome !== 'granted')
      return fail(`${shown(delegation.reason)}.`, remedyOf(delegation), evidence);
    const { credential, facts } = delegation;
    const scoped = facts?.audienceScoped ?? 'unknown';
    if (credential.kind === 'access_token') {
      const { accessToken, scopes, expiresAt } = credential;
      onLeg(legOf('access_token', accessToken, { endpoint: undefined, scopes, expiresAt }));
    }
    return ok(
      `The identity provider exchanges the user's access token for one of the tool server. ${CLAIMS} ${AUDIENCE[scoped]}`,
      { ...evidence, audience_scoped: scoped },
    );
  },
});
