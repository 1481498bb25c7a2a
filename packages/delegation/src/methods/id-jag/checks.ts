import { shownValue, TOKEN_TYPE, withoutSecrets } from '@legate/oauth';
import { beyond, scopesOf, within, withinResource } from '../../oauth-peers/token-checks.ts';
import type { TokenResponse } from '../../oauth-peers/token-request.ts';
import { actorOf, type CheckedActor, type ExpectedActor } from './actor-check.ts';
import { readIdJag } from './claims.ts';
import { type ExpectedOrganization, organizationFault } from './organization-check.ts';

/**
 * Seconds. Some verifiers refuse an assertion shortly before its `exp`, so one that expires sooner is not presented.
 */
const MIN_SECONDS_LEFT = 30;

/** An ID-JAG is no access token, but some providers call it one; `issued_token_type` and `typ` tell what it is. */
const TOKEN_TYPES = ['n_a', 'bearer'];

/** The request of the exchange. */
export interface IdJagExpectation {
  /** Issuer of the identity provider */
  readonly issuer: string;
  readonly audience: string;
  /** Another accepted `aud`: the provider resolves an alias that a connector uses as audience (draft §4.3). */
  readonly resolvedAudience: string;
  readonly resource: string;
  readonly clientId: string;
  /** The expected user; undefined if the provider may use another `sub` for the tool server (`publicSubject`). */
  readonly subject: string | undefined;
  readonly organization: ExpectedOrganization;
  /** The requested scopes; empty: none were requested, so any may be granted. */
  readonly scopes: readonly string[];
  readonly actor: ExpectedActor;
}

export type CheckedIdJag =
  | {
      readonly ok: true;
      readonly idJag: string;
      /** The scopes of the claim or of the response; undefined: neither names any. */
      readonly scopes: readonly string[] | undefined;
      readonly actor: Exclude<CheckedActor, 'another'>;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Checks the response of a token exchange before any of it is used. Providers omit members that are known otherwise;
 * what contradicts the request is refused.
 * @param now epoch seconds
 * @see draft-ietf-oauth-identity-assertion-authz-grant §3.1, §4.3.4
 */
export function checkIdJag(body: TokenResponse, expected: IdJagExpectation, now: number): CheckedIdJag {
  const refuse = (detail: string, ...found: unknown[]): CheckedIdJag => ({
    ok: false,
    reason: withoutSecrets(
      `token exchange: ${detail}${found.map((value) => `, but ${shownValue(value)}`).join('')}`,
      [body.access_token],
    ),
  });
  if (body.issued_token_type !== TOKEN_TYPE.idJag)
    return refuse('issued_token_type is not id-jag', body.issued_token_type);
  if (!TOKEN_TYPES.includes(body.token_type))
    return refuse('token_type is neither N_A nor Bearer', body.token_type);

  const read = readIdJag(body.access_token);
  if (typeof read === 'string') return refuse(`access_token is not an ID-JAG: ${read}`);
  const { typ, claims } = read;
  if (typ !== 'oauth-id-jag+jwt') return refuse('typ is not oauth-id-jag+jwt', typ);
  if (claims.iss !== expected.issuer) return refuse('iss is not the identity provider', claims.iss);
  const [aud] = [claims.aud].flat();
  if (aud !== expected.audience && aud !== expected.resolvedAudience)
    return refuse('aud is not the audience asked for', aud);
  if (claims.client_id !== expected.clientId)
    return refuse('client_id is not our client at the tool server', claims.client_id);
  if (expected.subject !== undefined && claims.sub !== expected.subject)
    return refuse("sub is not the user's");
  const fault = organizationFault(claims, expected.organization);
  if (fault) return refuse(fault);

  if (!isTheResource(body.resource, expected.resource))
    return refuse('resource is not the one asked for', body.resource);
  if (!isTheResource(claims.resource, expected.resource))
    return refuse('resource claim is not the one asked for', claims.resource);
  const answered = listed(scopesOf(body.scope, expected.scopes));
  if (!within(answered, expected.scopes))
    return refuse(`scope is broader than asked, by ${beyond(answered, expected.scopes)}`);
  const claimed = listed(scopesOf(claims.scope, expected.scopes));
  if (!within(claimed, expected.scopes))
    return refuse(`scope claim is broader than asked, by ${beyond(claimed, expected.scopes)}`);
  if (claimed && answered && !isSameSet(claimed, answered))
    return refuse('scope claim and scope of the response differ');

  const actor = actorOf(claims.act, expected.actor);
  if (actor === 'another') return refuse('act is neither the agent that was named nor our client');
  // Bound to a key that we do not have: we never ask for it (RFC 7800 §3).
  if (claims.cnf !== undefined) return refuse('cnf binds it to a key');
  if (claims.exp - now < MIN_SECONDS_LEFT) return refuse('it expires too soon');
  return { ok: true, idJag: body.access_token, scopes: claimed ?? answered, actor };
}

/** One resource was asked for, so a part of that without duplicates is exactly this one. Absence is allowed. */
const isTheResource = (given: string | string[] | undefined, asked: string): boolean =>
  given === undefined || ([given].flat().length === 1 && withinResource(given, asked));

/** A scope has at least one token (RFC 6749 §3.3), so an empty one counts as absent. */
const listed = (scopes: string[] | undefined): string[] | undefined => (scopes?.length ? scopes : undefined);

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  new Set([...one, ...other]).size === new Set(one).size && new Set(one).size === new Set(other).size;

/**
 * Returns the expected `sub` of an ID-JAG, which is that of an ID token for the tool server's client (draft §3.1). If
 * the provider has only public subjects, it is the same for every client; pairwise subjects cannot be compared.
 * @param subjectTypes `subject_types_supported` of its metadata
 * @see OpenID Connect Core §8
 */
export const publicSubject = (
  subjectTypes: readonly string[] | undefined,
  subject: string,
): string | undefined =>
  subjectTypes?.length && subjectTypes.every((type) => type === 'public') ? subject : undefined;
