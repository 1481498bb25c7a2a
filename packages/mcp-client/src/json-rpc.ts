import { isObject, parseObject } from '@legate/mcp-wire';
import { membersOf } from './json-members.ts';
import type { McpAnswer } from './mcp-answer.ts';

/** A JSON-RPC 2.0 response (§5) to one of our requests. */
export type RpcAnswer = Extract<McpAnswer, { kind: 'result' | 'input_required' | 'error' | 'unusable' }>;

/**
 * Extracts the original text of the result from a response. Most servers put the known members before or after it, and
 * if the part between is valid JSON, so is the whole: this costs one parse of the result. A response with another order
 * of members is scanned once more.
 */
export function readRpcAnswer(answer: string, id: number, status: number): RpcAnswer {
  const text = answer.trim();
  const json =
    between(text, `{"jsonrpc":"2.0","id":${id},"result":`, '}') ??
    between(text, '{"result":', `,"jsonrpc":"2.0","id":${id}}`);
  const result = json === undefined ? undefined : parseObject(json);
  return json !== undefined && result ? toResult(json, result) : readAnyOrder(text, id, status);
}

function between(text: string, start: string, end: string): string | undefined {
  return text.startsWith(start) && text.endsWith(end) && text.length > start.length + end.length
    ? text.slice(start.length, -end.length)
    : undefined;
}

function readAnyOrder(text: string, id: number, status: number): RpcAnswer {
  const message = parseObject(text);
  if (!message) return { kind: 'unusable', reason: 'its answer is not a JSON object' };
  if (isObject(message.error)) {
    const { code, message: said } = message.error;
    return {
      kind: 'error',
      isOurs: message.id === id,
      code: typeof code === 'number' ? code : 0,
      message: typeof said === 'string' ? said : '',
      data: 'data' in message.error ? dataIn(text) : undefined,
      status,
    };
  }
  if (message.id !== id || !isObject(message.result))
    return { kind: 'unusable', reason: 'its answer is not one to our request' };
  return toResult(membersOf(text).get('result') ?? '', message.result);
}

/** Maximum size in bytes of an error's data that is passed on */
const MAX_DATA_BYTES = 16_384;

function dataIn(text: string): string | undefined {
  const data = membersOf(membersOf(text).get('error') ?? '').get('data');
  return data === undefined || Buffer.byteLength(data) > MAX_DATA_BYTES ? undefined : data;
}

function toResult(json: string, result: Record<string, unknown>): RpcAnswer {
  // Servers of earlier revisions send no result type.
  if (result.resultType === undefined || result.resultType === 'complete')
    return { kind: 'result', json, result };
  return result.resultType === 'input_required'
    ? { kind: 'input_required', json, result }
    : { kind: 'unusable', reason: 'its result is of an unknown type' };
}
