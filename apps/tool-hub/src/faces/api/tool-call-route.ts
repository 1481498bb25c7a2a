import { type ActsAs, actsAs } from '@legate/delegation';
import {
  INVALID_PARAMS,
  isDeeperThan,
  isObject,
  type JsonObject,
  METHOD_NOT_FOUND,
  membersOf,
  writeObject,
} from '@legate/mcp-client';
import { endAnswer, type Problem, toPointer, validationFailed } from '@legate/service';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { CallTrail, RunningCall } from '../../audit/call-trail.ts';
import type { CallTool } from '../../calls/call-tool.ts';
import type { ListTools } from '../../calls/list-tools.ts';
import { type ConnectorAccess, readAgentId, requireConnector } from '../../connectors/access.ts';
import { CALL_ID_HEADER } from '../../domain/call-id.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import { metaWith } from '../../domain/our-keys.ts';
import { Presence } from '../../domain/presence.ts';
import type { Served } from '../../domain/served.ts';
import { countedRequestOf, runInPlace } from '../../limits/fair-use.ts';
import { argumentsRefused, toolNotFound, toolServerProblem } from '../../refusals/tool-server-problems.ts';
import { bodyTextOf } from '../../requests/read-json.ts';
import { type Endings, untilEnded } from '../../sign-in/endings.ts';
import { type HubOperation, operation, optionalJson } from './operation.ts';
import { TOOL_SERVER_PROBLEMS } from './problem-groups.ts';

const ToolResult = z
  .looseObject({
    content: z.array(z.looseObject({ type: z.string() })).optional(),
    structuredContent: z.unknown().optional(),
    isError: z.boolean().optional().describe('The tool server reported an error'),
  })
  .describe('The `CallToolResult` of MCP, as the tool server sent it')
  .meta({ id: 'CallToolResult' });

/** Describes the body, which `parseToolCall` reads: it keeps the arguments as they were written. */
const Arguments = z
  .strictObject({
    arguments: z.record(z.string(), z.unknown()).optional().describe('Nested at most 64 levels deep'),
  })
  .optional();

interface ToolCallRequest {
  readonly params: { readonly connectorId: string; readonly name: string };
  readonly caller: Caller;
  readonly req: Request;
  readonly res: Response;
}

interface ToolCallDependencies {
  access: ConnectorAccess;
  /** Cancels a request if its session ends meanwhile. */
  watch: Endings['watch'];
  callTool: CallTool;
  listTools: ListTools;
  trail: Pick<CallTrail, 'begin'>;
  /** Time limit of one call, including all requests to the tool server */
  timeoutMs: number;
}

/** `POST /connectors/{connector_id}/tools/{name}/call` */
export const toolCallOperation = (deps: ToolCallDependencies): HubOperation =>
  operation('callTool', 'post', '/connectors/{connector_id}/tools/{name}/call', {
    summary: 'Call a tool as the user',
    description:
      'The tool may have run even if the response is a problem. After a 503, for example, find out before you repeat the call.',
    access: 'agents',
    readsSignOuts: true,
    countedMeanwhile: true,
    body: optionalJson(Arguments),
    responses: {
      200: {
        description: 'What the tool returned',
        schema: ToolResult,
        headers: ['Legate-Acts-As', 'Legate-Token-Cache', 'Legate-Call-Id'],
      },
    },
    problems: [
      ...TOOL_SERVER_PROBLEMS,
      ...(['validation_failed', 'invalid_arguments', 'tool_not_found', 'audit_unavailable'] as const),
      'agent_capability_missing',
    ],
    serve: answerToolCall(deps),
  });

/**
 * Answers an application's tool call, from its id to its answer; `mountApi` lists the steps. A call that must be
 * audited is refused at `begin` if there is no room for its event.
 */
