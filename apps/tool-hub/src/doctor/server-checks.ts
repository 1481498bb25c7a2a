import { AuthorizationServerMetadata, GRANT_TYPE, ID_JAG_GRANT_PROFILE } from '@legate/oauth';
import { z } from 'zod';
import { serverMetadataUrls } from '../discovery/authorization-server.ts';
import { chooseIssuer } from '../discovery/discover-tool-server.ts';
import { isSameResource } from '../discovery/protected-resource.ts';
import type { Check } from './examination.ts';
import { isHttpUrl } from './probe.ts';
import { fail, ok, shown, skipped, warn } from './report.ts';
import { json, NO_TOKENS, NOT_PUBLISHED, statusOf, unanswered } from './resource-checks.ts';
import { describeDifference } from './spelling.ts';

const NO_SERVER_METADATA = 'There is no metadata of an authorization server to look at.';

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
        'Name the issuer of the authorization server whose tokens the tool server accepts.',
        evidence,
      );
    const unusable = listed.find((issuer) => !isHttpUrl(issuer) || /[?#]/.test(issuer));
    if (unusable !== undefined)
      return fail(
        `${shown(unusable)} is no issuer: it must be an https URL without query and fragment (RFC 8414 §2).`,
        'Correct "authorization_servers".',
        evidence,
      );
    const [resource] = target.resources;
    const chosen = chooseIssuer({ resource, issuer: target.issuer }, listed);
    facts.issuer = chosen ?? first; // looked at in any case, so that more is found at once
    if (chosen !== undefined) return ok(`Its tokens come from ${shown(chosen)}.`, evidence);
    if (target.issuer !== undefined) {
      const nearest = listed.find((issuer) => isAlike(issuer, target.issuer ?? '')) ?? first;
      return fail(
        `The connector's issuer ${shown(target.issuer)} is not among them: ${describeDifference(nearest, target.issuer)}.`,
        `Set the connector's issuer to ${shown(nearest)}, if it is the one that you trust.`,
        evidence,
      );
    }
    const detail = `${shown(first)} is at another origin than the tool server.`;
    const remedy = `Set the connector's issuer to ${shown(first)}: a secret is sent to another origin only where an administrator has said so.`;
    return target.scopes === undefined ? warn(detail, remedy, evidence) : fail(detail, remedy, evidence);
  },
};

const isAlike = (one: string, other: string): boolean =>
  one.replace(/\/+$/, '').toLowerCase() === other.replace(/\/+$/, '').toLowerCase();

export const serverMetadata: Check = {
  check: 'server_metadata',
  async run({ target, probe, facts }) {
    const { issuer } = facts;
    if (issuer === undefined) return skipped('No authorization server is known.');
    const urls = serverMetadataUrls(issuer);
    const answers = await Promise.all(urls.map((url) => probe(url)));
    const evidence = { asked: answers.map((answer) => `${shown(answer.url)}: ${statusOf(answer)}`) };
    const answer = answers.find((one) => one.kind === 'failed' || one.status === 200 || one.status >= 500);
    if (!answer) {
      const remedy = `Publish it at ${shown(urls[0] ?? '')} (RFC 8414 §3).`;
      return target.resources.some((resource) => isSameResource(issuer, resource))
        ? warn(`There is none; a hub assumes ${shown(issuer)}/oauth/token.`, remedy, evidence)
        : fail('The authorization server publishes no metadata.', remedy, evidence);
    }
    if (answer.kind === 'failed') return unanswered(answer);
    const parsed = AuthorizationServerMetadata.safeParse(json(answer.text));
    if (answer.status !== 200 || !parsed.success)
      return fail(
        answer.status === 200
          ? `${shown(answer.url)} is no authorization server metadata: ${parsed.error?.issues[0]?.path.join('.') || 'not JSON'}.`
          : `${shown(answer.url)} answers with status ${answer.status}.`,
        'Answer with a JSON object with "issuer" and "token_endpoint" at least (RFC 8414 §2).',
        evidence,
      );
    facts.serverMetadata = { url: answer.url, metadata: parsed.data };
    return ok(`The metadata of its authorization server is at ${shown(answer.url)}.`, evidence);
  },
};

export const issuer: Check = {
  check: 'issuer',
  run({ facts }) {
    if (!facts.serverMetadata || facts.issuer === undefined) return skipped(NO_SERVER_METADATA);
    const { issuer: said } = facts.serverMetadata.metadata;
    const evidence = { issuer: shown(said), expected: shown(facts.issuer) };
    const difference = describeDifference(said, facts.issuer);
    return difference === undefined
      ? ok('"issuer" is the one that the tool server names, byte for byte.', evidence)
      : fail(
          `"issuer" is not the one that the tool server names: ${difference}.`,
          `Use one spelling in both: "issuer" here, "authorization_servers" in the protected resource metadata (RFC 8414 §3.3).`,
          evidence,
        );
  },
};

