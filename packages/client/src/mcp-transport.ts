import {
  CAPABILITY_MISSING,
  encodeHeaderValue,
  eventsOf,
  HEADER_MISMATCH,
  INVALID_PARAMS,
  isEventStream,
  modernRequest,
  type ParamHeader,
  paramValuesOf,
  readParamHeaders,
} from '@legate/mcp-wire';
import type { Failure, Outcome } from './outcome.ts';
import { type HubProblem, type Remedies, toFailure } from './read-problem.ts';
import { toResult, unreadable } from './read-result.ts';
import { type Send, unreachable } from './send.ts';
import { type LeftOut, type LegateTool, type ToolList, toTool } from './tool.ts';
import type { CallOptions, OnElicitation, Transport } from './transport.ts';
import { isObject, type Json, numberOf, objectsOf, readJson, stringOf } from './wire.ts';

/** The id of every request: each request has its own stream, so the id need not be unique. */
const ID = 1;
/** Characters of a message in a stream: four times the longest result of a tool that the hub passes on */
const MAX_MESSAGE_LENGTH = 16_777_216;
/** Maximum number of questions that a tool may ask its user in one call */
const MAX_ROUNDS = 10;

/** The hub's response: a JSON-RPC result, or an error */
interface Answer {
  readonly kind: 'answer';
  readonly result: Json | undefined;
  readonly error: Json | undefined;
  readonly status: number;
  readonly callId: string | undefined;
}

/** Calls tools by MCP at `/mcp`, with streams: for progress, and for tools that ask their user questions. */
export function mcpTransport(
  send: Send,
  remedies: Remedies,
  { hub, onElicitation }: { readonly hub: string; readonly onElicitation: OnElicitation | undefined },
): Transport {
  const capabilities = onElicitation ? { elicitation: { form: {} } } : {};
  /** Arguments that tools require in headers, by the tool's name */
  const declared = new Map<string, readonly ParamHeader[]>();

  async function ask(
    request: { method: 'tools/list' | 'tools/call'; params: Json; name?: string },
    { signal, onProgress }: CallOptions,
  ): Promise<Answer | Failure> {
    const { name = '', params } = request;
    const args = isObject(params.arguments) ? params.arguments : {};
    const message = modernRequest({
      ...request,
      id: ID,
      capabilities,
      wantsProgress: onProgress !== undefined,
      paramHeaders: paramHeadersOf(declared.get(name) ?? [], args),
    });
    const response = await send('/mcp', { method: 'POST', ...message, signal, isStreamed: true });
    if (!(response instanceof Response)) return response;
    try {
      const answer = await readAnswer(response, onProgress);
      return answer ?? unreadable(undefined);
    } catch (cause) {
      signal?.throwIfAborted();
      return unreachable(hub, cause);
    }
  }

  const listTools: Transport['listTools'] = async (options) => {
    const tools: LegateTool[] = [];
    const leftOut: LeftOut[] = [];
    let cursor: string | undefined;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const answer = await ask({ method: 'tools/list', params }, options);
      const page = answer.kind === 'answer' ? answer.result : undefined;
      if (!page) return { tools: [], leftOut: [], failure: failureOf(answer, remedies) };
      tools.push(...objectsOf(page.tools).flatMap(readTool));
      leftOut.push(...readLeftOut(page, remedies));
      cursor = stringOf(page.nextCursor);
    } while (cursor !== undefined);
    for (const { name, inputSchema } of tools) declared.set(name, readParamHeaders(inputSchema) ?? []);
    return { tools, leftOut, failure: undefined } satisfies ToolList;
  };

  /**
   * Calls a tool, and a second time if the hub refused the call, without reading it, because headers that the tool
   * requires were missing.
   */
  async function callOnce(name: string, params: Json, options: CallOptions): Promise<Answer | Failure> {
    const request = { method: 'tools/call', name, params } as const;
    const answer = await ask(request, options);
    if (answer.kind !== 'answer' || answer.error?.code !== HEADER_MISMATCH) return answer;
    await listTools(options);
    return ask(request, options);
  }

  return {
    listTools,
    async callTool(name, args, options) {
      let further: Json = {};
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const answer = await callOnce(name, { name, arguments: args, ...further }, options);
        if (answer.kind !== 'answer' || !answer.result) return failureOf(answer, remedies);
        const { result } = answer;
        if (result.resultType !== 'input_required') return toOutcome(result, answer, remedies);
        if (!onElicitation) break; // the client did not offer elicitation
        further = await answersTo(result, (question) => onElicitation(question, name));
      }
      return unreadable('the tool keeps asking for input');
    },
  };
}

const paramHeadersOf = (declared: readonly ParamHeader[], args: Json): Readonly<Record<string, string>> =>
  Object.fromEntries(paramValuesOf(declared, args).map(([name, value]) => [name, encodeHeaderValue(value)]));

