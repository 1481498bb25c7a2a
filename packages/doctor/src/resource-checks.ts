import {
  isSameResource,
  mcpEndpointOf,
  ProtectedResourceMetadata,
  resourceMetadataUrls,
} from '@legate/oauth';
import { type Check, type Examination, endpointOf } from './examination.ts';
import { json, outage, pointerOf, probeAll, unanswered } from './reports/answers.ts';
import { type Finding, fail, ok, shown, skipped, warn } from './reports/report.ts';
import { describeDifference } from './reports/spelling.ts';

export const NOT_PUBLISHED = 'Not run, because there is no resource metadata.';
export const NO_TOKENS =
  'The connector uses its own credential, so no authorization server issues tokens for it.';

export const resourceMetadata: Check = {
  check: 'resource_metadata',
  async run({ target, probe, facts }) {
    if (!target.hasAuthorizationServer) return skipped(NO_TOKENS);
    const urls = [...new Set(target.resources.flatMap(resourceMetadataUrls))];
    const { answer, evidence } = await probeAll(urls, probe);
    if (!answer) {
      const [publishAt = ''] = resourceMetadataUrls(preferredResource({ target, facts }));
      return notFound(publishAt, pointerOf(facts.toStranger), evidence);
    }
    if (answer.kind === 'failed') return unanswered(answer);
    const failed = outage(answer);
    if (failed) return failed;
    const parsed = ProtectedResourceMetadata.safeParse(json(answer.text));
    if (answer.status !== 200 || !parsed.success)
      return fail(
        answer.status === 200
          ? `${shown(answer.url)} is not valid protected resource metadata: ${parsed.error?.issues[0]?.path.join('.') || 'not JSON'}.`
          : `${shown(answer.url)} responds with status ${answer.status}.`,
        'Respond with a JSON object with "resource", "authorization_servers" and "scopes_supported" (RFC 9728 §2).',
        evidence,
      );
    facts.resourceMetadata = { url: answer.url, metadata: parsed.data };
    return ok(`The protected resource metadata is at ${shown(answer.url)}.`, evidence);
  },
};

/**
 * Clients may follow the pointer of a 401. A hub does not, because it must know beforehand to which server it sends its
 * secrets.
 */
function notFound(publishAt: string, pointer: string | undefined, evidence: { asked: string[] }): Finding {
  const elsewhere =
    pointer === undefined ? '' : ` The 401 points to ${shown(pointer)}, which Legate does not follow.`;
  return fail(
    `There is no protected resource metadata at the well-known address (RFC 9728 §3.1).${elsewhere}`,
    `Publish it at ${shown(publishAt)}. @legate/tool-server does so; in other languages, docs/reference/tool-server-contract.md lists what a tool server must do.`,
    evidence,
  );
}

export const resourceIdentifier: Check = {
  check: 'resource_identifier',
  run({ target, facts }) {
    if (!facts.resourceMetadata) return skipped(NOT_PUBLISHED);
    const { resource } = facts.resourceMetadata.metadata;
    const [expected] = target.resources;
    const endpoint = endpointOf({ target, facts });
    const isEndpoint = mcpEndpointOf(resource) === endpoint;
    const evidence = {
      resource: shown(resource),
      expected: target.resources.map(shown),
      ...(!isEndpoint && { mcp_url: shown(endpoint) }),
    };
    const settings = `"resource_url": "${shown(resource)}"${isEndpoint ? '' : ` and "mcp_url": "${shown(endpoint)}"`}`;
    if (target.resources.includes(resource)) {
      const isAsGiven = resource === expected && facts.endpoint === undefined;
      const isAsExamined = target.scopes !== undefined || isAsGiven;
      const detail = `"resource" is ${shown(resource)}, byte for byte.`;
      return ok(isAsExamined ? detail : `${detail} A connector needs ${settings}.`, evidence);
    }
    const proposed = similar(resource, target.resources) ?? preferredResource({ target, facts });
    const difference = describeDifference(resource, proposed);
    const remedy = `Set "resource": "${shown(proposed)}" in the metadata (option "resource" of @legate/tool-server), or set the connector's ${settings}. They are compared byte for byte.`;
    return target.resources.some((one) => isSameResource({ presented: resource, configured: one }))
      ? warn(
          `"resource" is not the expected value: ${difference}. This one difference is tolerated.`,
          remedy,
          evidence,
        )
      : fail(`"resource" is not the expected value: ${difference}.`, remedy, evidence);
  },
};

/** Returns the expected value that differs only in its spelling. */
function similar(given: string, expected: readonly string[]): string | undefined {
  const normal = (url: string) => url.toLowerCase().replace(/\/+$/, '');
  return expected.find((one) => normal(one) === normal(given));
}

/** Returns the identifier to propose: the origin, if a hub finds the MCP endpoint by it. */
function preferredResource({ target, facts }: Pick<Examination, 'target' | 'facts'>): string {
  const [expected] = target.resources;
  const { origin } = new URL(expected);
  const isEnough = mcpEndpointOf(origin) === endpointOf({ target, facts });
  return isEnough && target.resources.includes(origin) ? origin : expected;
}