function answerToolCall(deps: ToolCallDependencies): (request: ToolCallRequest) => Promise<void> {
  const { access, watch, callTool, listTools, trail, timeoutMs } = deps;

  async function serve(request: ToolCallRequest): Promise<void> {
    const { caller, res } = request;
    const call = trail.begin('tool', caller);
    res.setHeader(CALL_ID_HEADER, call.id);
    const { json, fromCache, actsAs: as } = await carryOut(request, call);
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Legate-Token-Cache', fromCache ? 'hit' : 'miss');
    res.setHeader('Legate-Acts-As', as);
    endAnswer(res, json, caller.memory); // as the tool server wrote it
  }

  async function carryOut(request: ToolCallRequest, call: RunningCall): Promise<Result> {
    const { params, caller, res } = request;
    const { connectorId, name } = params;
    call.report({ step: 'addressed', connectorId, name });
    const presence = Presence.of(res);
    const { counted } = countedRequestOf(res);
    const waiting = { caller, presence, counted, observer: call, at: { connectorId } };
    try {
      return await untilEnded(watch, waiting, () => callAtConnector(request, call, presence));
    } catch (err) {
      call.report({ step: 'failed', error: err });
      throw err;
    } finally {
      call.end();
    }
  }

  async function callAtConnector(request: ToolCallRequest, call: RunningCall, presence: Presence) {
    const { params, caller, req, res } = request;
    const own = await access(caller, readAgentId(req, caller));
    call.report({ step: 'connectors_found' });
    const connector = requireConnector(own, params.connectorId);
    call.report({ step: 'target_found', connector, name: params.name });
    const name = parseToolName(params.name);
    const args = parseToolCall(req.body, bodyTextOf(res));
    const deadline = performance.now() + timeoutMs;
    const options = { deadline, presence, observer: call, counted: countedRequestOf(res).counted };
    const { answer, credential, fromCache } = await callTool(
      caller,
      connector,
      { name, arguments: args },
      options,
    );
    if (answer.kind === 'result') return { json: jsonOf(answer), fromCache, actsAs: actsAs(credential) };
    const hasTool = () =>
      listTools(caller, connector, deadline).then(
        ({ tools }) => tools.some((tool) => tool.name === name),
        () => true, // unknown, so assumed to be true
      );
    throw await problemOf(answer, connector, name, hasTool);
  }

  return (request) => runInPlace(request.res, () => serve(request));
}

interface Result {
  /** MCP CallToolResult, which may contain `isError` */
  readonly json: string;
  readonly fromCache: boolean;
  readonly actsAs: ActsAs;
}

type Answer<Kind> = Extract<Served['answer'], { kind: Kind }>;

/** Returns a result with its members as the tool server wrote them, without the hub's reserved keys. */
function jsonOf({ json }: Answer<'result'>): string {
  const members = membersOf(json);
  const meta = metaWith(members.get('_meta'));
  return writeObject(meta === undefined ? members : members.set('_meta', meta));
}

async function problemOf(
  answer: Exclude<Served['answer'], Answer<'result'>>,
  connector: Connector,
  name: string,
  hasTool: () => Promise<boolean>,
): Promise<Problem> {
  if (answer.kind !== 'error') return toolServerProblem(answer, connector);
  if (answer.code === METHOD_NOT_FOUND) return toolNotFound(name, connector);
  if (answer.code !== INVALID_PARAMS) return toolServerProblem(answer, connector);
  // Servers return the same error for a tool that does not exist.
  return (await hasTool()) ? argumentsRefused(answer.message) : toolNotFound(name, connector);
}

/** Tool servers and their JSON libraries may crash on input nested much deeper than any real argument. */
const MAX_DEPTH = 64;
const MAX_NAME_LENGTH = 128;

/**
 * Parses `{"arguments": {…}}`; no body means no arguments.
 * @param json the same body, as text
 * @throws {Problem} 400
 */
export function parseToolCall(body: unknown, json: string): JsonObject {
  if (body === undefined) return NO_ARGUMENTS;
  if (!isObject(body))
    throw validationFailed([{ pointer: '', code: 'invalid_type', detail: 'Must be an object.' }]);
  for (const member of Object.keys(body)) {
    if (member !== 'arguments')
      throw validationFailed([
        {
          pointer: toPointer([member.slice(0, MAX_NAME_LENGTH)]),
          code: 'unknown_field',
          detail: 'Unknown field.',
        },
      ]);
  }
  const args = body.arguments ?? {};
  if (!isObject(args))
    throw validationFailed([{ pointer: '/arguments', code: 'invalid_type', detail: 'Must be an object.' }]);
  if (isDeeperThan(args, MAX_DEPTH))
    throw validationFailed([
      { pointer: '/arguments', code: 'too_deep', detail: `Must be nested at most ${MAX_DEPTH} deep.` },
    ]);
  return body.arguments ? { value: args, json: membersOf(json).get('arguments') ?? '{}' } : NO_ARGUMENTS;
}

const NO_ARGUMENTS: JsonObject = { value: {}, json: '{}' };

/** @throws {Problem} 400 for a name that no tool can have */
export function parseToolName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (name.length <= MAX_NAME_LENGTH && !/[\x00-\x1F\x7F]/.test(name)) return name;
  throw validationFailed([
    {
      parameter: 'name',
      code: 'invalid_format',
      detail: `Must have at most ${MAX_NAME_LENGTH} characters, all of them printable.`,
    },
  ]);
}