/** @returns undefined if it is not a JSON-RPC response */
async function readAnswer(
  response: Response,
  onProgress: CallOptions['onProgress'],
): Promise<Answer | undefined> {
  const { status, headers, body } = response;
  const callId = headers.get('Legate-Call-Id') ?? undefined;
  const isStream = isEventStream(headers.get('Content-Type'));
  const message = isStream && body ? await readStream(body, onProgress) : await readJson(response);
  if (!isObject(message)) return undefined;
  const result = isObject(message.result) ? message.result : undefined;
  const error = isObject(message.error) ? message.error : undefined;
  return result || error ? { kind: 'answer', result, error, status, callId } : undefined;
}

async function readStream(body: ReadableStream<Uint8Array>, onProgress: CallOptions['onProgress']) {
  for await (const data of eventsOf(body, MAX_MESSAGE_LENGTH)) {
    const message: unknown = JSON.parse(data);
    if (!isObject(message)) continue;
    if (message.id === ID && message.method === undefined) return message;
    if (message.method !== 'notifications/progress' || !isObject(message.params)) continue;
    const { progress, total, message: text } = message.params;
    if (typeof progress !== 'number') continue;
    onProgress?.({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof text === 'string' && { message: text }),
    });
  }
  throw new Error('the stream ended without a response');
}

/** Converts a JSON-RPC error. The hub's own errors have the hub's code in their data; others are from tool servers. */
function failureOf(answer: Answer | Failure, remedies: Remedies): Failure {
  if (answer.kind !== 'answer') return answer;
  const { error = {}, callId } = answer;
  const data = isObject(error.data) ? error.data : {};
  const code = stringOf(data.code) ?? codeOf(error.code);
  const problem: HubProblem = {
    status: typeof error.code === 'number' && error.code >= 400 ? error.code : answer.status,
    members: { ...data, code },
    callId,
    retryAfterSeconds: undefined,
    authorization: data.authorization,
    detail: stringOf(error.message),
  };
  return toFailure(problem, remedies);
}

function codeOf(code: unknown): string {
  if (code === INVALID_PARAMS) return 'invalid_arguments';
  return code === CAPABILITY_MISSING ? 'agent_capability_missing' : 'tool_server_error';
}

function toOutcome(result: Json, answer: Answer, remedies: Remedies): Outcome {
  const meta = isObject(result._meta) ? result._meta : {};
  const callId = stringOf(meta['legate/call_id']) ?? answer.callId;
  const members = meta['legate/problem'];
  if (!isObject(members))
    return toResult(result, { callId, actsAs: meta['legate/acts_as'] === 'service' ? 'service' : 'user' });
  const [text] = objectsOf(result.content);
  const authorization = meta['legate/authorization'];
  return toFailure(
    {
      // There is no HTTP status, so for an unknown code the member `legate/authorization` decides.
      status: authorization === undefined ? 503 : 403,
      members,
      callId,
      retryAfterSeconds: numberOf(members.retry_after_seconds),
      authorization,
      detail: stringOf(text?.text),
    },
    remedies,
  );
}

function readTool(item: Json): LegateTool[] {
  const meta = isObject(item._meta) ? item._meta : {};
  const origin = meta['legate/tool'];
  if (typeof item.name !== 'string' || !isObject(origin)) return [];
  const { connector_id: connectorId, slug } = origin;
  if (typeof connectorId !== 'string' || typeof slug !== 'string') return [];
  return [toTool(item, item.name, { connectorId, slug })];
}

function readLeftOut(page: Json, remedies: Remedies): LeftOut[] {
  const meta = isObject(page._meta) ? page._meta : {};
  return objectsOf(meta['legate/left_out']).map(({ connector_id, code, count }) => {
    const about = {
      connectorId: stringOf(connector_id) ?? '',
      slug: undefined,
      connectorName: undefined,
    };
    if (code === 'items_unusable') return { ...about, unusable: numberOf(count) ?? 1 };
    const isTooLong = code === 'list_too_long';
    const members = {
      connector_id,
      code: isTooLong ? 'tool_server_error' : code,
      detail: isTooLong ? 'The list of tools is too long.' : 'The tools cannot be listed.',
    };
    const unknown = { callId: undefined, retryAfterSeconds: undefined, authorization: undefined };
    return { ...about, failure: toFailure({ status: 503, members, ...unknown }, remedies) };
  });
}

/** @see MCP 2026-07-28, "Multi round-trip requests" */
async function answersTo(
  { inputRequests, requestState }: Json,
  ask: (question: { message: string; requestedSchema: Json }) => ReturnType<OnElicitation>,
): Promise<Json> {
  const inputResponses: Record<string, unknown> = {};
  for (const [key, request] of Object.entries(isObject(inputRequests) ? inputRequests : {})) {
    const params = isObject(request) && isObject(request.params) ? request.params : {};
    const requestedSchema = isObject(params.requestedSchema) ? params.requestedSchema : { type: 'object' };
    inputResponses[key] = await ask({ message: stringOf(params.message) ?? '', requestedSchema });
  }
  return { inputResponses, ...(requestState !== undefined && { requestState }) };
}
