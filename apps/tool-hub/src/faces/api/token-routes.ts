import type { Delegations } from '@legate/delegation';
import { epochSeconds } from '@legate/jwt';
import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import type { NoteDeed } from '../../audit/user-event.ts';
import { NO_CONNECTORS } from '../../domain/connector-set.ts';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import { outage } from '../../refusals/problem-codes.ts';
import { callerOf } from '../../sign-in/authenticate.ts';
import { forUser } from '../../sign-in/served-for.ts';
import type { Sessions } from '../../sign-in/sessions.ts';

/**
 * How far the identity provider's clock may be behind ours: a sign-in right after the sign-out must not count as one
 * before.
 */
const SKEW_SECONDS = 5;

/**
 * `DELETE /tokens`: an application calls it when its user signs out. Drops the caller's tokens and ends their sessions
 * in this organization, and nobody else's. Earlier ID tokens are refused from then on.
 */
export function tokenRoutes(deps: {
  registry: ConnectorRegistry;
  delegations: Delegations;
  sessions: Pick<Sessions, 'end' | 'endAll'>;
  noteDeed: NoteDeed;
  clock: () => Date;
}): Router {
  const router = Router();
  router.delete('/tokens', forUser, async (_req, res) => {
    const caller = callerOf(res);
    const { organizationId, userId, session, signIn, subjectTokenId } = caller;
    const now = epochSeconds(deps.clock());
    const signedOutAt = Math.max(now - SKEW_SECONDS, signIn?.issuedAt ?? 0);
    await deps.sessions.endAll({ organizationId, userId }, { signedOutAt, tokenId: subjectTokenId });
    // Removing what is kept takes the list of connectors; that nothing of it is used any more does not.
    const own = await deps.registry.of(organizationId).catch(() => NO_CONNECTORS);
    await deps.delegations.signOut(caller, [...own.connectors.values()]).catch((cause: unknown) => {
      throw outage('token_store_unavailable', 'The tokens could not be dropped.', cause);
    });
    deps.noteDeed('session.signed_out', {
      organizationId,
      userId,
      requestId: caller.origin?.requestId,
      details: { id_token_hash: subjectTokenId },
    });
    // Last, since it may wait for the identity provider: nothing of the user is left here by now.
    if (session) await deps.sessions.end(session);
    res.status(204).end();
  });
  router.all('/tokens', methodNotAllowed(['DELETE']));
  return router;
}
