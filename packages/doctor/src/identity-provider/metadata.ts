import { findKind, proposeKind } from '@legate/identity-providers';
import { membersAtFault, openIdConfigurationUrl, shown, wellKnownUrl } from '@legate/oauth';
import { json, outage, unanswered } from '../reports/answers.ts';
import { isHttpUrl, type Probe } from '../reports/probe.ts';
import { type Evidence, type Finding, fail, ok } from '../reports/report.ts';
import { describeDifference } from '../reports/spelling.ts';
import type { Leg } from './examination.ts';
import { ProviderMetadata } from './provider-metadata.ts';

export const metadata: Leg = {
  check: 'metadata',
  async run({ target, facts, probe }) {
    const url = openIdConfigurationUrl(target.issuer);
    const answer = await probe(url, { headers: { Accept: 'application/json' } });
    if (answer.kind === 'failed') return unanswered(answer);
    const failed = outage(answer);
    if (failed) return failed;
    const document = answer.status === 200 ? json(answer.text) : undefined;
    if (typeof document !== 'object' || document === null)
      return noDocument(url, answer.status, target, probe);
    const parsed = ProviderMetadata.safeParse(document);
    if (!parsed.success)
      return fail(
        `${shown(url)} is not the metadata of a provider: ${membersAtFault(parsed.error, document)}.`,
        'Correct the metadata at the provider (OpenID Connect Discovery §3).',
        { document: shown(url) },
      );
    facts.metadata = parsed.data;
    const {
      issuer,
      token_endpoint: token,
      jwks_uri: jwks,
      authorization_endpoint: authorization,
    } = parsed.data;
    const proposed = proposeKind(parsed.data);
    facts.kind = target.kind ?? proposed ?? 'generic';
    const evidence: Evidence = {
      document: shown(url),
      issuer: shown(issuer),
      ...(authorization !== undefined && { authorization_endpoint: shown(authorization) }),
      token_endpoint: shown(token),
      ...(jwks !== undefined && { jwks_uri: shown(jwks) }),
      proposed_kind: proposed ?? 'none: it looks like no kind that Legate knows',
    };
    const difference = describeDifference(issuer, target.issuer);
    if (difference !== undefined)
      return fail(
        `"issuer" is ${shown(issuer)}, and not ${shown(target.issuer)}: ${difference}.`,
        `If that is your provider, use its spelling everywhere, as issuers are compared to the letter: legate doctor idp ${shown(issuer)}`,
        evidence,
      );
    const plain = [token, jwks ?? token].find((each) => !isSafe(each, issuer));
    if (plain !== undefined)
      return fail(
        `${shown(plain)} is not an https URL.`,
        'Serve every endpoint over https, because secrets and tokens are sent there.',
        evidence,
      );
    facts.isIssuerEqual = true;
    return ok(
      `${shown(url)} names the issuer to the letter. ${kindText(facts.kind, target.kind, proposed)}`,
      evidence,
    );
  },
};

type Kind = Parameters<typeof findKind>[0];

function kindText(used: Kind, given: Kind | undefined, proposed: Kind | undefined): string {
  const { title } = findKind(used);
  if (given === undefined)
    return proposed === undefined
      ? 'Its kind is not known: generic.'
      : `It looks like ${title}: kind ${used}.`;
  return proposed === undefined || proposed === given
    ? `Its kind is ${used}, as given.`
    : `Its kind is ${used}, as given, although it looks like ${findKind(proposed).title} (${proposed}).`;
}

/** Returns false for an endpoint over http, unless the provider itself is, as in development. */
const isSafe = (url: string, issuer: string): boolean =>
  isHttpUrl(url) && (url.startsWith('https:') || issuer.startsWith('http:'));

/** Looks whether the document is at the address of RFC 8414, where the hub does not look for it. */
async function noDocument(
  url: string,
  status: number,
  { issuer }: { issuer: string },
  probe: Probe,
): Promise<Finding> {
  const other = wellKnownUrl(issuer, 'oauth-authorization-server');
  const answer = await probe(other);
  const isThere =
    answer.kind === 'answered' && answer.status === 200 && typeof json(answer.text) === 'object';
  const seen = status === 200 ? 'is not a JSON object' : `responds with status ${status}`;
  return fail(
    `${shown(url)} ${seen}.`,
    isThere
      ? `There is one at ${shown(other)}, but Legate reads the OpenID one. Publish it there too.`
      : 'Check the issuer: it is the value of "iss" in the tokens of the provider, often with a path.',
    { asked: [shown(url), shown(other)] },
  );
}
