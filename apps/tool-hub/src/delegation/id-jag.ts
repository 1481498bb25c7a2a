import { epochSeconds } from '@legate/jwt';
import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import { tokenId } from '../audit/token-id.ts';
import type { Caller } from '../caller/caller.ts';
import type { Connector } from '../connectors/connector.ts';
import type { IdJagSettings } from '../connectors/method-settings.ts';
import type { DiscoverToolServer } from '../discovery/cached-discovery.ts';
import type { ToolServer } from '../discovery/discover-tool-server.ts';
import type { PeerFailure } from '../peers/peer-failure.ts';
import { MAX_PATIENCE_SECONDS, type Pause } from '../resilience/pause.ts';
import { checkAccessToken } from './access-token-checks.ts';
import type { Delegation, DelegationMethod, Passage, Peer } from './delegation.ts';
import { checkIdJag, type IdJagOrganization, publicSubject } from './id-jag-checks.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { MeasureLeg } from './legs.ts';
import { createTokenClient } from './token-client.ts';
import { requestToken } from './token-request.ts';

const MAX_ATTEMPTS = 2;

/** A connector's resource, the hub's client there, and what was found out about it */
interface Place {
  readonly resource: string;
  readonly settings: IdJagSettings;
  readonly toolServer: ToolServer;
}

/**
 * ID token → ID-JAG (RFC 8693) → access token (RFC 7523). Knows no HTTP face: give it an ID token, a client at the
 * identity provider and a connector. An ID-JAG is good for one redemption, so whatever fails on the way for a reason that
 * may pass is begun anew, once, with a new one.
 * @see draft-ietf-oauth-identity-assertion-authz-grant §4
 */
export function createIdJagMethod(deps: {
  identityProvider: () => Promise<IdentityProvider>;
  idJagOrganization: IdJagOrganization;
  discover: DiscoverToolServer;
  /** The guarded client's */
  fetch: typeof globalThis.fetch;
  clock: () => Date;
  /** Waits before the second attempt. */
  pause: Pause;
  measureLeg: MeasureLeg;
}): DelegationMethod<IdJagSettings> {
  async function attempt(
    caller: Caller,
    connector: Connector,
    settings: IdJagSettings,
    extraScopes: readonly string[],
    passage: Passage,
  ): Promise<Delegation> {
    const { resource } = connector;
    const { issuer, audience } = settings;
    const discovery = await deps.discover({ resource, issuer, audience });
    if (discovery.kind === 'unsupported')
      return { outcome: 'unsupported', by: 'tool_server', reason: `tool server: ${discovery.reason}` };
    if (discovery.kind !== 'found') return toDelegation('tool_server', discovery, extraScopes);
    const { toolServer } = discovery;
    const wanted = connector.scopes.length > 0 ? connector.scopes : toolServer.scopesSupported;
    const scopes = [...new Set([...wanted, ...extraScopes])];

    const at: Place = { resource, settings, toolServer };
    const exchangedSince = performance.now();
    const exchanged = await deps.measureLeg('exchange', () => exchange(caller, at, scopes));
    passage.idpMs = performance.now() - exchangedSince;
    if (exchanged.outcome !== 'exchanged') return exchanged;
    passage.idJagId = tokenId(exchanged.idJag);
    const granted = exchanged.scopes?.length ? exchanged.scopes : scopes;
    const redeemedSince = performance.now();
    const redeemed = await deps.measureLeg('redemption', () => redeem(exchanged.idJag, at, granted));
    passage.authorizationServerMs = performance.now() - redeemedSince;
    return redeemed;
  }

  async function exchange(
    { userId, organizationId, subjectToken }: Caller,
    { resource, settings, toolServer }: Place,
    scopes: readonly string[],
  ) {
    const provider = await deps.identityProvider();
    if (provider.kind !== 'found') return toDelegation('idp', provider, scopes);
    const answer = await requestToken(provider.client, GRANT_TYPE.tokenExchange, {
      subject_token: subjectToken,
      subject_token_type: TOKEN_TYPE.idToken,
      requested_token_type: TOKEN_TYPE.idJag,
      audience: toolServer.audience,
      resource,
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    });
    if (answer.kind !== 'answered') return toDelegation('idp', answer, scopes);
    const { issuer, subject_types_supported: subjectTypes } = provider.client.serverMetadata();
    const expected = {
      issuer,
      subject: publicSubject(subjectTypes, userId),
      organizationId,
      idJagOrganization: deps.idJagOrganization,
      audience: toolServer.audience,
      resolvedAudience: toolServer.issuer,
      resource,
      clientId: settings.clientId,
      scopes,
    };
    const checked = checkIdJag(answer.body, expected, epochSeconds(deps.clock()));
    return checked.ok
      ? { outcome: 'exchanged' as const, ...checked }
      : { outcome: 'misconfigured' as const, by: 'idp' as const, reason: checked.reason };
  }

  async function redeem(
    assertion: string,
    { resource, settings, toolServer }: Place,
    granted: readonly string[],
  ): Promise<Delegation> {
    const client = await createTokenClient({
      ...settings,
      issuer: toolServer.issuer,
      tokenEndpoint: toolServer.tokenEndpoint,
      fetch: deps.fetch,
    }).catch(() => undefined);
    if (!client)
      return { outcome: 'misconfigured', by: 'tool_server', reason: 'our private key cannot be used' };
    // No `scope` and no `resource`: the grant is the assertion's (product spec §4.4).
    const answer = await requestToken(client, GRANT_TYPE.jwtBearer, { assertion });
    if (answer.kind !== 'answered') return toDelegation('tool_server', answer, granted);
    const expected = { method: 'id-jag' as const, resource, granted };
    const checked = checkAccessToken(answer.body, expected, epochSeconds(deps.clock()));
    return checked.ok
      ? { outcome: 'granted', credential: checked.credential }
      : { outcome: 'misconfigured', by: 'tool_server', reason: checked.reason };
  }

  return async (caller, connector, settings, scopes) => {
    for (let attempts = 1; ; attempts += 1) {
      const passage: Passage = {};
      const delegation = await attempt(caller, connector, settings, scopes, passage);
      const mayPass = delegation.outcome === 'unavailable' && delegation.retryable;
      if (!mayPass || attempts === MAX_ATTEMPTS) return { ...delegation, passage };
      const { retryAfterSeconds } = delegation;
      if (retryAfterSeconds !== undefined && retryAfterSeconds > MAX_PATIENCE_SECONDS)
        return { ...delegation, passage };
      await deps.pause(retryAfterSeconds);
    }
  };
}

