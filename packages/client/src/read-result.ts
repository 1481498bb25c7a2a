import type { Failure, Result } from './outcome.ts';
import { unavailable } from './send.ts';
import { type Json, objectsOf, stringOf } from './wire.ts';

/** Converts a `CallToolResult` of MCP. */
export const toResult = (body: Json, { callId, actsAs }: Pick<Result, 'callId' | 'actsAs'>): Result => ({
  kind: 'result',
  content: objectsOf(body.content).map((block) => ({ ...block, type: stringOf(block.type) ?? 'unknown' })),
  structuredContent: body.structuredContent,
  isError: body.isError === true,
  actsAs,
  callId,
});

export const unreadable = (body: unknown): Failure =>
  unavailable(
    'answer_unreadable',
    'The response does not come from a hub, or from one that this client does not support.',
    body,
  );
