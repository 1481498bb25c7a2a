/** Returns the configuration with which an MCP client acts as an agent; the hub signs the user in. */
export interface Snippets {
  readonly json: string;
  readonly claude: string;
}

const AGENT_HEADER = 'Legate-Agent-Id';

/** @param hubUrl URL of the hub, as set by the operator */
export function snippetsOf(hubUrl: string, agentId: string): Snippets {
  const url = `${hubUrl.replace(/\/+$/, '')}/mcp`;
  const server = { type: 'http', url, headers: { [AGENT_HEADER]: agentId } };
  return {
    json: JSON.stringify({ mcpServers: { legate: server } }, null, 2),
    claude: `claude mcp add --transport http legate ${url} --header "${AGENT_HEADER}: ${agentId}"`,
  };
}
