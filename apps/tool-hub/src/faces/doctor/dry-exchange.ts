import {
  type AccessToken,
  checkAccessToken,
  checkIdJag,
  createTokenClient,
  discoverToolServer,
  expectedIdJag,
  type IdentityProvider,
  type IdJagExpectation,
  type IdJagOrganization,
  type IdJagSettings,
  presentSubject,
  redeemIdJag,
  requestIdJag,
  type TokenResponse,
  type ToolServer,
} from '@legate/delegation';
import { type Check, type Finding, fail, ok, shown, skipped } from '@legate/doctor';
import type { OrganizationRule } from '@legate/identity-providers';
import { epochSeconds } from '@legate/jwt';
import type { OpenMcpClient } from '@legate/mcp-client';
import type { Caller } from '../../domain/caller.ts';
import { type Connector, toolSessionOwner } from '../../domain/connector.ts';
import { claimsOf, legOf, type OnLeg } from './legs.ts';
import { idpRefusal, redemptionFailure, UNTRIED, unanswered, withoutSubject } from './refusals.ts';
import { judgeList } from './tools-list.ts';

const EARLIER = 'Not run, because an earlier check failed. Fix that one first.';

interface DryExchange {
  readonly identityProvider: () => Promise<IdentityProvider>;
  readonly idJagOrganization: IdJagOrganization;
  readonly organizationRule: OrganizationRule;
  /** `fetch` of the guarded client */
  readonly fetch: typeof globalThis.fetch;
  /** A client without a circuit breaker, because the doctor also examines failing peers */
  readonly mcp: OpenMcpClient;
  readonly clock: () => Date;
  /** Milliseconds for the list of tools */
  readonly timeoutMs: number;
}

/** The user, and the connector that is examined as this user */
interface Subject {
  readonly caller: Caller;
  readonly connector: Connector;
  readonly settings: IdJagSettings;
  readonly onLeg: OnLeg;
}

/** The finding of a leg, and the input of the next one; without `next`, the next one is not run */
interface Leg<Next> {
  readonly finding: Finding;
  readonly next?: Next;
  /** False: only the caller lacks something */
  readonly isTried?: boolean;
}

interface Exchanged {
  readonly body: TokenResponse;
  readonly expected: IdJagExpectation;
  readonly toolServer: ToolServer;
}

interface Assertion {
  readonly idJag: string;
  /** The scopes of the ID-JAG; undefined: nobody has named any. */
  readonly granted: readonly string[] | undefined;
  /** The scopes that the exchange requested */
  readonly asked: readonly string[];
  /** Issuer */
  readonly idp: string;
  readonly toolServer: ToolServer;
}

/**
 * Runs a delegation as this user leg by leg, and reports what `createIdJagMethod` does without reporting. Nothing is
 * stored: the tokens are used here and dropped.
 */
export function dryExchange(deps: DryExchange, subject: Subject): readonly Check[] {
  let isTried = true;
  let exchanged: Exchanged | undefined;
  let assertion: Assertion | undefined;
  let credential: AccessToken | undefined;
  const later = () => skipped(isTried ? EARLIER : UNTRIED);

  return [
    {
      check: 'token_exchange',
      async run() {
        const leg = await exchange(deps, subject);
        exchanged = leg.next;
        isTried = leg.isTried ?? true;
        return leg.finding;
      },
    },
    {
      check: 'id_jag',
      run() {
        if (!exchanged) return later();
        const leg = judgeIdJag(exchanged, epochSeconds(deps.clock()));
        assertion = leg.next;
        return leg.finding;
      },
    },
    {
      check: 'redemption',
      async run() {
        if (!assertion) return later();
        const leg = await redeem(deps, subject, assertion);
        credential = leg.next;
        return leg.finding;
      },
    },
    {
      check: 'tools_list',
      run: async () => (credential ? listTools(deps, subject, credential) : later()),
    },
  ];
}

