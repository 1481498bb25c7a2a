import { tokenEndpointAuthMethod } from '@legate/client-authentication';
import type { OrganizationRule } from '@legate/identity-providers';
import { epochSeconds, tokenId } from '@legate/jwt';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import type { Delegation, DelegationFacts, DelegationMethod, Refusal } from '../../domain/delegation.ts';
import type { DiscoverToolServer } from '../../oauth-peers/discovery/cached-discovery.ts';
import type { ToolServer } from '../../oauth-peers/discovery/discover-tool-server.ts';
import type { IdentityProvider } from '../../oauth-peers/identity-provider.ts';
import type { Pause } from '../../oauth-peers/pause.ts';
import { withSecondAttempt } from '../../oauth-peers/second-attempt.ts';
import { checkAccessToken } from './access-token-checks.ts';
import type { ProveActor } from './actor-token.ts';
import { checkIdJag } from './checks.ts';
import { idJag } from './facts.ts';
import type { IdJagOrganization } from './organization-check.ts';
import { expectedIdJag, redeemIdJag, requestIdJag } from './request.ts';
import type { IdJagSettings } from './settings.ts';
import { presentSubject } from './subject-token.ts';
import { idpRefusal, toDelegation } from './token-refusal.ts';
import { createToolServerClients, type ToolServerClients } from './tool-server-clients.ts';
import type { UserPolicy } from './user-policy.ts';

/** The requests of a new delegation: an ID-JAG from the identity provider, an access token from the tool server. */
export type Leg = 'exchange' | 'redemption';

/** Runs `work`, and reports its duration and outcome. */
export type MeasureLeg = <Result extends { readonly outcome: string }>(
  leg: Leg,
  work: () => Promise<Result>,
) => Promise<Result>;

/** Outcomes that show that the tool server offers ID-JAGs */
const USES_ID_JAG: ReadonlySet<Delegation['outcome']> = new Set(['granted', 'denied', 'expired']);

/** A connector's resource, our client there, and the discovered metadata */
interface Place {
  readonly resource: string;
  readonly settings: IdJagSettings;
  readonly toolServer: ToolServer;
}

export interface IdJagDependencies {
  /** False: the identity provider issues none, and is not asked for any. Default: true */
  issuesIdJags?: boolean | undefined;
  identityProvider: () => Promise<IdentityProvider>;
  idJagOrganization: IdJagOrganization;
  organizationRule: OrganizationRule;
  /** Undefined: the hub names no agents to the identity provider. */
  proveActor?: ProveActor | undefined;
  /** Called when the identity provider has left out an agent that was named to it. */
  onActorIgnored?: () => void;
  discover: DiscoverToolServer;
  /** Called if no token can be obtained, so that a denied user is not reported as an outage or given a fallback. */
  policy: UserPolicy;
  /** The guarded client's `fetch` */
  fetch: typeof globalThis.fetch;
  clock: () => Date;
  /** Waits before the second attempt. */
  pause: Pause;
  measureLeg: MeasureLeg;
}

/**
 * ID token → ID-JAG (RFC 8693) → access token (RFC 7523). Independent of HTTP routes: it needs an ID token, a client at
 * the identity provider and a connector. An ID-JAG can be redeemed once, so a temporary failure is retried once, with a
 * new one.
 * @see draft-ietf-oauth-identity-assertion-authz-grant §4
 */
