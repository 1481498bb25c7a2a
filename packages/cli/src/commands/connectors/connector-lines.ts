import type { components } from '@legate/client/management';
import type { Line } from '../../terminal/output.ts';
import { fields } from '../../terminal/table.ts';

export type Connector = components['schemas']['Connector'];

export const connectorLines = (connector: Connector): Line[] =>
  fields([
    ['id', connector.id],
    ['name', connector.name],
    ['short name', connector.slug],
    ['tool server', connector.resource_url],
    ['method', connector.auth_method],
    ['fallback', connector.fallback.join(', ') || undefined],
    ['audience to request', connector.exchange_audience ?? undefined],
    ['audience in the token', connector.token_audience ?? connector.exchange_audience ?? undefined],
    ['accepted elsewhere', connector.acknowledge_shared_audience ? 'possible, and acknowledged' : undefined],
    ['scopes', connector.scopes.join(' ') || 'none'],
    ['client', connector.client_id ?? undefined],
    ['secret', connector.has_secret ? 'set' : 'none'],
    ['issuer', connector.issuer ?? undefined],
    ['status', connector.enabled ? statusText(connector) : `disabled (${connector.status})`],
    [
      'last error',
      connector.last_error ? `${connector.last_error.code}, ${connector.last_error.at}` : undefined,
    ],
    ['changed', connector.updated_at],
  ]);

const statusText = ({ status }: Connector): string =>
  status === 'pending' ? 'pending (not examined in the console yet; its tools can be called)' : status;
