import { Actor } from '@legate/jwt';
import { shown, shownIdentifier, shownValue, TOKEN_TYPE, withoutSecrets } from '@legate/oauth';
import { decodeJwt, type JWTPayload } from 'jose';
import type { AccessToken, DelegationFacts } from '../../domain/delegation.ts';
import { beyond, isBearerToken, scopesOf, within } from '../../oauth-peers/token-checks.ts';
import type { TokenResponse } from '../../oauth-peers/token-request.ts';
import { tokenExchange } from './facts.ts';

export interface ExpectedToken {
  readonly audience: string;
  /** What `aud` must contain */
  readonly tokenAudience: string;
  /** The connector's resource */
  readonly resource: string;
  readonly userId: string;
  /** The claim of access tokens that names the user */
  readonly userClaim: string;
  /** Our client at the identity provider, the only actor that may be in the token */
  readonly clientId: string;
  /** The requested scopes; empty: any may be granted. */
  readonly scopes: readonly string[];
}

export type CheckedToken =
  | {
      readonly ok: true;
      readonly credential: AccessToken;
      readonly audienceScoped: NonNullable<DelegationFacts['audienceScoped']>;
      /** True if the token names our client in `act` */
      readonly hasActor: boolean;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Set if the connector's `token_audience` is at fault */
      readonly why?: 'token_audience' | undefined;
    };

/** Scopes that some providers add to every token: they widen what a token says of its user, and open nothing. */
const ABOUT_THE_USER = ['email', 'profile'];

/**
 * Checks the response of an exchange before anything of it is stored. The claims are not verified: the tool server does
 * that, and the token came from the provider itself. These checks only avoid passing on a token of another user, or for
 * another service.
 * @param now epoch seconds
 */
export function checkExchangedToken(body: TokenResponse, expected: ExpectedToken, now: number): CheckedToken {
  const { access_token: token } = body;
  const refuse = (detail: string, why?: 'token_audience'): CheckedToken => ({
    ok: false,
    why,
    reason: withoutSecrets(`identity provider: exchanged token: ${detail}`, [token]),
  });
  if (body.token_type.toLowerCase() !== 'bearer')
    return refuse(`token_type is not Bearer, but ${shownValue(body.token_type)}`);
  // Absent in the answer of a grant other than that of RFC 8693
  if (body.issued_token_type !== undefined && body.issued_token_type !== TOKEN_TYPE.accessToken)
    return refuse(`issued_token_type is not access_token, but ${shownValue(body.issued_token_type)}`);
  if (!isBearerToken(token)) return refuse('access_token is not a bearer token');

  const { granted, asked } = scopesGranted(body.scope, expected);
  if (!within(granted, asked)) return refuse(`scope is broader than asked, by ${beyond(granted, asked)}`);

  const claims = claimsOf(token);
  const otherAudience = claims && audienceFault(claims, expected);
  if (otherAudience !== undefined) return refuse(otherAudience, 'token_audience');
  const content = claims ? readContent(claims, expected) : OPAQUE;
  if (typeof content === 'string') return refuse(content);
  const { exp } = content;
  if (exp !== undefined && exp <= now) return refuse('it has expired');
  const declared = body.expires_in === undefined ? undefined : now + Math.floor(body.expires_in);
  const ends = [declared, exp].filter((end) => end !== undefined);
  return {
    ok: true,
    credential: {
      kind: 'access_token',
      method: tokenExchange.name,
      accessToken: token,
      expiresAt: ends.length > 0 ? Math.min(...ends) : undefined,
      // RFC 6749 §5.1: the scope is omitted if it is identical to the requested one.
      scopes: granted ?? asked,
    },
    audienceScoped: content.audienceScoped,
    hasActor: content.hasActor,
  };
}

interface Content {
  readonly exp: number | undefined;
  readonly audienceScoped: NonNullable<DelegationFacts['audienceScoped']>;
  readonly hasActor: boolean;
}

/** A token that only the provider and the tool server can read */
const OPAQUE: Content = { exp: undefined, audienceScoped: 'unknown', hasActor: false };

/** @returns the reason why the token must not be passed on */
function readContent(claims: JWTPayload, expected: ExpectedToken): Content | string {
  if (claims[expected.userClaim] !== expected.userId) return `${expected.userClaim} is not the user's`;
  const { exp } = claims;
  if (exp !== undefined && typeof exp !== 'number') return 'exp is not a number';
  const { granted, asked } = scopesGranted(scopeClaim(claims), expected);
  if (!within(granted, asked)) return `scope claim is broader than asked, by ${beyond(granted, asked)}`;
  if (claims.act !== undefined && !isOurs(claims.act, expected)) return 'act is another client than the hub';
  const audiences = audiencesOf(claims);
  const isScoped = audiences.length === 1 && audiences[0] === expected.resource;
  return { exp, audienceScoped: isScoped ? 'yes' : 'no', hasActor: claims.act !== undefined };
}

const audiencesOf = ({ aud }: JWTPayload): readonly unknown[] => [aud ?? []].flat();

const MAX_AUDIENCES = 3;

function audienceFault(claims: JWTPayload, { tokenAudience }: ExpectedToken): string | undefined {
  const audiences = audiencesOf(claims);
  if (audiences.includes(tokenAudience)) return undefined;
  const named = audiences.slice(0, MAX_AUDIENCES).map(shownIdentifier).join(', ');
  const others = audiences.length - MAX_AUDIENCES;
  const found = named === '' ? shownValue(claims.aud) : others > 0 ? `${named} and ${others} more` : named;
  return `aud does not contain token_audience of the connector, "${shown(tokenAudience)}", but is ${found}`;
}

/** Returns true if the hub acts. The actors before it, such as the application of the sign-in, only inform (RFC 8693 §4.1). */
const isOurs = (act: unknown, { clientId }: ExpectedToken): boolean =>
  Actor.safeParse(act).data?.sub === clientId;

/** @returns undefined for a token that is not a JWT, or an encrypted one */
function claimsOf(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

/** Returns the value of `scope` (RFC 9068 §2.2.3), or of `scp`, as some providers call it. */
function scopeClaim({ scope, scp }: JWTPayload): string | undefined {
  const value = scope ?? scp;
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(' ');
  return typeof value === 'string' ? value : undefined;
}

/** Returns granted and requested scopes, without the audience before them. */
function scopesGranted(scope: string | undefined, expected: ExpectedToken) {
  const named = expected.scopes.map(unprefixed(expected));
  // The provider chooses what `.default` is.
  const asked = named.includes('.default') ? [] : named;
  return { asked, granted: scopesOf(scope, [])?.map(unprefixed(expected)).filter(isAskedOr(asked)) };
}

const unprefixed =
  ({ audience, tokenAudience }: ExpectedToken) =>
  (scope: string): string => {
    const prefix = [`${audience}/`, `${tokenAudience}/`].find((one) => scope.startsWith(one));
    return prefix === undefined ? scope : scope.slice(prefix.length);
  };

const isAskedOr =
  (asked: readonly string[]) =>
  (scope: string): boolean =>
    asked.includes(scope) || !ABOUT_THE_USER.includes(scope);
