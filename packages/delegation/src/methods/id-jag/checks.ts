import type { OrganizationId } from '@legate/ids';
import { type Actor, Actor as ActorSchema } from '@legate/jwt';
import { membersAtFault, shownValue, TOKEN_TYPE, withoutSecrets } from '@legate/oauth';
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { z } from 'zod';
import { beyond, scopesOf, within, withinResource } from '../../oauth-peers/token-checks.ts';
import type { TokenResponse } from '../../oauth-peers/token-request.ts';

/**
 * Seconds. Some verifiers refuse an assertion shortly before its `exp`, so one that expires sooner is not presented.
 */
const MIN_SECONDS_LEFT = 30;

/** `required`: an ID-JAG must contain the user's organization. */
export type IdJagOrganization = 'required' | 'optional';

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
  /** The user's organization here, from the configured claim */
  readonly organizationId: OrganizationId;
  /** `optional` accepts an ID-JAG without an organization. */
  readonly idJagOrganization: IdJagOrganization;
  /** The requested scopes; empty: none were requested, so any may be granted. */
  readonly scopes: readonly string[];
  /** The agent that was named in the request; undefined: none */
  readonly act: Actor | undefined;
}

export type CheckedIdJag =
  | {
      readonly ok: true;
      readonly idJag: string;
      readonly scopes: readonly string[] | undefined;
      /** The claim `scope` of the ID-JAG: no other scopes may be requested with it */
      readonly claimedScopes: readonly string[] | undefined;
      /** True if the ID-JAG contains the agent: the identity provider has accepted the actor token. */
      readonly hasActor: boolean;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Claims of the ID-JAG, unverified: the tool server checks the signature. These checks only avoid passing on a token
 * for another purpose.
 */
const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  organization_id: z.unknown().optional(),
  aud: z.union([z.string(), z.array(z.string()).length(1)]),
  client_id: z.string(),
  resource: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  scope: z.string().optional(),
  exp: z.number(),
  act: z.unknown().optional(),
});

/**
 * Checks the response of a token exchange before any of it is used.
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
  if (body.token_type !== 'n_a') return refuse('token_type is not N_A', body.token_type);
  if (!withinResource(body.resource, expected.resource))
    return refuse('resource is not the one asked for', body.resource);
  const granted = scopesOf(body.scope, expected.scopes);
  if (!within(granted, expected.scopes))
    return refuse(`scope is broader than asked, by ${beyond(granted, expected.scopes)}`);

  const decoded = decode(body.access_token);
  if (typeof decoded === 'string') return refuse(`access_token is not an ID-JAG: ${decoded}`);
  const { typ, claims } = decoded;
  if (typ !== 'oauth-id-jag+jwt') return refuse('typ is not oauth-id-jag+jwt', typ);
  if (claims.iss !== expected.issuer) return refuse('iss is not the identity provider', claims.iss);
  const [aud] = [claims.aud].flat();
  if (aud !== expected.audience && aud !== expected.resolvedAudience)
    return refuse('aud is not the audience asked for', aud);
  if (claims.client_id !== expected.clientId)
    return refuse('client_id is not our client at the tool server', claims.client_id);
  if (expected.subject !== undefined && claims.sub !== expected.subject)
    return refuse("sub is not the user's");
  // Tool servers find the user's data by this claim, and transaction tokens contain it, whichever claim of ID tokens
  // contains the organization here. Without it, a user of two organizations would be the same user in both.
  if (claims.organization_id === undefined) {
    if (expected.idJagOrganization === 'required') return refuse('organization_id is not there');
  } else if (claims.organization_id !== expected.organizationId)
    return refuse("organization_id is not the user's organization here");
  if (!withinResource(claims.resource, expected.resource))
    return refuse('resource claim is not the one asked for', claims.resource);
  const claimed = scopesOf(claims.scope, expected.scopes);
  if (!within(claimed, expected.scopes))
    return refuse(`scope claim is broader than asked, by ${beyond(claimed, expected.scopes)}`);
  // Otherwise another agent, or one that was not named, would appear in the tool server's logs for this request.
  if (claims.act !== undefined && !isSameActor(claims.act, expected.act))
    return refuse('act is not the agent that was named');
  if (claims.exp - now < MIN_SECONDS_LEFT) return refuse('it expires too soon');
  return {
    ok: true,
    idJag: body.access_token,
    scopes: claimed ?? granted,
    claimedScopes: claimed,
    hasActor: claims.act !== undefined,
  };
}

function isSameActor(claimed: unknown, named: Actor | undefined): boolean {
  const { success, data } = ActorSchema.safeParse(claimed);
  return (
    success &&
    named !== undefined &&
    data.iss === named.iss &&
    data.sub === named.sub &&
    data.sub_profile === named.sub_profile &&
    data.act === undefined
  );
}

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

/** @returns the content, or the reason why the token cannot be read */
function decode(token: string): { typ: string; claims: z.output<typeof Claims> } | string {
  let typ: unknown;
  let claims: JWTPayload;
  try {
    ({ typ } = decodeProtectedHeader(token));
    claims = decodeJwt(token);
  } catch {
    return 'it is not a JWT';
  }
  if (typeof typ !== 'string') return `its typ is ${shownValue(typ)}`;
  const parsed = Claims.safeParse(claims);
  if (!parsed.success) return `of its claims ${membersAtFault(parsed.error, claims)}`;
  // RFC 7515 §4.1.9: case is not significant and `application/` may be there.
  return { typ: typ.toLowerCase().replace(/^application\//, ''), claims: parsed.data };
}
