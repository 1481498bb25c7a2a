import type { Problem } from '@legate/service';
import { connectPagePath } from '../domain/client-urls.ts';
import type { Connector } from '../domain/connector.ts';
import type { Decided } from '../domain/decision.ts';
import { outage, problem } from '../domain/problem-codes.ts';
import { CallRefused } from './call-refused.ts';

/** Returns the path at which an application requests a link with which its user connects an account. */
export const connectionsPath = ({ id }: Pick<Connector, 'id'>): string =>
  `/api/v1/connectors/${encodeURIComponent(id)}/connections`;

/** @param scopes to request from the user; empty: those of the connector */
export const connectionRequired = (
  decided: Decided,
  connector: Connector,
  scopes: readonly string[],
  cause: Error,
): CallRefused =>
  new CallRefused(decided, 'connection_required', {
    detail: `The user must first connect their own account at the tool server of "${connector.name}".`,
    extensions: {
      connector_id: connector.id,
      connector_name: connector.name,
      connect_at: connectionsPath(connector),
      // An agent with its own scopes has its own connection, which only the application can start.
      connect_page:
        connector.binding?.scopesKey === undefined ? connectPagePath(connector.id, scopes) : undefined,
      required_scope: scopes.join(' ') || undefined,
    },
    cause,
  });

export const noConnections = (connector: Connector): Problem =>
  problem('connection_not_used', {
    detail: `Connector "${connector.id}" does not use accounts that users connect: it does not have the method oauth-pkce.`,
    extensions: { connector_id: connector.id },
  });

export const connectionStoreUnavailable = (cause: unknown): Problem =>
  outage('token_store_unavailable', 'Connections cannot be read or written at the moment.', cause);
