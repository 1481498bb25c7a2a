import {
  CAPABILITY_MISSING,
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type McpAnswer,
  UNSUPPORTED_VERSION,
} from '@legate/mcp-client';
import { RpcError } from './rpc-error.ts';

type UpstreamError = Extract<McpAnswer, { kind: 'error' }>;

/** Codes of errors that describe the hub's own request, and would be untrue of the agent's */
const OF_ONE_HOP: readonly number[] = [HEADER_MISMATCH, CAPABILITY_MISSING, UNSUPPORTED_VERSION];

/** Bytes */
const MAX_MESSAGE_LENGTH = 1024;

/** Returns true if a tool server's error is passed on unchanged. The hub translates all others for the agent. */
export const isOfTool = ({ code, status }: UpstreamError): boolean =>
  !OF_ONE_HOP.includes(code) && status !== 413;

/** Returns a tool server's error as the agent gets it: code and data as they came, the message within bounds. */
export function upstreamError({ code, message, data }: UpstreamError): RpcError {
  const text = withinBounds(message);
  const fallback = code === INVALID_PARAMS ? 'Invalid params' : 'The tool server returned an error';
  return new RpcError(codeOf(code), text === '' ? fallback : text, { dataText: data });
}

/** Codes 400 to 599 are those of the hub's own errors, which a tool server must not imitate. */
const codeOf = (code: number): number =>
  !Number.isSafeInteger(code) || (code >= 400 && code <= 599) ? INTERNAL_ERROR : code;

function withinBounds(message: string): string {
  const bytes = Buffer.from(message.replace(CONTROL, ' '));
  let end = Math.min(bytes.length, MAX_MESSAGE_LENGTH);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // within a character
  return bytes.toString('utf8', 0, end).trim();
}

const CONTROL = /\p{Cc}+/gu;
