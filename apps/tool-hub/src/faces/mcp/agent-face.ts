import type { KnownParamHeaders } from '@legate/mcp-client';
import type { EncryptionKeys } from '@legate/secure-store';
import { Counter, type Logger, type Registry } from '@legate/service';
import { type RequestHandler, Router } from 'express';
import type { CallTrail } from '../../audit/call-trail.ts';
import type { CallTool, SendAsCaller } from '../../calls/call-tool.ts';
import type { ReadList } from '../../calls/list-pages.ts';
import type { ConnectorAccess } from '../../connectors/access.ts';
import type { Admit } from '../../limits/fair-use.ts';
import type { Endings } from '../../sign-in/endings.ts';
import { createAgentSessions } from './agent-sessions.ts';
import type { ListMemory } from './list-memory.ts';
import { createAgentList } from './lists.ts';
import { createMetadataRoutes } from './metadata.ts';
import { createAnswerAgent } from './methods.ts';
import { createRequestStates } from './request-state.ts';
import { createMcpRoutes } from './routes.ts';

/** `/mcp`, `/mcp/{connector_id}`, and what says where to get a token for them. */
export function createAgentFace(deps: {
  publicUrl: string;
  /** Issuer of the ID tokens that are taken */
  issuer: string;
  allowedOrigins: readonly string[];
  authenticate: RequestHandler;
  admit: Admit;
  /** Cancels a request if its session ends meanwhile. */
  watch: Endings['watch'];
  access: ConnectorAccess;
  trail: Pick<CallTrail, 'begin'>;
  send: SendAsCaller;
  readList: ReadList;
  memory: ListMemory;
  callTool: CallTool;
  known: KnownParamHeaders;
  encryptionKeys: EncryptionKeys;
  clock: () => Date;
  toolCallTimeoutMs: number;
  listTimeoutMs: number;
  log: Logger;
  metrics: Registry;
}): Router {
  const { publicUrl, issuer, encryptionKeys: keys, clock } = deps;
  const sessions = createAgentSessions({ keys, clock });
  const { send, readList, memory, callTool, known, log } = deps;
  const answerAgent = createAnswerAgent({
    list: createAgentList({ readList, memory, timeoutMs: deps.listTimeoutMs, clock, log }),
    callTool,
    send,
    known,
    states: createRequestStates({ keys, clock }),
    timeoutMs: deps.toolCallTimeoutMs,
  });
  const requests = new Counter({
    name: 'agent_requests_total',
    help: 'MCP requests of agents, by how they ended; a tool that failed is a result',
    labelNames: ['era', 'method', 'outcome'],
    registers: [deps.metrics],
  });
  return Router().use(
    createMcpRoutes({
      publicUrl,
      allowedOrigins: deps.allowedOrigins,
      authenticate: deps.authenticate,
      admit: deps.admit,
      watch: deps.watch,
      access: deps.access,
      sessions,
      answerAgent,
      trail: deps.trail,
      requests,
      log,
    }),
    createMetadataRoutes({ publicUrl, issuer }),
  );
}
