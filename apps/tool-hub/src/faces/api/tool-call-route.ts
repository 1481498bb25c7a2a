import type { Request, RequestHandler, Response } from 'express';
import type { CallRecord } from '../../audit/call-record.ts';
import type { CallTrail } from '../../audit/call-trail.ts';
import type { Tools } from '../../calls/tools.ts';
import { untilEnded } from '../../calls/until-ended.ts';
import { type ConnectorAccess, readAgentId, requireConnector } from '../../connectors/access.ts';
import { CALL_ID_HEADER } from '../../domain/call-id.ts';
import { Presence } from '../../domain/presence.ts';
import { admissionOf, besideCount } from '../../limits/express.ts';
import { callerOf } from '../../sign-in/authenticate.ts';
import { endAnswer } from '../../sign-in/end-answer.ts';
import type { Endings } from '../../sign-in/endings.ts';
import { parseToolCall, parseToolName } from './tool-call-body.ts';

export type CallParams = { connectorId: string; name: string };
type CallRequest = Request<CallParams>;

/** Below the API's path */
export const TOOL_CALL_PATH = '/connectors/:connectorId/tools/:name/call';

/** How an application calls a tool. It is carried out beside the count of the request, which `beginAdmission` began. */
export function answerToolCall(deps: {
  access: ConnectorAccess;
  /** Ends a request whose session ends meanwhile. */
  watch: Endings['watch'];
  tools: Tools;
  trail: Pick<CallTrail, 'begin' | 'end'>;
}): RequestHandler<CallParams> {
  const { access, watch, tools, trail } = deps;

  async function callTool(req: CallRequest, res: Response, record: CallRecord, presence: Presence) {
    const own = await access(record.caller, readAgentId(req));
    record.spent('registry', record.startedAt);
    const connector = requireConnector(own, req.params.connectorId);
    record.at(connector);
    const name = parseToolName(req.params.name);
    const options = { record, presence, admitted: admissionOf(res).settled };
    return tools.call(record.caller, connector, name, parseToolCall(req.body), options);
  }

  async function carryOut(req: CallRequest, res: Response, record: CallRecord) {
    record.connectorId = req.params.connectorId;
    record.tool = req.params.name;
    const presence = Presence.of(res);
    const waiting = { caller: record.caller, presence, record };
    try {
      return await untilEnded(watch, waiting, () =>
        besideCount(admissionOf(res), () => callTool(req, res, record, presence)),
      );
    } catch (err) {
      record.fail(err);
      throw err;
    } finally {
      trail.end(record);
    }
  }

  async function serve(req: CallRequest, res: Response): Promise<void> {
    const record = trail.begin('tool', callerOf(res));
    res.setHeader(CALL_ID_HEADER, record.id);
    const { json, fromCache, actsAs } = await carryOut(req, res, record);
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Legate-Token-Cache', fromCache ? 'hit' : 'miss');
    res.setHeader('Legate-Acts-As', actsAs);
    endAnswer(res, json, record.caller.memory); // as the tool server wrote it
  }

  return async (req, res) => {
    try {
      await serve(req, res);
    } finally {
      admissionOf(res).leave();
    }
  };
}