/** What a refusal at one of the two token endpoints means for the user. */
function toDelegation(
  by: Peer,
  failure: PeerFailure,
  scopes: readonly string[],
): Exclude<Delegation, { outcome: 'granted' }> {
  if (failure.kind === 'unavailable') {
    return {
      outcome: 'unavailable',
      by,
      reason: `${NAMES[by]}: ${failure.reason}`,
      retryable: failure.retryable,
      status: failure.status,
      retryAfterSeconds: failure.retryAfterSeconds,
    };
  }
  if (failure.kind === 'unusable')
    return { outcome: 'misconfigured', by, reason: `${NAMES[by]}: ${failure.reason}` };
  const reason = `${NAMES[by]}: ${failure.error}`;
  switch (failure.error) {
    case 'insufficient_user_authentication':
      return { outcome: 'expired', reason, maxAge: failure.maxAge, acrValues: failure.acrValues };
    case 'invalid_grant':
    case 'invalid_request':
      // At the identity provider the subject token is at fault (draft §4.3.4.3, RFC 8693 §2.2.2 says invalid_request).
      // At the tool server it is an assertion that we checked: the two do not trust each other as they should.
      return by === 'idp' ? { outcome: 'expired', reason } : { outcome: 'misconfigured', by, reason };
    case 'access_denied':
    case 'invalid_target':
    case 'invalid_scope':
      return { outcome: 'denied', by, scopes, reason };
    case 'temporarily_unavailable':
    case 'server_error':
    case 'slow_down':
      return { outcome: 'unavailable', by, reason, retryable: failure.error === 'server_error' };
    case 'unsupported_grant_type':
      return { outcome: 'unsupported', by, reason };
    default:
      return { outcome: 'misconfigured', by, reason };
  }
}

const NAMES: Readonly<Record<Peer, string>> = { idp: 'identity provider', tool_server: 'tool server' };
