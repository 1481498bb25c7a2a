import { isEventStream, modernRequest } from '@legate/mcp-wire';
import { ProtectedResourceMetadata, parseBearerChallenge } from '@legate/oauth';
import { z } from 'zod';
import { type Check, type Examination, endpointOf } from './examination.ts';
import { json, outage, pointerOf, unanswered } from './reports/answers.ts';
import type { Probed } from './reports/probe.ts';
import { type Finding, fail, ok, shown, skipped, warn } from './reports/report.ts';
import { VERSION } from './version.ts';

const { headers, body } = modernRequest({
  id: 1,
  method: 'tools/list',
  params: {},
  capabilities: {},
  clientInfo: { name: 'legate-doctor', version: VERSION },
});
const HEADERS = { 'Content-Type': 'application/json', ...headers };

/** The request that the hub sends, without credentials. */
const LIST_TOOLS: RequestInit = { method: 'POST', headers: HEADERS, body: JSON.stringify(body) };

export const reachable: Check = {
  check: 'reachable',
  async run({ target, probe, facts }) {
    const { mcpUrl, otherEndpoints } = target;
    const answer = await probe(mcpUrl, LIST_TOOLS);
    facts.toStranger = answer;
    const evidence = { url: shown(mcpUrl), status: statusOf(answer) };
    if (!isMcp(answer) && mayBeElsewhere(answer)) {
      const others = await Promise.all(otherEndpoints.map((url) => probe(url, LIST_TOOLS)));
      const found = others.find(isMcp);
      if (found) {
        facts.endpoint = found.url;
        facts.toStranger = found;
        return (target.scopes === undefined ? warn : fail)(
          `There is no MCP endpoint at ${shown(mcpUrl)} (response to a POST: ${statusOf(answer)}), but there is one at ${shown(found.url)}.`,
          `Set the connector's "mcp_url": "${shown(found.url)}".`,
          { ...evidence, mcp_url: shown(found.url) },
        );
      }
    }
    if (answer.kind === 'failed') return unanswered(answer);
    return ok(`${shown(mcpUrl)} responds.`, evidence);
  },
};

const statusOf = (answer: Probed): string | number =>
  answer.kind === 'answered' ? answer.status : answer.fault;

/** Returns true for a page, a redirect, and a missing document. Other responses may come from an MCP endpoint. */
const mayBeElsewhere = (answer: Probed): boolean =>
  answer.kind === 'answered'
    ? answer.status < 300 || [404, 405, 410].includes(answer.status)
    : answer.fault === 'redirect';

const JsonRpc = z.looseObject({ jsonrpc: z.literal('2.0') });

/**
 * Returns true for a response that only an MCP endpoint gives: a request for a token, JSON-RPC, or a stream of events.
 */
function isMcp(answer: Probed): boolean {
  if (answer.kind !== 'answered') return false;
  if (answer.status === 401 && parseBearerChallenge(answer.headers.get('www-authenticate') ?? undefined))
    return true;
  if (answer.status < 300 && isEventStream(answer.headers.get('content-type'))) return true;
  return JsonRpc.safeParse(json(answer.text)).success;
}

