import type { UserId } from '@legate/ids';
import type { Change } from '../../changes/change.ts';
import type { ApiKeyId, ServiceAccountId } from '../../domain/ids.ts';
import { statement } from '../../storage/statement.ts';
import { accountTarget } from './service.ts';

const LIVE_KEYS_OF = statement(
  'api_keys_of_maker',
)`SELECT k.id, k.name, s.id AS account_id, s.name AS account_name FROM api_keys k
JOIN service_accounts s ON s.organization_id = k.organization_id AND s.id = k.service_account_id AND s.deleted_at IS NULL
WHERE k.organization_id = $1 AND k.created_by_id = $2 AND k.created_by_type = 'user' AND k.revoked_at IS NULL
  AND k.expires_at > $3 ORDER BY k.created_at, k.id`;

interface Row {
  readonly id: ApiKeyId;
  readonly name: string;
  readonly account_id: ServiceAccountId;
  readonly account_name: string;
}

/** Called within the change that ends a membership. */
export type NoteMakerLeft = (change: Change, userId: UserId) => Promise<void>;

/**
 * Records each live API key whose creator's membership ends: the creator has seen the key, which stays valid so that
 * its use is not interrupted.
 */
export const createNoteMakerLeft =
  ({ clock }: { clock: () => Date }): NoteMakerLeft =>
  async (change, userId) => {
    const { connection, organizationId } = change;
    const keys = await connection.query<Row>(LIVE_KEYS_OF(organizationId, userId, clock()));
    for (const { id, name, account_id, account_name } of keys) {
      await change.record({
        action: 'api_key.maker_left',
        targets: [
          { type: 'api_key', id, name },
          accountTarget({ id: account_id, name: account_name }),
          { type: 'user', id: userId, name: null },
        ],
      });
    }
  };
