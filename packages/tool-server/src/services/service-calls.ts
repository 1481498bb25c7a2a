import { TXN_TOKEN_HEADER } from '@legate/oauth';
import type { ToolServerAuthInfo } from '../bearer/auth-info.ts';
import { callerOf } from '../bearer/caller.ts';
import { createBoundedFetch } from '../http/bounded-fetch.ts';
import {
  createExchange,
  type Exchange,
  type ExchangeFailure,
  type TransactionTokenService,
} from './exchange.ts';
import { createWorkloadFetch, type FetchAsWorkload, type Workload } from './workload.ts';

export interface ServiceCall {
  /** The tool call on whose behalf this is: its access token has passed `requireAccessToken`. */
  readonly authInfo: (Pick<ToolServerAuthInfo, 'token'> & { extra?: Record<string, unknown> }) | undefined;
  /** The one operation, as the service names it */
  readonly operation: string;
  /** The operation's parameters, which are signed into the token: exactly those of the URL. */
  readonly details: Exchange['details'];
  /** Path relative to the service's URL, with its query */
  readonly path: string;
}

export type ServiceCallOutcome =
  /** Any status: the service defines its meaning. */
  { readonly kind: 'answered'; readonly status: number; readonly body: unknown } | ExchangeFailure;

export type CallService = (call: ServiceCall) => Promise<ServiceCallOutcome>;

/** Enough for a page of a list. */
const MAX_RESPONSE_BYTES = 2_097_152;

interface ServiceCallsOptions {
  /** The Transaction Token Service: the hub's token endpoint, and our client there. */
  readonly service: TransactionTokenService;
  /** URL of the service to call, which is its identifier and so the audience. */
  readonly url: string;
  /** Default: the global one, for https and loopback addresses, without redirects, 5 seconds and 2 MiB at most. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly clock?: (() => Date) | undefined;
}

/** How we authenticate ourselves at the service; either must be the same client as `service.clientId`. */
type OurCredentials =
  | { readonly workload: Workload; readonly fetchAsWorkload?: undefined }
  | { readonly fetchAsWorkload: FetchAsWorkload; readonly workload?: undefined };

/**
 * Calls one service of the platform for the user of a tool call: exchanges the access token for a transaction token
 * that is valid for this call only, and sends that with our own credentials. Neither the access token nor the user's
 * identity reaches the service in another way, and nothing is reused for a second call.
 */
export function createServiceCalls(options: ServiceCallsOptions & OurCredentials): CallService {
  const { service, url, clock = () => new Date() } = options;
  const bounded = createBoundedFetch(undefined, MAX_RESPONSE_BYTES);
  const fetch = options.fetch ?? ((input, init) => bounded(String(input), init));
  const exchange = createExchange({ service, fetch });
  const fetchAsWorkload =
    options.fetchAsWorkload ??
    createWorkloadFetch({ workload: options.workload, resource: url, fetch, clock });

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
