import type { ConnectorId } from '@legate/ids';
import type { MakeChange } from '../../changes/change.ts';
import type { Author } from '../../domain/author.ts';
import { problem } from '../../domain/problem-codes.ts';
import { HubFailure, type NotifyHub } from '../../hub/notify-hub.ts';
import type { Connectors } from './service.ts';

/**
 * Ends the tokens that the tool hub stores for a connector, in all hub processes, before it returns.
 * @throws {Problem} 404; 409 `tool_hub_not_configured`, 502 `tool_hub_error`, 503 `tool_hub_unavailable`
 */
export type RevokeTokens = (author: Author, connectorId: ConnectorId) => Promise<void>;

export function createRevokeTokens(deps: {
  connectors: Pick<Connectors, 'find'>;
  notifyHub: NotifyHub | undefined;
  makeChange: MakeChange;
}): RevokeTokens {
  const { connectors, notifyHub, makeChange } = deps;
  const action = 'connector.tokens_revoked';
  return async (author, connectorId) => {
    const { organizationId } = author;
    const { value: connector } = await connectors.find(organizationId, connectorId);
    if (!notifyHub) {
      throw problem('tool_hub_not_configured', {
        detail: 'This deployment has no tool hub that could end tokens or sessions.',
      });
    }
    await notifyHub({ organizationId, connectorId: connector.id, reason: action }).catch(refuse);
    // Recorded only afterwards: the audit trail must not report what did not happen.
    await makeChange(author, (change) =>
      change.record({ action, targets: [{ type: 'connector', id: connector.id, name: connector.name }] }),
    );
  };
}

function refuse(err: unknown): never {
  if (!(err instanceof HubFailure)) throw err;
  throw err.isOutage
    ? problem('tool_hub_unavailable', {
        headers: { 'Retry-After': '5' },
        cause: err,
      })
    : problem('tool_hub_error', {
        detail: 'The tool hub refused the revocation. Ask the operator.',
        cause: err,
      });
}
