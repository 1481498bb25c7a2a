import type { Tool } from '../api/types.ts';
import { saysReadOnly } from './hints.ts';

/** Returns the tool that is easiest to try: read-only and without required arguments, if there is such a tool. */
export const firstTool = (tools: readonly Tool[]): Tool | undefined =>
  tools.find((tool) => saysReadOnly(tool) && takesNothing(tool)) ?? tools.find(saysReadOnly) ?? tools[0];

function takesNothing({ inputSchema }: Tool): boolean {
  const required: unknown = (inputSchema as { readonly required?: unknown } | undefined)?.required;
  return !Array.isArray(required) || required.length === 0;
}
