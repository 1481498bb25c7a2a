import type { Delegations } from '@legate/delegation';
import { epochSeconds } from '@legate/jwt';
import { toEventText } from '@legate/management-contract';
import type { RecordUserAction } from '../../audit/user-event.ts';
import { NO_CONNECTORS } from '../../domain/connector-set.ts';
import { outage } from '../../domain/problem-codes.ts';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import { noContent } from './answers.ts';
import { type HubOperation, operation } from './operation.ts';

/**
 * Seconds by which the identity provider's clock may be behind ours: a sign-in right after the sign-out must not count
 * as one before it.
 */
const SKEW_SECONDS = 5;

/**
 * `DELETE /tokens`: an application calls it when its user signs out. Drops the caller's tokens and ends their sessions
 * in this organization; other users are not affected. ID tokens issued earlier are refused from then on.
 */
export function tokenOperations(deps: {
  registry: ConnectorRegistry;
  delegations: Delegations;
  sessions: Pick<Sessions, 'end' | 'endAll'>;
  recordUserAction: RecordUserAction;
  clock: () => Date;
}): HubOperation[] {
  return [
    operation('signOut', 'delete', '/tokens', {
      summary: 'Sign the user out of the hub',
      description:
        'Ends all sessions of the user in this organization, and refuses ID tokens that were issued before.',
      access: 'user',
      readsSignOuts: true, // a repetition after a failure must not be refused because of its own mark
      responses: { 204: { description: 'The user is signed out' } },
      problems: ['insufficient_permission', 'token_store_unavailable', 'session_store_unavailable'],
      handle: async ({ caller }) => {
        const { organizationId, userId, session, signIn, subjectTokenId } = caller;
        const client = caller.mcpClient ?? caller.authentication.client;
        const now = epochSeconds(deps.clock());
        const signedOutAt = Math.max(now - SKEW_SECONDS, signIn?.issuedAt ?? 0);
        await deps.sessions.endAll({ organizationId, userId }, { signedOutAt, tokenId: subjectTokenId });
        // Removing the stored tokens needs the list of connectors; preventing their use does not.
        const own = await deps.registry.of(organizationId).catch(() => NO_CONNECTORS);
        await deps.delegations.signOut(caller, [...own.connectors.values()]).catch((cause: unknown) => {
          throw outage('token_store_unavailable', 'The tokens could not be deleted.', cause);
        });
        deps.recordUserAction('session.signed_out', {
          organizationId,
          userId,
          requestId: caller.origin?.requestId,
          details: { id_token_hash: subjectTokenId, authorized_party: toEventText(client, 255) ?? null },
        });
        // Last, since it may wait for the identity provider: by now the user's tokens are gone here.
        if (session) await deps.sessions.end(session);
        return noContent;
      },
    }),
  ];
}
