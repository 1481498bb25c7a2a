import {
  type AccessToken,
  checkAccessToken,
  checkIdJag,
  createTokenClient,
  discoverToolServer,
  type IdentityProvider,
  type IdJagExpectation,
  type IdJagOrganization,
  type IdJagSettings,
  type PeerFailure,
  publicSubject,
  requestToken,
  type TokenResponse,
  type ToolServer,
} from '@legate/delegation';
import { epochSeconds } from '@legate/jwt';
import type { McpClient } from '@legate/mcp-client';
import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import type { Check } from './examination.ts';
import { idpRefusal, serverRefusal } from './refusals.ts';
import { type Evidence, type Finding, fail, ok, shown, skipped } from './report.ts';
import { judgeList } from './tools-list.ts';

const EARLIER = 'It is not reached: repair what is above first.';

/**
 * A delegation as this user, leg by leg, that reports what `createIdJagMethod` does silently. Nothing is stored: the
 * tokens are used here and dropped.
 * @param deps.mcp without breaker, because the doctor examines broken peers
 */
export function dryExchange(
  deps: {
    identityProvider: () => Promise<IdentityProvider>;
    idJagOrganization: IdJagOrganization;
    /** The guarded client's */
    fetch: typeof globalThis.fetch;
    mcp: McpClient;
    clock: () => Date;
    /** Milliseconds for the list of tools */
    timeoutMs: number;
  },
  { caller, connector, settings }: { caller: Caller; connector: Connector; settings: IdJagSettings },
): readonly Check[] {
  const { resource } = connector;
  const now = () => epochSeconds(deps.clock());
  let exchanged: { body: TokenResponse; expected: IdJagExpectation; toolServer: ToolServer } | undefined;
  let assertion:
    | { idJag: string; granted: readonly string[]; idp: string; toolServer: ToolServer }
    | undefined;
  let credential: AccessToken | undefined;

  async function exchange(): Promise<Finding> {
    const { issuer, audience } = settings;
    // Without the cache: an earlier result may be what is wrong.
    const discovery = await discoverToolServer({ resource, issuer, audience }, deps.fetch);
    if (discovery.kind !== 'found') return skipped(EARLIER);
    const { toolServer } = discovery;
    const provider = await deps.identityProvider();
    if (provider.kind !== 'found') return unanswered('The identity provider', provider);
    const { issuer: idp, subject_types_supported: subjectTypes } = provider.client.serverMetadata();
    const wanted = connector.scopes.length > 0 ? connector.scopes : toolServer.scopesSupported;
    const evidence = {
      audience: shown(toolServer.audience),
      resource: shown(resource),
      scope: shown(wanted.join(' ')),
    };
    const answer = await requestToken(provider.client, GRANT_TYPE.tokenExchange, {
      subject_token: caller.subjectToken,
      subject_token_type: TOKEN_TYPE.idToken,
      requested_token_type: TOKEN_TYPE.idJag,
      audience: toolServer.audience,
      resource,
      ...(wanted.length > 0 && { scope: wanted.join(' ') }),
    });
    if (answer.kind === 'refused') return idpRefusal(answer.error, evidence);
    if (answer.kind !== 'answered') return unanswered('The identity provider', answer, evidence);
    const { clientId } = settings;
    const expected = {
      issuer: idp,
      subject: publicSubject(subjectTypes, caller.userId),
      organizationId: caller.organizationId,
      idJagOrganization: deps.idJagOrganization,
      audience: toolServer.audience,
      resolvedAudience: toolServer.issuer,
      resource,
      clientId,
      scopes: wanted,
    };
    exchanged = { body: answer.body, expected, toolServer };
    return ok('The identity provider issues an ID-JAG for this user.', evidence);
  }

  function judgeIdJag(): Finding {
    if (!exchanged) return skipped(EARLIER);
    const { body, expected, toolServer } = exchanged;
    const evidence = claimsOf(body.access_token);
    const checked = checkIdJag(body, expected, now());
    if (!checked.ok)
      return fail(
        `The ID-JAG is not what was asked for: ${checked.reason}.`,
        `Let the identity provider issue it for audience ${shown(expected.audience)}, resource ${shown(resource)}, client_id ${shown(expected.clientId)} and organization_id ${shown(expected.organizationId)}.`,
        evidence,
      );
    const granted = checked.scopes?.length ? checked.scopes : expected.scopes;
    assertion = { idJag: checked.idJag, granted, idp: expected.issuer, toolServer };
    return ok('The ID-JAG is for this tool server, and for no more than was asked.', evidence);
  }

  async function redeem(): Promise<Finding> {
    if (!assertion) return skipped(EARLIER);
    const { idJag, granted, idp, toolServer } = assertion;
    const { issuer, tokenEndpoint } = toolServer;
    const client = await createTokenClient({ ...settings, issuer, tokenEndpoint, fetch: deps.fetch }).catch(
      () => undefined,
    );
    if (!client)
      return fail(
        "The hub's private key for this connector cannot be used.",
        'Configure another key for the connector.',
      );
    const evidence = { token_endpoint: shown(tokenEndpoint), client_id: shown(settings.clientId) };
    const answer = await requestToken(client, GRANT_TYPE.jwtBearer, { assertion: idJag });
    if (answer.kind === 'refused') return serverRefusal(answer.error, { idp, settings }, evidence);
    if (answer.kind !== 'answered') return unanswered('The authorization server', answer, evidence);
    const checked = checkAccessToken(answer.body, { method: 'id-jag', resource, granted }, now());
    if (!checked.ok)
      return fail(
        `The access token is not what was asked for: ${checked.reason}.`,
        'Answer with token_type Bearer, and with no more scopes than the ID-JAG has.',
        evidence,
      );
    credential = checked.credential;
    return ok('The authorization server issues an access token for it.', {
      ...evidence,
      scope: shown(credential.scopes.join(' ')),
    });
  }

  async function listTools(): Promise<Finding> {
    if (!credential) return skipped(EARLIER);
    // Sessions of old revisions that were opened with another token are not for this one.
    const owner = JSON.stringify(['doctor', caller.organizationId, connector.id, caller.userId]);
    const deadline = performance.now() + deps.timeoutMs;
    const target = { url: connector.mcpUrl, credential, owner, deadline, memory: caller.memory };
    return judgeList(await deps.mcp(target, { method: 'tools/list', params: {} }));
  }

  return [
    { check: 'token_exchange', run: exchange },
    { check: 'id_jag', run: judgeIdJag },
    { check: 'redemption', run: redeem },
    { check: 'tools_list', run: listTools },
  ];
}

function unanswered(who: string, failure: PeerFailure, evidence?: Evidence): Finding {
  const reason = failure.kind === 'refused' ? failure.error : failure.reason;
  return fail(
    `${who} cannot be used: ${reason}.`,
    'Check that it runs, and that the hub may reach it.',
    evidence,
  );
}

/** Only these claims of the ID-JAG may be shown; nothing has verified them. */
function claimsOf(jwt: string): Evidence {
  try {
    const { typ } = decodeProtectedHeader(jwt);
    const { aud, resource, scope, exp } = decodeJwt(jwt);
    return {
      typ: shown(String(typ)),
      aud: shown([aud].flat().join(' ')),
      resource: shown([resource].flat().join(' ')),
      scope: shown(typeof scope === 'string' ? scope : ''),
      ...(typeof exp === 'number' && { exp }),
    };
  } catch {
    return {};
  }
}
