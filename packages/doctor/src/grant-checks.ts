import { GRANT_TYPE, ID_JAG_GRANT_PROFILE } from '@legate/oauth';
import { z } from 'zod';
import type { Check } from './examination.ts';
import { json, outage, unanswered } from './reports/answers.ts';
import { isHttpUrl } from './reports/probe.ts';
import { type Finding, fail, ok, shown, skipped, warn } from './reports/report.ts';
import { NO_SERVER_METADATA } from './server-checks.ts';

export const grant: Check = {
  check: 'grant',
  run({ target, facts }) {
    if (!target.usesIdJag && !target.consent) return skipped('The connector does not use a grant.');
    if (!facts.serverMetadata) return skipped(NO_SERVER_METADATA);
    if (!target.usesIdJag && target.consent) return target.consent.judge(facts.serverMetadata.metadata);
    const { grant_types_supported: grants, authorization_grant_profiles_supported: profiles } =
      facts.serverMetadata.metadata;
    const evidence = {
      grant_types_supported: (grants ?? []).map(shown),
      authorization_grant_profiles_supported: (profiles ?? []).map(shown),
    };
    const addGrant = `Redeem ID-JAGs at the token endpoint and add ${GRANT_TYPE.jwtBearer} to "grant_types_supported".`;
    if (grants && !grants.includes(GRANT_TYPE.jwtBearer))
      return fail('The authorization server does not offer the JWT bearer grant.', addGrant, evidence);
    if (!grants) return warn('The authorization server does not list its grant types.', addGrant, evidence);
    return profiles?.includes(ID_JAG_GRANT_PROFILE)
      ? ok('The authorization server redeems ID-JAGs.', evidence)
      : warn(
          'The authorization server does not declare that it redeems ID-JAGs, so strict clients do not try.',
          `Add ${ID_JAG_GRANT_PROFILE} to "authorization_grant_profiles_supported". Without it the hub requests ID-JAGs whose aud is the resource identifier, not the issuer.`,
          evidence,
        );
  },
};

export const tokenEndpoint: Check = {
  check: 'token_endpoint',
  run({ target, facts }) {
    if (!facts.serverMetadata) return skipped(NO_SERVER_METADATA);
    const { token_endpoint: endpoint, issuer: said } = facts.serverMetadata.metadata;
    const evidence = { token_endpoint: shown(endpoint), issuer: shown(said) };
    if (!isHttpUrl(endpoint))
      return fail('"token_endpoint" is not an http or https URL.', 'Correct "token_endpoint".', evidence);
    const isPlain = new URL(endpoint).protocol === 'http:';
    if (isPlain && new URL(target.mcpUrl).protocol === 'https:')
      return fail(
        '"token_endpoint" is not an https URL.',
        'Serve it over https, because clients send secrets there.',
        evidence,
      );
    if (new URL(endpoint).origin !== new URL(said).origin)
      return warn(
        '"token_endpoint" has another origin than the issuer.',
        'If this is intended, do nothing. Otherwise correct "token_endpoint".',
        evidence,
      );
    return ok(`The token endpoint is ${shown(endpoint)}.`, evidence);
  },
};

const OUR_METHODS = ['client_secret_post', 'client_secret_basic', 'private_key_jwt'];

export const clientAuthentication: Check = {
  check: 'client_authentication',
  run({ target, facts }) {
    const isPublic = !target.usesIdJag && target.isPublicClient;
    if (!target.usesIdJag && !target.consent)
      return skipped('The connector has no client at an authorization server.');
    if (!facts.serverMetadata) return skipped(NO_SERVER_METADATA);
    // the default of RFC 8414 §2
    const said = facts.serverMetadata.metadata.token_endpoint_auth_methods_supported;
    if (isPublic) return judgePublicClient(said);
    const offered = said ?? ['client_secret_basic'];
    const wanted = target.clientAuthMethods ?? OUR_METHODS;
    const evidence = { offered: offered.map(shown), hub: wanted };
    if (wanted.some((method) => offered.includes(method)))
      return ok('A hub can authenticate at the token endpoint.', evidence);
    const detail = `The token endpoint does not offer ${wanted.join(' or ')}.`;
    const usable = OUR_METHODS.find((method) => offered.includes(method));
    const remedy =
      usable === undefined
        ? `Offer ${wanted.join(' or ')} at the token endpoint.`
        : `Set the connector's token_endpoint_auth_method to "${usable}", or to null, so that the hub follows the metadata.`;
    return said ? fail(detail, remedy, evidence) : warn(detail, remedy, evidence);
  },
};

/** Accepts an absent list, because servers for public clients often omit it. */
function judgePublicClient(said: readonly string[] | undefined): Finding {
  const evidence = { offered: (said ?? []).map(shown), hub: ['none'] };
  if (!said || said.includes('none'))
    return ok('The hub is a public client there, which the token endpoint allows.', evidence);
  return warn(
    'The token endpoint does not list the method "none", and the hub has no secret there.',
    'Add "none" to "token_endpoint_auth_methods_supported", or register a client with a secret and set both on the connector.',
    evidence,
  );
}

const Jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

export const jwks: Check = {
  check: 'jwks',
  async run({ probe, facts }) {
    if (!facts.serverMetadata) return skipped(NO_SERVER_METADATA);
    const { jwks_uri: url } = facts.serverMetadata.metadata;
    if (url === undefined)
      return skipped(
        'There is no "jwks_uri". A hub does not need one, because it does not read access tokens.',
      );
    const answer = await probe(url);
    if (answer.kind === 'failed') return unanswered(answer);
    const failed = outage(answer);
    if (failed) return failed;
    const parsed = answer.status === 200 ? Jwks.safeParse(json(answer.text)) : undefined;
    if (!parsed?.success)
      return fail(
        `There is no key set at ${shown(url)}.`,
        'Publish the public keys there (RFC 7517 §5), or remove "jwks_uri".',
        { url: shown(url), status: answer.status },
      );
    const { keys } = parsed.data;
    const evidence = { url: shown(url), kty: keys.map(({ kty }) => shown(kty)) };
    // RFC 7518 §6.2.2, §6.3.2, §6.4: `d` is a private key, `oct` a secret.
    if (keys.some((key) => 'd' in key || key.kty === 'oct'))
      return fail(
        'The key set contains a private key or a shared secret.',
        'Remove it at once and replace it: anyone who has read it can sign tokens.',
        evidence,
      );
    return ok(`The key set has ${keys.length === 1 ? 'one key' : `${keys.length} keys`}.`, evidence);
  },
};
