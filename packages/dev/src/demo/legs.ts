import { CONNECTOR, IDP_CLIENTS, SCOPES, TOOL_SERVER_CLIENTS, TRANSACTION_CLIENT } from '../scene/scene.ts';
import type { ServiceUrls } from '../stack/services.ts';
import { callTool } from './call-tool.ts';
import { type Exchange, exchange } from './http.ts';

export interface TokenExchangeOptions {
  readonly audience?: string;
  readonly resource?: string;
  readonly scope?: string;
  readonly client?: { readonly id: string; readonly secret: string | undefined };
}

/** Sends each leg as one HTTP request, in the same form as the hub. */
export class Legs {
  constructor(private readonly urls: ServiceUrls) {}

  /** Leg 1, RFC 8693: the user's ID token becomes an ID-JAG. */
  exchangeIdToken(idToken: string, options: TokenExchangeOptions = {}): Promise<Exchange> {
    const client = options.client ?? IDP_CLIENTS.hub;
    return exchange('POST', `${this.urls['mock-idp']}/oauth/token`, {
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: idToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
        audience: options.audience ?? this.urls['reference-mcp-server'],
        resource: options.resource ?? this.urls['reference-mcp-server'],
        scope: options.scope ?? SCOPES.join(' '),
        client_id: client.id,
        ...(client.secret !== undefined && { client_secret: client.secret }),
      },
    });
  }

  /** Leg 2, RFC 7523: the ID-JAG becomes an access token of the tool server. */
  redeemAssertion(
    assertion: string,
    client: { readonly id: string; readonly secret: string } = TOOL_SERVER_CLIENTS.hub,
    grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ): Promise<Exchange> {
    return exchange('POST', `${this.urls['reference-mcp-server']}/oauth/token`, {
      form: { grant_type: grantType, assertion, client_id: client.id, client_secret: client.secret },
    });
  }

  /** Leg 3: the tool call itself, MCP revision 2026-07-28. */
  callTool(bearer: string | undefined, name: string, args?: Record<string, unknown>): Promise<Exchange> {
    return callTool(`${this.urls['reference-mcp-server']}/mcp`, bearer, name, args);
  }

  /** Exchanges the tool server's access token for a transaction token of the hub, as the tool server does. */
  requestTransactionToken(
    accessToken: string,
    operation: string,
    details: Record<string, string | number>,
  ): Promise<Exchange> {
    return exchange('POST', `${this.urls['tool-hub']}/oauth/token`, {
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requested_token_type: 'urn:ietf:params:oauth:token-type:txn_token',
        audience: this.urls['management-api'],
        scope: operation,
        subject_token: accessToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        request_details: JSON.stringify(details),
        client_id: TRANSACTION_CLIENT.id,
        client_secret: TRANSACTION_CLIENT.secret,
      },
    });
  }

  /** A service's own token for the management API (client credentials). */
  requestWorkloadToken(
    client: { readonly id: string; readonly secret: string },
    scope: string,
  ): Promise<Exchange> {
    return exchange('POST', `${this.urls['mock-idp']}/oauth/token`, {
      form: {
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: client.secret,
        resource: this.urls['management-api'],
        scope,
      },
    });
  }

  /**
   * A request to the management API for the user of a transaction token. @param bearer token of the caller; undefined:
   * none is sent
   */
  callApiFor(txnToken: string, path: string, bearer: string | undefined, method = 'GET'): Promise<Exchange> {
    const headers = {
      'Txn-Token': txnToken,
      ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
    };
    return exchange(method, `${this.urls['management-api']}/api/v1${path}`, {}, headers);
  }

  /** All three legs in one request, as a real application does. */
  callThroughHub(idToken: string, name: string, args: Record<string, unknown> = {}): Promise<Exchange> {
    return exchange(
      'POST',
      `${this.urls['tool-hub']}/api/v1/connectors/${CONNECTOR}/tools/${name}/call`,
      { json: { arguments: args } },
      { Authorization: `Bearer ${idToken}` },
    );
  }

  signOutOfHub(idToken: string): Promise<Exchange> {
    return exchange(
      'DELETE',
      `${this.urls['tool-hub']}/api/v1/tokens`,
      {},
      { Authorization: `Bearer ${idToken}` },
    );
  }
}

export const createLegs = (urls: ServiceUrls): Legs => new Legs(urls);
