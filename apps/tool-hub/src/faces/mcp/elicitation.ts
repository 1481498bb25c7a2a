import { isObject } from '@legate/mcp-client';

/**
 * Returns true if an agent with this capability can ask its user in this mode. An empty object means forms only (MCP, Elicitation,
 * "Capabilities").
 */
export const elicits = (elicitation: unknown, mode: 'form' | 'url'): boolean =>
  isObject(elicitation) &&
  (mode in elicitation || (mode === 'form' && Object.keys(elicitation).length === 0));
