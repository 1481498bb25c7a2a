import { Counter } from '@legate/service';
import { Router } from 'express';
import type { CallTrail } from '../../audit/call-trail.ts';
import type { Calls } from '../../calls/open.ts';
import type { CallLimits } from '../../calls/settings.ts';
import type { ConnectorAccess } from '../../connectors/access.ts';
import type { CountRequest } from '../../limits/fair-use.ts';
import type { Platform } from '../../platform/platform.ts';
import { authenticate } from '../../sign-in/authenticate.ts';
import type { Endings } from '../../sign-in/endings.ts';
import type { SignIn } from '../../sign-in/open.ts';
import { createAnswerListen } from './agent-listen.ts';
import { createAgentSessions } from './agent-sessions.ts';
import type { createListMemory } from './list-memory.ts';
import { createAgentLists } from './lists.ts';
import { createMetadataRoutes, resourceOf } from './metadata.ts';
import { createAnswerAgent } from './methods.ts';
import type { OpenStreams } from './open-streams.ts';
import { createPresent } from './present.ts';
import { createRequestStates } from './request-state.ts';
import { createMcpRoutes } from './routes.ts';

/** What the MCP endpoint needs from other features */
interface AgentParts {
  /** Where agents get a token, and for which scope */
  readonly tokens: { readonly issuer: string; readonly scope: string };
  readonly allowedOrigins: readonly string[];
  readonly signIn: Pick<SignIn, 'verifyCaller' | 'noteTokenRefusals'>;
  readonly endings: Pick<Endings, 'watch'>;
  readonly access: ConnectorAccess;
  readonly countRequest: CountRequest;
  readonly calls: Pick<Calls, 'readList' | 'callTool' | 'send' | 'listen' | 'known'>;
  readonly limits: Pick<CallLimits, 'toolCallTimeoutMs' | 'listTimeoutMs'>;
  readonly listMemory: ReturnType<typeof createListMemory>;
  readonly streams: OpenStreams;
  readonly trail: CallTrail;
}

/** Opens `/mcp`, `/mcp/{connector_id}`, and the metadata that describes where to get a token for them. */
export function openMcp(platform: Platform, parts: AgentParts): { readonly routes: Router } {
  const { publicUrl, encryptionKeys: keys, clock, log, metrics } = platform;
  const { issuer, scope } = parts.tokens;
  return {
    routes: Router().use(
      createMcpRoutes({
        publicUrl,
        scope,
        allowedOrigins: parts.allowedOrigins,
        authenticate: authenticate(parts.signIn.verifyCaller, 'mcp', platform.memory, ({ params }) => ({
          kind: 'mcp',
          resource: resourceOf(
            publicUrl,
            typeof params.connectorId === 'string' ? params.connectorId : undefined,
          ),
        })),
        noteTokenRefusals: parts.signIn.noteTokenRefusals,
        countRequest: parts.countRequest,
        watch: parts.endings.watch,
        access: parts.access,
        sessions: createAgentSessions({ keys, clock }),
        answerAgent: openAnswerAgent(platform, parts),
        trail: parts.trail,
        requests: new Counter({
          name: 'agent_requests_total',
          help: 'MCP requests of agents, by outcome; a tool error counts as a result',
          labelNames: ['era', 'method', 'outcome'],
          registers: [metrics.registry],
        }),
        log,
      }),
      createMetadataRoutes({ publicUrl, issuer, scope }),
    ),
  };
}

/** Opens the methods of MCP that the hub answers. */
function openAnswerAgent(
  { publicUrl, encryptionKeys: keys, clock, log }: Platform,
  { calls, limits, listMemory: memory, streams }: AgentParts,
) {
  const { readList, callTool, send, listen, known } = calls;
  const timeoutMs = limits.listTimeoutMs;
  return createAnswerAgent({
    lists: createAgentLists({ readList, memory, timeoutMs, clock, log }),
    present: createPresent({ send, memory, timeoutMs, clock, log }),
    callTool,
    send,
    known,
    states: createRequestStates({ keys, clock }),
    answerListen: createAnswerListen({ listen, streams, timeoutMs, clock }),
    publicUrl,
    timeoutMs: limits.toolCallTimeoutMs,
  });
}