/** Exchanges the user's ID token for an ID-JAG. */
async function exchange(
  deps: DryExchange,
  { caller, connector, settings, onLeg }: Subject,
): Promise<Leg<Exchanged>> {
  const { resource } = connector;
  const { issuer, audience } = settings;
  // Bypasses the cache, because an earlier result may be the fault.
  const discovery = await discoverToolServer({ resource, issuer, audience }, deps.fetch);
  if (discovery.kind !== 'found') return { finding: skipped(EARLIER) };
  const { toolServer } = discovery;
  const provider = await deps.identityProvider();
  if (provider.kind !== 'found') return { finding: unanswered('The identity provider', provider) };
  const wanted = connector.scopes.length > 0 ? connector.scopes : toolServer.scopesSupported;
  const evidence = {
    audience: shown(toolServer.audience),
    resource: shown(resource),
    scope: shown(wanted.join(' ')),
  };
  const asked = { audience: toolServer.audience, resource, scopes: wanted, actor: undefined };
  const answer = await presentSubject(caller, (subject) => requestIdJag(provider, subject, asked));
  if (answer.kind === 'not_presented') {
    const finding = withoutSubject(answer.refusal, evidence);
    return { finding, isTried: finding.status !== 'skipped' };
  }
  if (answer.kind === 'refused')
    return { finding: idpRefusal(answer.error, provider.explain('exchange', answer), evidence) };
  if (answer.kind !== 'answered') return { finding: unanswered('The identity provider', answer, evidence) };
  onLeg(legOf('id_jag', answer.body.access_token, { endpoint: provider.metadata.token_endpoint }));
  const expected = expectedIdJag(provider, caller, toolServer, {
    resource,
    clientId: settings.clientId,
    scopes: wanted,
    act: undefined,
    idJagOrganization: deps.idJagOrganization,
    rule: deps.organizationRule,
  });
  return {
    finding: ok('The identity provider issues an ID-JAG for this user.', evidence),
    next: { body: answer.body, expected, toolServer },
  };
}

function judgeIdJag({ body, expected, toolServer }: Exchanged, now: number): Leg<Assertion> {
  const evidence = claimsOf(body.access_token);
  const checked = checkIdJag(body, expected, now);
  if (!checked.ok)
    return {
      finding: fail(
        `The ID-JAG does not match the request: ${checked.reason}.`,
        `Configure the identity provider to issue it for audience ${shown(expected.audience)}, resource ${shown(expected.resource)}, client_id ${shown(expected.clientId)} and organization_id ${shown(expected.organization.organizationId)}.`,
        evidence,
      ),
    };
  const { idJag, scopes: granted } = checked;
  return {
    finding: ok('The ID-JAG is for this tool server, and has no more scopes than requested.', evidence),
    next: { idJag, granted, asked: expected.scopes, idp: expected.issuer, toolServer },
  };
}

/** Redeems the ID-JAG for an access token. */
async function redeem(
  deps: DryExchange,
  { connector, settings, onLeg }: Subject,
  { idJag, granted, asked, idp, toolServer }: Assertion,
): Promise<Leg<AccessToken>> {
  const { resource } = connector;
  const { issuer, tokenEndpoint, authMethods } = toolServer;
  const at = { issuer, tokenEndpoint, authMethods };
  const client = await createTokenClient({ ...settings, ...at, fetch: deps.fetch }).catch(() => undefined);
  if (!client)
    return {
      finding: fail(
        "The hub's private key for this connector cannot be used.",
        'Configure another key for the connector.',
      ),
    };
  const evidence = { token_endpoint: shown(tokenEndpoint), client_id: shown(settings.clientId) };
  const requested = granted ?? asked;
  const answer = await redeemIdJag(client, idJag, { resource, scopes: requested });
  if (answer.kind !== 'answered')
    return { finding: redemptionFailure(answer, { idp, resource, settings, toolServer }, evidence) };
  const checked = checkAccessToken(
    answer.body,
    { method: 'id-jag', resource, requested, granted },
    epochSeconds(deps.clock()),
  );
  if (!checked.ok)
    return {
      finding: fail(
        `The token response does not match the request: ${checked.reason}.`,
        'Respond with token_type Bearer, and with no more scopes than the ID-JAG has.',
        evidence,
      ),
    };
  const { accessToken, scopes, expiresAt } = checked.credential;
  onLeg(legOf('access_token', accessToken, { endpoint: tokenEndpoint, scopes, expiresAt }));
  const scope = shown(scopes.join(' '));
  return {
    finding: ok('The authorization server issues an access token for the ID-JAG.', { ...evidence, scope }),
    next: checked.credential,
  };
}

async function listTools(
  deps: DryExchange,
  { caller, connector }: Subject,
  credential: AccessToken,
): Promise<Finding> {
  // Sessions of older protocol revisions that were opened with another token must not be used with this one.
  const owner = toolSessionOwner(caller, connector, 'doctor');
  const deadline = performance.now() + deps.timeoutMs;
  const target = { url: connector.mcpUrl, credential, owner, deadline, memory: caller.memory };
  const answer = await deps.mcp(target, { method: 'tools/list', params: '{}' });
  deps.mcp.endSessions(owner);
  return judgeList(answer);
}
