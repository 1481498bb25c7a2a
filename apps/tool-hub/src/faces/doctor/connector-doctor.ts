import {
  type ConnectorClientAuth,
  type ConsentClientOf,
  consentSettingsOf,
  type DelegationMethod,
  isRenewable,
  methodFacts,
  type TokenExchangeSettings,
  whereToConsent,
} from '@legate/delegation';
import {
  type Check,
  examine,
  type Finding,
  fail,
  ok,
  otherEndpointsOf,
  type Report,
  shown,
  skipped,
  type Target,
} from '@legate/doctor';
import { Problem } from '@legate/service';
import type { ListOf } from '../../calls/list-pages.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import { judgeCodeGrant } from './code-grant.ts';
import { dryExchange } from './dry-exchange.ts';
import { exchangeCheck } from './exchange-check.ts';
import { legOf, type OnLeg } from './legs.ts';
import { UNTRIED } from './refusals.ts';

/**
 * Examines a connector as its user would use it.
 * @param onLeg called with the tokens of the delegation that is tried
 */
export type ConnectorDoctor = (caller: Caller, connector: Connector, onLeg?: OnLeg) => Promise<Report>;

export function createConnectorDoctor(
  deps: Parameters<typeof dryExchange>[0] & {
    readonly listOf: ListOf;
    readonly clientOf: ConsentClientOf;
    /** False: connectors with `id-jag` are examined by their other methods. */
    readonly issuesIdJags: boolean;
    readonly exchange: DelegationMethod<TokenExchangeSettings>;
  },
): ConnectorDoctor {
  return (caller, connector, onLeg = () => undefined) => {
    onLeg(legOf('id_token', caller.subjectToken, { endpoint: undefined }));
    const idJag = deps.issuesIdJags ? connector.methods.find((one) => one.method === 'id-jag') : undefined;
    const settings = connector.methods.find((one) => one.method === 'token-exchange');
    const inside = idJag
      ? dryExchange(deps, { caller, connector, settings: idJag, onLeg })
      : withoutIdJag(
          deps,
          { caller, connector },
          settings
            ? exchangeCheck(deps.exchange, { caller, connector, settings, onLeg })
            : { check: 'token_exchange', run: () => withoutExchange(connector) },
        );
    return examine(targetOf(connector, deps.clientOf), deps, inside);
  };
}

function targetOf(connector: Connector, clientOf: ConsentClientOf): Target {
  const { resource, mcpUrl, methods, scopes } = connector;
  const consentSettings = consentSettingsOf(connector);
  const consent = consentSettings && whereToConsent(resource, clientOf(connector, consentSettings));
  const client = methods.find((one) => 'clientAuth' in one);
  return {
    mcpUrl,
    otherEndpoints: otherEndpointsOf(mcpUrl, resource),
    resources: [resource],
    issuer: client?.issuer,
    isPublicClient: client !== undefined && client.clientAuth === undefined,
    scopes,
    clientAuthMethods: client?.clientAuth && methodsOf(client.clientAuth.method),
    // With `token-exchange` the identity provider is the authorization server; its own check says whether it is listed.
    hasAuthorizationServer: methods.some(
      ({ method }) => isRenewable(method) && !methodFacts(method).exchangesAccessTokens,
    ),
    usesIdJag: methods.some(({ method }) => method === 'id-jag'),
    consent: consent && { judge: (metadata) => judgeCodeGrant(consent.clientDocument, metadata) },
  };
}

/** The methods among which the tool server's metadata decides */
const methodsOf = (method: ConnectorClientAuth['method']): readonly string[] =>
  method === 'client_secret' ? ['client_secret_post', 'client_secret_basic'] : [method];

const NO_EXCHANGE = 'The connector does not use ID-JAGs.';
const NO_ID_JAGS = 'The identity provider issues no ID-JAGs (IDP_KIND)';

/** Says why nothing is exchanged at a connector without `token-exchange`. */
function withoutExchange({ methods }: Connector): Finding {
  const [first, ...fallbacks] = methods;
  if (first.method !== 'id-jag') return skipped(NO_EXCHANGE);
  return fallbacks.length > 0
    ? skipped(`${NO_ID_JAGS}, so a fallback of the connector is used.`)
    : fail(
        `${NO_ID_JAGS}, and the connector has no other method.`,
        'Give the connector another method: token-exchange, if the tool server takes tokens of the identity provider, or oauth-pkce.',
      );
}

/**
 * Examines a connector without ID-JAGs: the list of tools shows whether it works.
 * @param exchange the check of the exchange
 */
function withoutIdJag(
  { listOf, timeoutMs }: { listOf: ListOf; timeoutMs: number },
  { caller, connector }: { caller: Caller; connector: Connector },
  exchange: Check,
): readonly Check[] {
  const none = () => skipped(NO_EXCHANGE);
  const isExchanged = connector.methods.some(({ method }) => method === 'token-exchange');
  let lacksSession = false;
  const exchangeToken: Check = {
    check: exchange.check,
    async run(examination) {
      const finding = await exchange.run(examination);
      lacksSession = isExchanged && finding.status === 'skipped';
      return finding;
    },
  };
  async function listTools(): Promise<Finding> {
    try {
      const { items } = await listOf(caller, connector, 'tools', { deadline: performance.now() + timeoutMs });
      return ok('The tool server lists its tools.', { tools: items.length });
    } catch (err) {
      if (!(err instanceof Problem)) throw err;
      if (lacksSession && err.code === 'sign_in_required') return skipped(UNTRIED);
      return fail(
        shown(err.detail ?? err.title),
        'Do what this message says. A tool call fails with the same message.',
        {
          code: err.code,
        },
      );
    }
  }
  return [
    exchangeToken,
    { check: 'id_jag', run: none },
    { check: 'redemption', run: none },
    { check: 'tools_list', run: listTools },
  ];
}
