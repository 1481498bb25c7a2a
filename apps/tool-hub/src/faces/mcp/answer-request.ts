import { type Counter, type Logger, Problem } from '@legate/service';
import type { Request, Response } from 'express';
import type { RunningCall } from '../../audit/call-trail.ts';
import { type ConnectorAccess, readAgentId } from '../../connectors/access.ts';
import { countedRequestOf } from '../../limits/fair-use.ts';
import { type Endings, untilEnded } from '../../sign-in/endings.ts';
import { AgentAnswer } from './agent-answer.ts';
import type { AgentRequest } from './agent-request.ts';
import type { AgentSessions } from './agent-sessions.ts';
import type { AgentStream } from './agent-task.ts';
import { withDenial } from './denials.ts';
import { toRpcError } from './errors.ts';
import type { FlightOwner, InFlight } from './in-flight.ts';
import { openMcpEndpoint } from './mcp-endpoint.ts';
import { findMethod } from './mcp-methods.ts';
import type { AnswerAgent } from './methods.ts';

/** @throws {Problem} errors that determine the HTTP response as a whole */
export type AnswerRequest = (
  req: Request,
  res: Response,
  request: AgentRequest,
  owner: FlightOwner,
  call: RunningCall | undefined,
) => Promise<void>;

/** Answers a request that has been parsed and counted, until its caller disconnects or loses access. */
export function createAnswerRequest(deps: {
  watch: Endings['watch'];
  access: ConnectorAccess;
  sessions: Pick<AgentSessions, 'begin'>;
  answerAgent: AnswerAgent;
  inFlight: Pick<InFlight, 'enter'>;
  publicUrl: string;
  /** Counts the requests of agents, by outcome */
  requests: Counter<'era' | 'method' | 'outcome'>;
  log: Logger;
}): AnswerRequest {
  const { watch, access, sessions, answerAgent, inFlight, publicUrl, requests, log } = deps;

  /** Maps unknown methods to one label, because callers can send any text as method. */
  const count = ({ era, method }: AgentRequest, outcome: string): void =>
    requests.inc({ era, method: findMethod(method) ? method : 'other', outcome });

  return async (req, res, request, owner, call) => {
    const { caller } = owner;
    const { id, era, progressToken, agent } = request;
    const acceptsStream = /text\/event-stream|\*\/\*/.test(req.headers.accept ?? '*/*');
    const asked = { id, progressToken, logLevel: agent.logLevel, acceptsStream };
    const agentAnswer = new AgentAnswer(res, asked, caller.memory);
    const { presence } = agentAnswer;
    const { counted } = countedRequestOf(res);
    const leave = era === 'legacy' ? inFlight.enter(owner, id, () => presence.leave()) : undefined;
    const at: { connectorId: string | undefined } = { connectorId: undefined };
    try {
      // Starts before the connectors are looked up, so that a revocation from now on cancels the request.
      const waiting = { caller, presence, counted, observer: call, at };
      const json = await untilEnded(watch, waiting, async () => {
        if (!call) await counted;
        const { connectorId } = req.params;
        const lookAgain = async () => {
          const own = await access(caller, readAgentId(req, caller));
          return openMcpEndpoint(own, typeof connectorId === 'string' ? connectorId : undefined);
        };
        const endpoint = await lookAgain();
        call?.report({ step: 'connectors_found' });
        if (endpoint.isSingle) {
          [at.connectorId] = endpoint.connectors.keys();
          call?.report({ step: 'addressed', connectorId: at.connectorId, name: nameOf(request) });
        }
        if (request.method === 'initialize')
          res.setHeader('Mcp-Session-Id', sessions.begin(caller, request.written.get('capabilities')));
        const interim = agentAnswer;
        const stream = streamOf(agentAnswer, res);
        return answerAgent({
          ...{ caller, endpoint, request, presence, interim, stream, lookAgain },
          ...{ call, counted, at },
        });
      });
      count(request, presence.hasLeft ? 'cancelled' : 'result');
      if (presence.hasLeft) agentAnswer.end();
      else agentAnswer.result(json);
    } catch (err) {
      const isCancelled = presence.hasLeft && !presence.cutBy;
      count(request, isCancelled ? 'cancelled' : 'error');
      call?.report({ step: 'failed', error: err });
      if (isCancelled) return agentAnswer.end();
      // Determines the HTTP response as a whole, unless it has started.
      if (err instanceof Problem && !res.headersSent) throw err;
      const denied = { publicUrl, callId: call?.id, agentId: caller.origin?.agentId };
      const rpcError = withDenial(toRpcError(err), denied);
      const isExpected = err instanceof Problem && err.isExpected;
      if (rpcError.status >= 500 && !isExpected) log.error({ err }, 'agent request failed');
      agentAnswer.error(rpcError);
    } finally {
      leave?.();
    }
  };
}

/** Streams are left out of the durations: the time that a stream is open does not show how fast it was answered. */
const streamOf = (agentAnswer: AgentAnswer, res: Response): AgentStream => ({
  isAccepted: agentAnswer.acceptsStream,
  write(json) {
    res.locals.answeredAtMs ??= performance.now();
    agentAnswer.sendOnStream(json);
  },
});

export const nameOf = ({ params }: AgentRequest): string | undefined =>
  typeof params.name === 'string' ? params.name : undefined;
