import {
  createExchange,
  type Exchange,
  type ExchangeFailure,
  type TransactionTokenService,
  TXN_TOKEN_HEADER,
} from '@legate/transaction-tokens';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { callerOf } from './bearer/caller.ts';

export interface ServiceCall {
  /** The tool call on whose behalf this is: its access token has passed `requireAccessToken`. */
  readonly authInfo: AuthInfo | undefined;
  /** The one operation, as the service names it */
  readonly operation: string;
  /** Its parameters, to be signed into the token: exactly those of the URL. */
  readonly details: Exchange['details'];
  /** Relative to the service's URL, with its query */
  readonly path: string;
}

export type ServiceCallOutcome =
  /** Any status: the service defines its meaning. */
  { readonly kind: 'answered'; readonly status: number; readonly body: unknown } | ExchangeFailure;

export type CallService = (call: ServiceCall) => Promise<ServiceCallOutcome>;

/**
 * Calls one service of the platform for the user of a tool call: exchanges the access token for a transaction token
 * that is valid for this call only, and sends that with our own credentials. Neither the access token nor the user's
 * identity reaches the service in another way, and nothing is reused for a second call.
 * @param deps.service the Transaction Token Service; `clientId` must be the client that `fetchAsWorkload` uses
 * @param deps.url of the service, which is its identifier and so the audience
 * @param deps.fetch the guarded client's
 * @param deps.fetchAsWorkload `createWorkloadFetch` of `@legate/workload`, or anything that authenticates us
 */
export function createServiceCalls(deps: {
  service: TransactionTokenService;
  url: string;
  fetch: typeof globalThis.fetch;
  fetchAsWorkload: (url: string, init: { headers: Record<string, string> }) => Promise<Response>;
}): CallService {
  const { url, fetchAsWorkload } = deps;
  const exchange = createExchange(deps);

  return async ({ authInfo, operation, details, path }) => {
    callerOf(authInfo); // an unverified token would let a client act for any user
    const accessToken = authInfo?.token ?? '';
    const exchanged = await exchange({ accessToken, audience: url, operation, details });
    if (exchanged.kind !== 'granted') return exchanged;
    try {
      const answer = await fetchAsWorkload(`${url}${path}`, {
        headers: { [TXN_TOKEN_HEADER]: exchanged.txnToken, Accept: 'application/json' },
      });
      return { kind: 'answered', status: answer.status, body: await answer.json().catch(() => undefined) };
    } catch (err) {
      return { kind: 'unavailable', reason: err instanceof Error ? err.name : 'failed' };
    }
  };
}