export const grant: Check = {
  check: 'grant',
  run({ target, facts }) {
    if (!target.usesIdJag) return skipped('The connector does not use ID-JAGs.');
    if (!facts.serverMetadata) return skipped(NO_SERVER_METADATA);
    const { grant_types_supported: grants, authorization_grant_profiles_supported: profiles } =
      facts.serverMetadata.metadata;
    const evidence = {
      grant_types_supported: (grants ?? []).map(shown),
      authorization_grant_profiles_supported: (profiles ?? []).map(shown),
    };
    const addGrant = `Redeem ID-JAGs at the token endpoint and add ${GRANT_TYPE.jwtBearer} to "grant_types_supported".`;
    if (grants && !grants.includes(GRANT_TYPE.jwtBearer))
      return fail('The authorization server does not offer the JWT bearer grant.', addGrant, evidence);
    if (!grants)
      return warn('The authorization server does not say which grants it has.', addGrant, evidence);
    return profiles?.includes(ID_JAG_GRANT_PROFILE)
      ? ok('The authorization server redeems ID-JAGs.', evidence)
      : warn(
          'The authorization server does not say that it redeems ID-JAGs; strict clients then do not try.',
          `Add ${ID_JAG_GRANT_PROFILE} to "authorization_grant_profiles_supported". Without it the hub asks for ID-JAGs whose aud is the resource identifier, not the issuer.`,
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
      return fail('"token_endpoint" is no http URL.', 'Correct "token_endpoint".', evidence);
    const isPlain = new URL(endpoint).protocol === 'http:';
    if (isPlain && new URL(target.mcpUrl).protocol === 'https:')
      return fail(
        '"token_endpoint" is not an https URL.',
        'Serve it over https: secrets go there.',
        evidence,
      );
    if (new URL(endpoint).origin !== new URL(said).origin)
      return warn(
        '"token_endpoint" is at another origin than the issuer.',
        'If that is meant, nothing needs to be done; else correct "token_endpoint".',
        evidence,
      );
    return ok(`The token endpoint is ${shown(endpoint)}.`, evidence);
  },
};

const OUR_METHODS = ['client_secret_post', 'client_secret_basic', 'private_key_jwt'];

export const clientAuthentication: Check = {
  check: 'client_authentication',
  run({ target, facts }) {
    if (!target.usesIdJag) return skipped('The connector does not use ID-JAGs.');
    if (!facts.serverMetadata) return skipped(NO_SERVER_METADATA);
    // RFC 8414 §2: what is meant when it is left out
    const said = facts.serverMetadata.metadata.token_endpoint_auth_methods_supported;
    const offered = said ?? ['client_secret_basic'];
    const wanted = target.clientAuthMethod === undefined ? OUR_METHODS : [target.clientAuthMethod];
    const evidence = { offered: offered.map(shown), hub: wanted };
    if (wanted.some((method) => offered.includes(method)))
      return ok('A hub can prove itself at the token endpoint.', evidence);
    const detail = `The token endpoint does not offer ${wanted.join(' or ')}.`;
    const remedy = `Offer ${wanted[0]}, or set the connector's token_endpoint_auth_method to one of those offered.`;
    return said ? fail(detail, remedy, evidence) : warn(detail, remedy, evidence);
  },
};

const Jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

export const jwks: Check = {
  check: 'jwks',
  async run({ probe, facts }) {
    if (!facts.serverMetadata) return skipped(NO_SERVER_METADATA);
    const { jwks_uri: url } = facts.serverMetadata.metadata;
    if (url === undefined) return skipped('There is no "jwks_uri": to a hub, access tokens are opaque.');
    const answer = await probe(url);
    if (answer.kind === 'failed') return unanswered(answer);
    const parsed = answer.status === 200 ? Jwks.safeParse(json(answer.text)) : undefined;
    if (!parsed?.success)
      return fail(
        `There is no key set at ${shown(url)}.`,
        'Publish the public keys there (RFC 7517 §5), or leave "jwks_uri" out.',
        { url: shown(url), status: answer.status },
      );
    const { keys } = parsed.data;
    const evidence = { url: shown(url), kty: keys.map(({ kty }) => shown(kty)) };
    // RFC 7518 §6.2.2, §6.3.2, §6.4: `d` is a private key, `oct` a secret.
    if (keys.some((key) => 'd' in key || key.kty === 'oct'))
      return fail(
        'The key set holds a private key or a shared secret.',
        'Take it away at once and replace it: whoever has read it can sign tokens.',
        evidence,
      );
    return ok(`The key set has ${keys.length === 1 ? 'one key' : `${keys.length} keys`}.`, evidence);
  },
};
