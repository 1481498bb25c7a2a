/** The configuration with which an MCP client acts as an agent; the hub signs its user in. */
export interface Snippets {
  readonly json: string;
  readonly claude: string;
}

const AGENT_HEADER = 'Legate-Agent-Id';

/** @param hubUrl the hub's address, as the operator has set it */
export function snippetsOf(hubUrl: string, agentId: string): Snippets {
  const url = `${hubUrl.replace(/\/+$/, '')}/mcp`;
  const server = { type: 'http', url, headers: { [AGENT_HEADER]: agentId } };
  return {
    json: JSON.stringify({ mcpServers: { legate: server } }, null, 2),
    claude: `claude mcp add --transport http legate ${url} --header "${AGENT_HEADER}: ${agentId}"`,
  };
}
