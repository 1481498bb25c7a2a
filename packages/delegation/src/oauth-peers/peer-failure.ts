import { type Cause, causesOf } from '@legate/guarded-fetch';
import type { RefusalDetails } from '@legate/identity-providers';
import { describeBody, isPage } from '@legate/oauth';
import { type Outage, readRetryAfter } from '@legate/service/outbound';
import { z } from 'zod';
import { parseObject } from './json-object.ts';

/**
 * Ways in which a request to a peer can fail. Reasons consist of error codes, names of members and our own words: a
 * peer's text may contain anything.
 */
export type PeerFailure =
  | {
      readonly kind: 'refused';
      /** RFC 6749 §5.2 and its extensions */
      readonly error: string;
      /** The sign-in that would help, with `insufficient_user_authentication` (RFC 9470 §4) */
      readonly maxAge: number | undefined;
      readonly acrValues: string | undefined;
      /** Words and numbers of the peer, which may be compared with known ones, and are never logged or shown */
      readonly details?: RefusalDetails | undefined;
      /** JSON object that the provider wants in the parameter `claims` of the next authorization request */
      readonly claims?: string | undefined;
    }
  | ({ readonly kind: 'unavailable'; readonly reason: string; readonly retryable: boolean } & Outage)
  /** The peer returns something invalid, or has a forbidden address. */
  | { readonly kind: 'unusable'; readonly reason: string };

const MAX_DESCRIPTION = 1000;
/** Bytes: printable ASCII is one byte each. */
const MAX_CLAIMS_LENGTH = 4096;

const isJsonObject = (text: string): boolean =>
  /^[\x20-\x7e]*$/.test(text) && parseObject(text) !== undefined;

/** `error` of a response, wherever openid-client keeps it: the body, or a challenge. */
const ErrorMembers = z.object({
  error: z.string().regex(/^[a-z_]{1,64}$/),
  max_age: z.number().int().nonnegative().optional().catch(undefined),
  acr_values: z
    .string()
    .regex(/^[\x20\x21\x23-\x5B\x5D-\x7E]{1,255}$/)
    .optional()
    .catch(undefined),
  error_description: z
    .string()
    .transform((text) => text.slice(0, MAX_DESCRIPTION))
    .optional()
    .catch(undefined),
  error_codes: z.array(z.number()).max(20).optional().catch(undefined),
  suberror: z
    .string()
    .regex(/^[a-z_]{1,64}$/)
    .optional()
    .catch(undefined),
  claims: z.string().max(MAX_CLAIMS_LENGTH).refine(isJsonObject).optional().catch(undefined),
});

/** Returns true for an error by which a server ends a TLS handshake because of our certificate (RFC 8446 §6.2). */
export const isCertificateAlert = (code: string): boolean =>
  /^ERR_SSL_\w+_ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/.test(code);

const TIME_OUTS = ['TimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError', 'ConnectTimeoutError'];

/** Describes a failed request in words that are safe to log. */
export function classifyFailure(err: unknown): PeerFailure {
  const chain = causesOf(err);
  const status = chain.map((link) => link.status).find((value) => typeof value === 'number');
  if (typeof status === 'number' && (status >= 500 || status === 429))
    return {
      kind: 'unavailable',
      reason: `it responded with status ${status}`,
      retryable: status !== 429,
      status,
      retryAfterSeconds: chain.map(retryAfterOf).find((seconds) => seconds !== undefined),
    };

  const members = chain
    .flatMap((link) => [link.cause, ...(Array.isArray(link.cause) ? link.cause.map(parametersOf) : [])])
    .map((value) => ErrorMembers.safeParse(value))
    .find(({ success }) => success)?.data;
  if (members)
    return {
      kind: 'refused',
      error: members.error,
      maxAge: members.max_age,
      acrValues: members.acr_values,
      details: {
        description: members.error_description,
        codes: members.error_codes,
        suberror: members.suberror,
        status: typeof status === 'number' ? status : undefined,
      },
      ...(members.claims !== undefined && { claims: members.claims }),
    };
  const body = bodyOf(chain);
  if (status === 401 && !isPage(body))
    return { kind: 'refused', error: 'invalid_client', maxAge: undefined, acrValues: undefined };

  const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
  if (codes.includes('ERR_FORBIDDEN_ADDRESS'))
    return { kind: 'unusable', reason: 'requests to its address are not allowed' };
  if (codes.includes('ERR_CLIENT_CERTIFICATE_EXPIRED'))
    return { kind: 'unusable', reason: 'our client certificate has expired' };
  const alert = codes.find(isCertificateAlert);
  if (alert !== undefined)
    return { kind: 'unusable', reason: `it refuses our client certificate (${alert})` };
  if (codes.includes('ERR_UNUSABLE_ANSWER'))
    return { kind: 'unusable', reason: 'it answered with a redirect, or with too many bytes' };
  if (chain.some(({ name }) => TIME_OUTS.includes(String(name))) || codes.includes('OAUTH_TIMEOUT'))
    return { kind: 'unavailable', reason: 'it does not respond in time', retryable: false };
  const oauthCode = codes.find((code) => code.startsWith('OAUTH_'));
  if (typeof status === 'number' && status !== 200)
    return {
      kind: 'unusable',
      reason: `it responded with status ${status} and ${describeBody(body)}${isPage(body) ? ', as a firewall or a proxy does' : ''}`,
    };
  if (oauthCode === 'OAUTH_RESPONSE_IS_NOT_JSON' || oauthCode === 'OAUTH_PARSE_ERROR')
    return {
      kind: 'unusable',
      reason: `it responded with ${describeBody(body)} instead of a JSON object`,
    };
  if (oauthCode) return { kind: 'unusable', reason: `its response is unusable: ${faultOf(err, oauthCode)}` };
  return {
    kind: 'unavailable',
    reason: `it cannot be reached (${codes.at(-1) ?? 'network'})`,
    retryable: true,
  };
}

/** The type and origin of a response that is not the expected one, as far as its headers show them */
function bodyOf(chain: readonly Cause[]): { type: string | undefined; server: string | undefined } {
  const headers = chain.map((link) => link.headers).find((value) => value instanceof Headers);
  return {
    type: headers?.get('content-type') ?? undefined,
    server: headers?.get('server') ?? undefined,
  };
}

/** The library quotes the name of the member or claim that it refuses, and no value from the peer. */
function faultOf(err: unknown, code: string): string {
  for (let link = err; link instanceof Error; link = link.cause) {
    const name = [...link.message.matchAll(/["`]([a-z_]{1,40})["`]/g)]
      .map(([, quoted]) => quoted)
      .find((quoted) => quoted !== 'response' && quoted !== 'parameters');
    if (name !== undefined)
      return `"${name}"${/JWT|ID Token/.test(link.message) ? ' of its ID token' : ''} cannot be used (${code})`;
  }
  return code;
}

const parametersOf = (challenge: unknown): unknown =>
  typeof challenge === 'object' && challenge !== null && 'parameters' in challenge
    ? challenge.parameters
    : undefined;

const retryAfterOf = ({ headers }: Cause): number | undefined =>
  headers instanceof Headers ? readRetryAfter(headers.get('retry-after')) : undefined;
