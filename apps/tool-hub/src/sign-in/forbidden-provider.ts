import { ForbiddenAddress, type HttpClient, type Logger } from '@legate/service';

/**
 * Returns a client for requests to the identity provider, which logs the first one that the hub's settings keep from
 * the host of its issuer. Callers see such a failure as an outage, in whose log the setting is only the innermost cause.
 * For other hosts no setting is named: they come from the metadata, which must not make anybody open an address.
 */
export function reportForbidden<Http extends Pick<HttpClient, 'fetch' | 'getJson' | 'withIdentity'>>(
  http: Http,
  { log, issuer }: { readonly log: Pick<Logger, 'error'>; readonly issuer: string },
): Http {
  const host = new URL(issuer).hostname.replace(/^\[|\]$/g, '');
  let isReported = false;
  const reporting =
    <Args extends unknown[], Result>(send: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      send(...args).catch((err: unknown) => {
        const { cause } = Object(err);
        if (cause instanceof ForbiddenAddress && cause.setting && cause.host === host && !isReported) {
          isReported = true;
          log.error(
            { issuer, reason: cause.message },
            'OUTBOUND_ALLOW does not let the hub reach its identity provider: add its address there if it is a private one, and use https for a public one',
          );
        }
        throw err;
      });
  const wrap = <Client extends Pick<HttpClient, 'fetch' | 'getJson'>>(client: Client): Client => ({
    ...client,
    fetch: reporting(client.fetch),
    getJson: reporting(client.getJson),
  });
  return { ...wrap(http), withIdentity: (identity) => wrap(http.withIdentity(identity)) };
}
