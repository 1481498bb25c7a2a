import type { Request, RequestHandler, Response } from 'express';
import type { CallTrail, RunningCall } from '../../audit/call-trail.ts';
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
  trail: Pick<CallTrail, 'begin'>;
}): RequestHandler<CallParams> {
  const { access, watch, tools, trail } = deps;

  async function callTool(req: CallRequest, res: Response, call: RunningCall, presence: Presence) {
    const caller = callerOf(res);
    const { connectorId, name } = req.params;
    const own = await access(caller, readAgentId(req));
    call.tell({ step: 'connectors_found' });
    const connector = requireConnector(own, connectorId);
    call.tell({ step: 'target_found', connector, name });
    const options = { observer: call, presence, admitted: admissionOf(res).settled };
    return tools.call(caller, connector, parseToolName(name), parseToolCall(req.body), options);
  }

  async function carryOut(req: CallRequest, res: Response, call: RunningCall) {
    const { connectorId, name } = req.params;
    call.tell({ step: 'addressed', connectorId, name });
    const presence = Presence.of(res);
    const waiting = { caller: callerOf(res), presence, observer: call, at: { connectorId } };
    try {
      return await untilEnded(watch, waiting, () =>
        besideCount(admissionOf(res), () => callTool(req, res, call, presence)),
      );
    } catch (err) {
      call.tell({ step: 'failed', error: err });
      throw err;
    } finally {
      call.end();
    }
  }

  async function serve(req: CallRequest, res: Response): Promise<void> {
    const caller = callerOf(res);
    const call = trail.begin('tool', caller);
    res.setHeader(CALL_ID_HEADER, call.id);
    const { json, fromCache, actsAs } = await carryOut(req, res, call);
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Legate-Token-Cache', fromCache ? 'hit' : 'miss');
    res.setHeader('Legate-Acts-As', actsAs);
    endAnswer(res, json, caller.memory); // as the tool server wrote it
  }

  return async (req, res) => {
    try {
      await serve(req, res);
    } finally {
      admissionOf(res).leave();
    }
  };
}
