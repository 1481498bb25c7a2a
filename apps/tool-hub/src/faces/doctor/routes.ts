import { toWire } from '@legate/doctor';
import type { RateLimiter } from '@legate/rate-limit';
import type { Logger, Problem } from '@legate/service';
import { z } from 'zod';
import type { RecordUserAction } from '../../audit/user-event.ts';
import { type ConnectorAccess, readAgentId, requireConnector } from '../../connectors/access.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { UserRights } from '../../domain/user-rights.ts';
import { limitUser } from '../../limits/per-minute.ts';
import { ok } from '../api/answers.ts';
import { type HubOperation, operation, optionalJson } from '../api/operation.ts';
import { CONNECTOR_PROBLEMS } from '../api/problem-groups.ts';
import type { ConnectorDoctor } from './connector-doctor.ts';
import { type Leg, legToWire } from './legs.ts';
import { notPermitted } from './not-permitted.ts';
import { ExaminedToken, report } from './report.ts';

const ExamineBody = z
  .strictObject({
    legs: z
      .boolean()
      .default(false)
      .describe('Whether to include the tokens of this run, decoded and without their signatures'),
  })
  .default({ legs: false });

const DoctorReport = z
  .strictObject({
    connector_id: z.string(),
    ...report,
    legs: z
      .array(ExaminedToken)
      .optional()
      .describe('Tokens of this run in the order in which they were obtained. Only with `legs: true`.'),
  })
  .meta({ id: 'DoctorReport' });

/**
 * `POST /connectors/{id}/doctor`. Everyone who may use the connector can find out whether it works. The reasons, with
 * the responses of the peers, are only for the organization's administrators, and the tokens of the run also for its
 * developers.
 */
export function doctorOperations(deps: {
  access: ConnectorAccess;
  examine: ConnectorDoctor;
  rights: UserRights;
  limiter: RateLimiter;
  recordUserAction: RecordUserAction;
  clock: () => Date;
  log: Logger;
}): HubOperation[] {
  const { access, examine, rights, limiter, clock, log } = deps;
  const running = new Set<string>();
  return [
    operation('examineConnector', 'post', '/connectors/{connector_id}/doctor', {
      summary: 'Find out what is wrong with a connector',
      access: 'agents',
      body: optionalJson(ExamineBody),
      responses: { 200: { description: 'The findings', schema: DoctorReport } },
      problems: [...CONNECTOR_PROBLEMS, 'examination_running', 'insufficient_permission'],
      handle: async ({ params: { connectorId }, caller, readBody, req }) => {
        const connector = requireConnector(await access(caller, readAgentId(req, caller)), connectorId);
        const { legs: hasLegs } = readBody();
        if (hasLegs && !(await rights.isIntegrator(caller))) throw notPermitted('owner, admin or developer');
        const { organizationId, userId } = caller;
        await limitUser(limiter, 'examinations', caller);
        const key = JSON.stringify([organizationId, connector.id]);
        if (running.has(key)) throw alreadyRunning();
        running.add(key);
        try {
          const legs: Leg[] = [];
          const found = await examine(caller, connector, (leg) => legs.push(leg));
          const about = { connector_id: connector.id, organization_id: organizationId, user_id: userId };
          const { status, firstFault } = found;
          deps.recordUserAction('delegation.examined', {
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
          return ok({
            connector_id: connector.id,
            examined_at: clock().toISOString(),
            ...toWire(found, await rights.isAdministrator(caller)),
            ...(hasLegs && { legs: legs.map(legToWire) }),
          });
        } finally {
          running.delete(key);
        }
      },
    }),
  ];
}

const alreadyRunning = (): Problem =>
  problem('examination_running', {
    detail: 'This connector is being examined at the moment. Try again when that has ended.',
    headers: { 'Retry-After': '5' },
  });
