import { type ExchangePlace, isForbiddenAudience } from '@legate/identity-providers';
import type { ConnectorId } from '@legate/ids';
import type { Change } from '../../changes/change.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { ConnectorSettings } from './connector.ts';
import type { ConnectorStore } from './store.ts';

/**
 * Checks for whom tokens of `token-exchange` would be. A token may be sent to the origin of a connector only if no
 * other origin gets tokens of the same audience: each could use the other's.
 * @throws {Problem} from the returned function: 409 `audience_refused`, `audience_in_use`
 */
export const createExchangeAudienceCheck =
  (deps: { store: Pick<ConnectorStore, 'connectorsWithAudience'>; refusedAudiences: ExchangePlace }) =>
  async (
    change: Change,
    wanted: Pick<ConnectorSettings, 'exchange_audience' | 'token_audience' | 'resource_url'>,
    id: ConnectorId,
  ): Promise<void> => {
    const { exchange_audience: audience, token_audience: tokenAudience, resource_url } = wanted;
    if (audience === null) return;
    const audiences = tokenAudience === null ? [audience] : [audience, tokenAudience];
    const { refusedAudiences } = deps;
    if (audiences.some((one) => isForbiddenAudience(one, refusedAudiences)))
      throw problem('audience_refused', {
        detail: 'This audience is one of the identity provider, of the hub or of this service.',
      });
    const { origin } = new URL(resource_url);
    const others = await deps.store.connectorsWithAudience(change, audiences, id);
    if (others.some((other) => new URL(other.resource_url).origin !== origin))
      throw problem('audience_in_use', {
        detail: 'Another connector of the organization, at another origin, has this audience.',
      });
  };