export function createIdJagMethod(deps: IdJagDependencies): DelegationMethod<IdJagSettings> {
  const clients = createToolServerClients(deps.fetch);

  async function attempt(
    caller: Caller,
    connector: Connector,
    settings: IdJagSettings,
    extraScopes: readonly string[],
    facts: DelegationFacts,
  ): Promise<Delegation> {
    if (deps.issuesIdJags === false)
      return { outcome: 'unsupported', by: 'idp', reason: 'the identity provider issues no ID-JAGs' };
    const { resource } = connector;
    const { issuer, audience } = settings;
    const discovery = await deps.discover({ resource, issuer, audience });
    if (discovery.kind === 'unsupported' || discovery.kind === 'unavailable') {
      const refusal = await refusalWithoutToolServer(caller, connector, settings, discovery.kind);
      if (refusal) return refusal;
    }
    if (discovery.kind === 'unsupported')
      return { outcome: 'unsupported', by: 'tool_server', reason: `tool server: ${discovery.reason}` };
    if (discovery.kind !== 'found') return toDelegation('tool_server', discovery, extraScopes);
    const { toolServer } = discovery;
    const noteUse = <Result extends Delegation>(result: Result): Result => {
      if (USES_ID_JAG.has(result.outcome)) facts.usedMethod = idJag.name;
      return result;
    };
    const wanted = connector.scopes.length > 0 ? connector.scopes : toolServer.scopesSupported;
    const scopes = [...new Set([...wanted, ...extraScopes])];

    const at: Place = { resource, settings, toolServer };
    const exchangedSince = performance.now();
    const exchanged = await deps.measureLeg('exchange', () => exchange(deps, caller, at, scopes));
    // Shows nothing about the tool server
    if ('notPresented' in exchanged) return exchanged.notPresented;
    facts.idpMs = performance.now() - exchangedSince;
    if (exchanged.outcome === 'unsupported') {
      // The tool server has chosen the audience, so it may hide another one for which the user would be denied.
      const refusal = await refusalWithoutToolServer(caller, connector, settings, 'unsupported');
      return refusal ? noteUse(refusal) : exchanged;
    }
    if (exchanged.outcome !== 'exchanged') return noteUse(exchanged);
    facts.idJagId = tokenId(exchanged.idJag);
    if (exchanged.actor === 'provider') facts.actor = 'provider';
    const redeemedSince = performance.now();
    const redeemed = await deps.measureLeg('redemption', () =>
      redeem({ clients, clock: deps.clock }, exchanged, at, scopes),
    );
    facts.authorizationServerMs = performance.now() - redeemedSince;
    return noteUse(redeemed);
  }

  /**
   * Asks policy before a fallback is tried, because the identity provider may have denied the user. Without a fallback
   * there is nothing to decide: no token is obtained.
   */
  async function refusalWithoutToolServer(
    caller: Caller,
    connector: Connector,
    settings: IdJagSettings,
    why: 'unsupported' | 'unavailable',
  ): Promise<Refusal | undefined> {
    if (connector.methods.length === 1) return undefined;
    const refusal = await deps.policy(caller, connector, settings);
    // If both are unavailable, the tool server's outage is returned: no fallback would be tried either.
    return refusal?.outcome === 'unavailable' && why === 'unavailable' ? undefined : refusal;
  }

  return (caller, connector, settings, scopes) =>
    withSecondAttempt(deps.pause, async () => {
      const facts: DelegationFacts = {};
      return { ...(await attempt(caller, connector, settings, scopes, facts)), facts };
    });
}

async function exchange(
  deps: IdJagDependencies,
  caller: Caller,
  { resource, settings, toolServer }: Place,
  scopes: readonly string[],
) {
  const provider = await deps.identityProvider();
  if (provider.kind !== 'found') return toDelegation('idp', provider, scopes);
  const { audience } = toolServer;
  const actor = await deps.proveActor?.(caller, provider.metadata.issuer);
  const answer = await presentSubject(caller, (subject) =>
    requestIdJag(provider, subject, { audience, resource, scopes, actor }),
  );
  if (answer.kind === 'not_presented')
    return { outcome: answer.refusal.outcome, notPresented: answer.refusal };
  if (answer.kind !== 'answered') return idpRefusal(provider, answer, scopes);
  const expected = expectedIdJag(provider, caller, toolServer, {
    resource,
    clientId: settings.clientId,
    scopes,
    act: actor?.act,
    idJagOrganization: deps.idJagOrganization,
    rule: deps.organizationRule,
  });
  const checked = checkIdJag(answer.body, expected, epochSeconds(deps.clock()));
  if (checked.ok && actor && checked.actor === 'none') deps.onActorIgnored?.();
  return checked.ok
    ? { outcome: 'exchanged' as const, ...checked }
    : { outcome: 'misconfigured' as const, by: 'idp' as const, reason: checked.reason };
}

/** @param asked the scopes that the exchange requested: the ID-JAG has these if nobody has named others */
async function redeem(
  { clients, clock }: { readonly clients: ToolServerClients; readonly clock: () => Date },
  {
    idJag: assertion,
    scopes: granted,
  }: { readonly idJag: string; readonly scopes?: readonly string[] | undefined },
  { resource, settings, toolServer }: Place,
  asked: readonly string[],
): Promise<Delegation> {
  const client = await clients(settings, toolServer);
  if (!client)
    return { outcome: 'misconfigured', by: 'tool_server', reason: 'our private key cannot be used' };
  const requested = granted ?? asked;
  const answer = await redeemIdJag(client, assertion, { resource, scopes: requested });
  if (answer.kind === 'refused' && answer.error === 'invalid_client')
    return { outcome: 'misconfigured', by: 'tool_server', reason: clientRefused(settings, toolServer) };
  if (answer.kind !== 'answered') return toDelegation('tool_server', answer, requested);
  const expected = { method: idJag.name, resource, requested, granted };
  const checked = checkAccessToken(answer.body, expected, epochSeconds(clock()));
  return checked.ok
    ? { outcome: 'granted', credential: checked.credential }
    : { outcome: 'misconfigured', by: 'tool_server', reason: checked.reason };
}

/** Explains an `invalid_client` (RFC 6749 §5.2) of the authorization server to the administrator who registered us there. */
function clientRefused({ clientAuth }: IdJagSettings, { authMethods }: ToolServer): string {
  const method = tokenEndpointAuthMethod(clientAuth, authMethods);
  const offered = authMethods?.filter((name) => /^[a-z_]{1,40}$/.test(name)).join(', ');
  const lists =
    offered === undefined
      ? 'it has no metadata'
      : `its metadata offers ${offered || 'no method that the hub supports'}`;
  return `tool server: invalid_client, for a client that authenticated by ${method}; ${lists}. Compare client_id, secret and token_endpoint_auth_method with the registration there`;
}
