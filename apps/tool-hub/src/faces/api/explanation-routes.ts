import { EVENT_ID } from '@legate/management-contract';
import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import type { Explain } from '../../audit/explain.ts';
import { outage, problem } from '../../refusals/problem-codes.ts';
import { callerOf } from '../../sign-in/authenticate.ts';
import { forAgents } from '../../sign-in/served-for.ts';

/** `GET /calls/{call_id}/explanation`: which leg decided, by which rule, and what helps. */
export function explanationRoutes(explain: Explain): Router {
  const router = Router();
  router.get('/calls/:callId/explanation', forAgents, async (req, res) => {
    const { callId } = req.params;
    const explanation = EVENT_ID.test(callId)
      ? await explain(callerOf(res), callId).catch((cause: unknown) => {
          throw outage('explanations_unavailable', 'Explanations cannot be read at the moment.', cause);
        })
      : undefined;
    if (!explanation) {
      throw problem('call_not_found', {
        detail: 'There is no such call of yours, or it is no longer known here. The audit trail may have it.',
      });
    }
    res.set('Cache-Control', 'no-store').json(explanation);
  });
  router.all('/calls/:callId/explanation', methodNotAllowed(['GET', 'HEAD']));
  return router;
}
