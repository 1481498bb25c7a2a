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

/** Codes of errors in the hub's own request, which would be wrong for the agent's request */
const OF_ONE_HOP: readonly number[] = [HEADER_MISMATCH, CAPABILITY_MISSING, UNSUPPORTED_VERSION];

/** Maximum bytes of a message */
const MAX_MESSAGE_LENGTH = 1024;

/** Returns true if a tool server's error is passed on unchanged. The hub translates all others for the agent. */
export const isOfTool = ({ code, status }: UpstreamError): boolean =>
  !OF_ONE_HOP.includes(code) && status !== 413;

/** Returns a tool server's error for the agent: its code and data unchanged, and its message shortened if necessary. */
export function upstreamError({ code, message, data }: UpstreamError): RpcError {
  const text = withinBounds(message);
  const fallback = code === INVALID_PARAMS ? 'Invalid params' : 'The tool server returned an error';
  return new RpcError(codeOf(code), text === '' ? fallback : text, { dataText: data });
}

/** Replaces codes 400 to 599, which are those of the hub's own errors and must not be imitated by a tool server. */
const codeOf = (code: number): number =>
  !Number.isSafeInteger(code) || (code >= 400 && code <= 599) ? INTERNAL_ERROR : code;

function withinBounds(message: string): string {
  const bytes = Buffer.from(message.replace(CONTROL, ' '));
  let end = Math.min(bytes.length, MAX_MESSAGE_LENGTH);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // moves back to the start of a character
  return bytes.toString('utf8', 0, end).trim();
}

const CONTROL = /\p{Cc}+/gu;