export const challenge: Check = {
  check: 'challenge',
  async run({ target, probe, facts }) {
    const answer = facts.toStranger;
    if (answer?.kind !== 'answered') return skipped('The endpoint does not respond.');
    const { status } = answer;
    const evidence = { status, www_authenticate: shown(answer.headers.get('www-authenticate') ?? '') };
    if (status < 300)
      return fail(
        'The endpoint accepts requests without credentials.',
        'Respond with 401 to requests without a valid token.',
        evidence,
      );
    if (status === 404 || status === 405)
      return fail(
        `There is no MCP endpoint at ${shown(endpointOf({ target, facts }))}: the response to a POST is ${status}.`,
        'Correct the URL of the MCP endpoint: mcp_url of the connector, or resource_url if it has none.',
        evidence,
      );
    const failed = outage(answer);
    if (failed) return failed;
    if (!target.hasAuthorizationServer)
      return status === 401 || status === 403
        ? ok(`It refuses requests without credentials with ${status}.`, evidence)
        : warn(
            `It responds to requests without credentials with ${status}.`,
            'Respond with 401 to requests without credentials.',
            evidence,
          );
    if (status !== 401)
      return fail(
        `The response to a request without a token is ${status}, not 401.`,
        'Check the token before anything else in the request, and respond with 401 and WWW-Authenticate.',
        evidence,
      );
    if (!parseBearerChallenge(answer.headers.get('www-authenticate') ?? undefined))
      return fail(
        'The 401 has no Bearer challenge (RFC 6750 §3).',
        `Add WWW-Authenticate: Bearer resource_metadata="${shown(facts.resourceMetadata?.url ?? '…')}".`,
        evidence,
      );
    return judgePointer(pointerOf(answer), { probe, facts }, evidence);
  },
};

async function judgePointer(
  pointer: string | undefined,
  { probe, facts }: Pick<Examination, 'probe' | 'facts'>,
  evidence: { status: number; www_authenticate: string },
): Promise<Finding> {
  const found = facts.resourceMetadata?.url;
  const remedy = `Set resource_metadata in WWW-Authenticate to ${found === undefined ? 'the URL of the metadata' : shown(found)} (RFC 9728 §5.1).`;
  if (pointer === undefined)
    return warn(
      'The 401 does not say where the metadata is, and many clients look there first.',
      remedy,
      evidence,
    );
  if (pointer === found)
    return ok('It responds to requests without a token with 401, and points to its metadata.', evidence);
  const answer = await probe(pointer);
  const isThere = answer.kind === 'answered' && answer.status === 200;
  if (!isThere) return fail(`The 401 points to ${shown(pointer)}, where there is nothing.`, remedy, evidence);
  const pointed = ProtectedResourceMetadata.safeParse(json(answer.text));
  return pointed.success && pointed.data.resource === facts.resourceMetadata?.metadata.resource
    ? ok('It responds to requests without a token with 401, and points to its metadata.', evidence)
    : warn('The 401 points to metadata that differ from those at the well-known address.', remedy, evidence);
}

const STRANGE_ORIGIN = 'https://doctor.invalid';

export const origin: Check = {
  check: 'origin',
  async run({ target, probe, facts }) {
    if (facts.toStranger?.kind !== 'answered') return skipped('The endpoint does not respond.');
    const answer = await probe(endpointOf({ target, facts }), {
      ...LIST_TOOLS,
      headers: { ...HEADERS, Origin: STRANGE_ORIGIN },
    });
    if (answer.kind === 'failed') return unanswered(answer);
    const allowed = answer.headers.get('access-control-allow-origin');
    const evidence = { status: answer.status, access_control_allow_origin: shown(allowed ?? '') };
    const remedy =
      'Respond with 403 to an Origin that you do not allow, before anything else: a web page must not reach the server through its visitor (MCP, "Security Warning" of the HTTP transport).';
    if (allowed === STRANGE_ORIGIN || allowed === '*')
      return answer.status === 403
        ? warn(
            `It responds with 403 to a web page of an unknown origin, but with Access-Control-Allow-Origin: ${shown(allowed)}.`,
            'Limit the CORS middleware to the origins that you allow. If no web page is to call the endpoint, it needs none.',
            evidence,
          )
        : warn('Web pages of any origin can read its responses.', remedy, evidence);
    if (answer.status < 300)
      return fail('It accepts requests from a web page of an unknown origin.', remedy, evidence);
    return answer.status === 403
      ? ok('It refuses requests from web pages of an unknown origin.', evidence)
      : (outage(answer) ??
          warn(
            `It responds to a web page of an unknown origin with ${answer.status}, like to any other client.`,
            remedy,
            evidence,
          ));
  },
};
