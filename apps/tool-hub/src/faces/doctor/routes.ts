import { toWire } from '@legate/doctor';
import type { RateLimiter } from '@legate/rate-limit';
import { type Logger, methodNotAllowed, type Problem, parseBody } from '@legate/service';
import { Router } from 'express';
import { z } from 'zod';
import type { NoteDeed } from '../../audit/user-event.ts';
import { type ConnectorAccess, readAgentId, requireConnector } from '../../connectors/access.ts';
import type { UserRights } from '../../domain/user-rights.ts';
import { limitUser } from '../../limits/per-minute.ts';
import { problem } from '../../refusals/problem-codes.ts';
import { callerOf } from '../../sign-in/authenticate.ts';
import { forAgents } from '../../sign-in/served-for.ts';
import type { ConnectorDoctor } from './connector-doctor.ts';
import { type Leg, legToWire } from './legs.ts';
import { notPermitted } from './not-permitted.ts';

export const ExamineBody = z
  .strictObject({
    legs: z
      .boolean()
      .default(false)
      .describe('Also show the tokens of this run, decoded and without their signatures'),
  })
  .default({ legs: false });

/**
 * `POST /connectors/{id}/doctor`. Everyone who may use the connector may ask whether it works; the reasons, with what
 * the peers returned, are for the organization's administrators, and the tokens of the run for its developers too.
 */
export function doctorRoutes(deps: {
  access: ConnectorAccess;
  examine: ConnectorDoctor;
  rights: UserRights;
  limiter: RateLimiter;
  noteDeed: NoteDeed;
  clock: () => Date;
  log: Logger;
}): Router {
  const { access, examine, rights, limiter, clock, log } = deps;
  const running = new Set<string>();
  const router = Router();

  router.post('/connectors/:connectorId/doctor', forAgents, async (req, res) => {
    const caller = callerOf(res);
    const connector = requireConnector(
      await access(caller, readAgentId(req, caller)),
      req.params.connectorId,
    );
    const { legs: hasLegs } = parseBody(ExamineBody, req.body);
    if (hasLegs && !(await rights.isIntegrator(caller))) throw notPermitted('owner, admin or developer');
    const { organizationId, userId } = caller;
    await limitUser(limiter, 'examinations', caller);
    const key = JSON.stringify([organizationId, connector.id]);
    if (running.has(key)) throw alreadyRunning();
    running.add(key);
    try {
      const legs: Leg[] = [];
      const report = await examine(caller, connector, (leg) => legs.push(leg));
      const about = { connector_id: connector.id, organization_id: organizationId, user_id: userId };
      const { status, firstFault } = report;
      deps.noteDeed('delegation.examined', {
        organizationId,
        userId,
        connector,
        requestId: caller.origin?.requestId,
        details: { status, fault: firstFault?.check ?? null, id_token_hash: caller.subjectTokenId },
      });
      log.info(
        { action: 'connector.examined', ...about, status, fault: firstFault?.check },
        'connector examined',
      );
      res.set('Cache-Control', 'no-store').json({
        connector_id: connector.id,
        examined_at: clock().toISOString(),
        ...toWire(report, await rights.isAdministrator(caller)),
        ...(hasLegs && { legs: legs.map(legToWire) }),
      });
    } finally {
      running.delete(key);
    }
  });

  router.all('/connectors/:connectorId/doctor', methodNotAllowed(['POST']));
  return router;
}

const alreadyRunning = (): Problem =>
  problem('examination_running', {
    detail: 'This connector is being examined at the moment. Try again when that has ended.',
    headers: { 'Retry-After': '5' },
  });
