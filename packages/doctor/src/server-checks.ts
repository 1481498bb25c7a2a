import {
  AuthorizationServerMetadata,
  chooseIssuer,
  isSameResource,
  isSpelledAlike,
  serverMetadataUrls,
  urlBelow,
} from '@legate/oauth';
import type { Check } from './examination.ts';
import { json, outage, probeAll, unanswered } from './reports/answers.ts';
import { isHttpUrl } from './reports/probe.ts';
import { fail, ok, shown, skipped, warn } from './reports/report.ts';
import { describeDifference } from './reports/spelling.ts';
import { NO_TOKENS, NOT_PUBLISHED } from './resource-checks.ts';

export const NO_SERVER_METADATA = 'Not run, because there is no authorization server metadata.';

export const authorizationServers: Check = {
  check: 'authorization_servers',
  run({ target, facts }) {
    if (!facts.resourceMetadata) return skipped(target.hasAuthorizationServer ? NOT_PUBLISHED : NO_TOKENS);
    const { authorization_servers: listed = [] } = facts.resourceMetadata.metadata;
    const evidence = { authorization_servers: listed.map(shown) };
    const [first] = listed;
    if (first === undefined)
      return fail(
        '"authorization_servers" is missing or empty.',
        'List the issuer of the authorization server whose tokens the tool server accepts.',
        evidence,
      );
    const unusable = listed.find((issuer) => !isHttpUrl(issuer) || /[?#]/.test(issuer));
    if (unusable !== undefined)
      return fail(
        `${shown(unusable)} is not an issuer: it must be an https URL without query and fragment (RFC 8414 §2).`,
        'Correct "authorization_servers".',
        evidence,
      );
    const [resource] = target.resources;
    const { issuer: pinned, isPublicClient } = target;
    const chosen = chooseIssuer({ resource, issuer: pinned, isPublicClient }, listed);
    const isChosen = chosen.kind === 'chosen';
    facts.issuer = isChosen ? chosen.issuer : first; // also if it was not chosen, to find more faults in one run
    if (isChosen && (pinned === undefined || listed.includes(pinned)))
      return ok(`${shown(chosen.issuer)} issues its tokens.`, evidence);
    if (isChosen && pinned !== undefined) {
      const spelling = listed.find((issuer) => isSpelledAlike(issuer, pinned)) ?? first;
      return warn(
        `${shown(pinned)} issues its tokens, but is listed as ${shown(spelling)}: ${describeDifference(spelling, pinned)}. The hub accepts this because the connector pins the issuer.`,
        `Use the spelling of the authorization server's own metadata in "authorization_servers" (RFC 8414 §3.3). Other clients refuse the difference.`,
        evidence,
      );
    }
    if (pinned !== undefined)
      return fail(
        `The connector's issuer ${shown(pinned)} is not among them: ${describeDifference(first, pinned)}.`,
        `Pin the issuer on the connector: ${shown(first)}, if you trust it.`,
        evidence,
      );
    const detail = `${shown(first)} has another origin than the tool server.`;
    const remedy = `Pin the issuer on the connector: ${shown(first)}, if you trust it. The hub sends its secret to another origin only if an administrator has pinned it.`;
    return target.scopes === undefined ? warn(detail, remedy, evidence) : fail(detail, remedy, evidence);
  },
};

export const serverMetadata: Check = {
  check: 'server_metadata',
  async run({ target, probe, facts }) {
    const { issuer } = facts;
    if (issuer === undefined) return skipped('No authorization server is known.');
    const urls = serverMetadataUrls(issuer);
    const { answer, evidence } = await probeAll(urls, probe);
    if (!answer) {
      const remedy = `Publish it at ${shown(urls[0] ?? '')} (RFC 8414 §3).`;
      return target.resources.some((resource) => isSameResource({ presented: issuer, configured: resource }))
        ? warn(
            `The authorization server publishes no metadata. A hub assumes the token endpoint ${shown(urlBelow(issuer, 'oauth/token'))}.`,
            remedy,
            evidence,
          )
        : fail('The authorization server publishes no metadata.', remedy, evidence);
    }
    if (answer.kind === 'failed') return unanswered(answer);
    const failed = outage(answer);
    if (failed) return failed;
    const parsed = AuthorizationServerMetadata.safeParse(json(answer.text));
    if (answer.status !== 200 || !parsed.success)
      return fail(
        answer.status === 200
          ? `${shown(answer.url)} is not valid authorization server metadata: ${parsed.error?.issues[0]?.path.join('.') || 'not JSON'}.`
          : `${shown(answer.url)} responds with status ${answer.status}.`,
        'Respond with a JSON object that has at least "issuer" and "token_endpoint" (RFC 8414 §2).',
        evidence,
      );
    facts.serverMetadata = { url: answer.url, metadata: parsed.data };
    return ok(`The authorization server metadata is at ${shown(answer.url)}.`, evidence);
  },
};

export const issuer: Check = {
  check: 'issuer',
  run({ target, facts }) {
    if (!facts.serverMetadata || facts.issuer === undefined) return skipped(NO_SERVER_METADATA);
    const { issuer: said } = facts.serverMetadata.metadata;
    const evidence = { issuer: shown(said), expected: shown(facts.issuer) };
    const difference = describeDifference(said, facts.issuer);
    const isPinned = target.issuer === facts.issuer;
    const source = isPinned ? 'the connector pins' : 'the tool server names';
    if (difference === undefined) return ok(`"issuer" is the one that ${source}, byte for byte.`, evidence);
    const remedy = `Use one spelling in both: "issuer" here, "authorization_servers" in the protected resource metadata (RFC 8414 §3.3).`;
    const pin = `${isPinned ? 'Set' : 'Or set'} the connector's "issuer": "${shown(said)}", if you trust it, and enter its secret again.`;
    return fail(
      `"issuer" is not the one that ${source}: ${difference}.`,
      isSpelledAlike(said, facts.issuer) ? (isPinned ? pin : `${remedy} ${pin}`) : remedy,
      evidence,
    );
  },
};
