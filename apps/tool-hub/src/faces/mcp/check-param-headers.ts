import { type ParamHeader, paramValuesOf } from '@legate/mcp-client';
import { type AgentRequest, headerMismatch } from './message.ts';

/**
 * A proxy that routes by headers must not see values that differ from the body. Missing headers are accepted: the hub
 * sends them to the tool server itself.
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
