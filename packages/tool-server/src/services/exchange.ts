import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import {
  allowInsecureRequests,
  ClientSecretPost,
  Configuration,
  customFetch,
  genericGrantRequest,
  ResponseBodyError,
} from 'openid-client';
import { z } from 'zod';
import { causesOf, codesOf } from '../http/causes.ts';

/** Our registration at the Transaction Token Service. */
export interface TransactionTokenService {
  /** The endpoint, from trusted configuration only: a rogue endpoint would harvest access tokens. */
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export type ExchangeFailure =
  /** A policy refuses this user or this transaction. */
  | { readonly kind: 'denied' }
  /** The access token does not cover the operation. */
  | { readonly kind: 'insufficient_scope' }
  /** The service does not accept the access token, or no longer accepts it. */
  | { readonly kind: 'access_token_refused' }
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** Our registration is wrong, or the service's response is unusable. */
  | { readonly kind: 'misconfigured'; readonly reason: string };

export type ExchangeOutcome = { readonly kind: 'granted'; readonly txnToken: string } | ExchangeFailure;

const Answer = z.object({
  access_token: z.string().max(16_384),
  issued_token_type: z.literal(TOKEN_TYPE.txnToken),
  /** The type in lower case, as the library returns it. */
  token_type: z.literal('n_a'),
  scope: z.string().optional(),
});

export interface Exchange {
  readonly accessToken: string;
  readonly audience: string;
  readonly operation: string;
  readonly details: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Exchanges an access token for a transaction token. Never throws, and caches nothing: a transaction token is for one
 * call.
 * @param deps.fetch the guarded client's: it follows no redirect, limits time and size, and checks addresses
 * @see draft-ietf-oauth-transaction-tokens, "Txn-Token Request"
 */
export function createExchange(deps: { service: TransactionTokenService; fetch: typeof globalThis.fetch }) {
  const { tokenEndpoint, clientId, clientSecret } = deps.service;
  const client = new Configuration(
    { issuer: new URL(tokenEndpoint).origin, token_endpoint: tokenEndpoint },
    clientId,
    undefined,
    ClientSecretPost(clientSecret),
  );
  client[customFetch] = (url, { body, ...init }) =>
    deps.fetch(url, { ...init, ...(body !== undefined && { body }) });
  // The service's HTTP client decides for each address whether plain http is allowed.
  allowInsecureRequests(client);

  return async ({ accessToken, audience, operation, details }: Exchange): Promise<ExchangeOutcome> => {
    try {
      const answer = Answer.safeParse(
        await genericGrantRequest(client, GRANT_TYPE.tokenExchange, {
          requested_token_type: TOKEN_TYPE.txnToken,
          audience,
          scope: operation,
          subject_token: accessToken,
          subject_token_type: TOKEN_TYPE.accessToken,
          request_details: JSON.stringify(details),
        }),
      );
      if (!answer.success) return unusable('the answer holds no transaction token');
      if ((answer.data.scope ?? operation) !== operation)
        return unusable('the answer is for another operation');
      return { kind: 'granted', txnToken: answer.data.access_token };
    } catch (err) {
      return failureOf(err);
    }
  };
}

/** Returns the failure in error codes and our own words only: a text of the peer may contain anything. */
function failureOf(err: unknown): ExchangeFailure {
  if (err instanceof ResponseBodyError)
    return isOutage(err.status) ? unavailable(`status ${err.status}`) : refusalOf(err.error);
  const answer = causesOf(err).find((link) => link instanceof Response);
  if (answer) return isOutage(answer.status) ? unavailable(`status ${answer.status}`) : unusable('no JSON');
  const codes = codesOf(err);
  const fault = codes.find((code) => FAULTS.has(code));
  return fault ? unusable(fault) : unavailable(codes[0] ?? 'network');
}

const isOutage = (status: number): boolean => status >= 500 || status === 429;
const unavailable = (reason: string): ExchangeFailure => ({ kind: 'unavailable', reason });
const unusable = (reason: string): ExchangeFailure => ({ kind: 'misconfigured', reason });
/** Errors that a retry cannot fix, whether or not there was a response. */
const FAULTS = new Set([
  'ERR_UNUSABLE_ANSWER',
  'ERR_FORBIDDEN_ADDRESS',
  'OAUTH_PARSE_ERROR',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_UNSUPPORTED_OPERATION',
]);

function refusalOf(error: string): ExchangeFailure {
  switch (error) {
    case 'access_denied':
      return { kind: 'denied' };
    case 'invalid_scope':
      return { kind: 'insufficient_scope' };
    case 'invalid_request': // RFC 8693 §2.2.2: of the request itself nothing is left to chance
      return { kind: 'access_token_refused' };
    case 'temporarily_unavailable':
      return unavailable(error);
    default:
      return unusable(/^[a-z_]{1,64}$/.test(error) ? error : 'unknown error');
  }
}
