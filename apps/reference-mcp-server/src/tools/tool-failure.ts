import type { Logger } from '@legate/service';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** A failure whose message is meant for the caller; any other failure gets a fixed text. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** Returns a result in both forms that clients read: structured, and as text for models. */
export const structured = (content: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: content,
});

/** Replaces the message of an unexpected error, which the SDK would send to the caller. */
export async function answerOrFail(
  log: Logger,
  tool: string,
  run: () => Promise<Record<string, unknown>>,
): Promise<CallToolResult> {
  try {
    return structured(await run());
  } catch (err) {
    if (!(err instanceof ToolFailure)) log.error({ err, tool }, 'tool failed');
    const text = err instanceof ToolFailure ? err.message : 'The tool failed. The failure was logged.';
    return { content: [{ type: 'text', text }], isError: true };
  }
}
