import { type ParamHeader, paramValuesOf } from '@legate/mcp-client';
import { type AgentRequest, headerMismatch } from './message.ts';

/**
 * Whoever routes by headers in front of us must not be told something else than the body. An agent that sends none is
 * believed by its body: the tool server gets them from us in any case.
 */
export function checkParamHeaders(
  { paramHeaders }: AgentRequest,
  args: Readonly<Record<string, unknown>>,
  declared: readonly ParamHeader[],
): void {
  if (paramHeaders.size === 0) return;
  const values = new Map(paramValuesOf(declared, args));
  for (const { name } of declared) {
    const header = `mcp-param-${name.toLowerCase()}`;
    if (paramHeaders.has(header) && paramHeaders.get(header) !== values.get(header))
      throw headerMismatch(`Mcp-Param-${name}`);
  }
}
