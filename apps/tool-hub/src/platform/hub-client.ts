import type { HttpClient, ParsedClientCertificate } from '@legate/service';
import { type HubCredentialSettings, type HubCredentials, hubCredentials } from './hub-credentials.ts';

/** The hub's client at the identity provider, and how its requests are sent */
export interface HubClient {
  readonly clientId: string;
  readonly clientAuth: HubCredentials;
  /** The guarded client's. Presents the certificate, if the hub has one, where the hub authenticates. */
  readonly fetch: typeof globalThis.fetch;
}

export function openHubClient(
  settings: HubCredentialSettings & { readonly IDP_CLIENT_ID: string },
  { http, clock }: { http: Pick<HttpClient, 'fetch' | 'withIdentity'>; clock: () => Date },
): HubClient & { close(): Promise<void> } {
  const { IDP_CLIENT_ID: clientId, IDP_CLIENT_CERTIFICATE: certificate } = settings;
  const client = { clientId, clientAuth: hubCredentials(settings) };
  if (!certificate) return { ...client, fetch: http.fetch, close: async () => undefined };
  const identified = http.withIdentity(certificate);
  return {
    ...client,
    fetch: async (url, init) => {
      // Requests in which the hub authenticates are sent by POST (RFC 6749 §3.2.1, RFC 7009 §2.1), and metadata is read
      // without the certificate: the endpoints for mutual TLS may be at another address (RFC 8705 §5).
      if (init?.method !== 'POST') return http.fetch(url, init);
      refuseExpired(certificate, clock);
      return identified.fetch(url, init);
    },
    close: identified.close,
  };
}

/** No server would accept it, and refresh tokens must not be sent in vain. */
function refuseExpired({ expiresAt }: ParsedClientCertificate, clock: () => Date): void {
  if (expiresAt > clock().getTime() / 1000) return;
  const cause = Object.assign(new Error('the client certificate has expired'), {
    code: 'ERR_CLIENT_CERTIFICATE_EXPIRED',
  });
  throw new TypeError('fetch failed', { cause });
}
