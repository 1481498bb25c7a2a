import { api, hub } from '../api/client.ts';
import type { ToolResult } from '../api/types.ts';
import type { Json } from './fields.ts';

export interface CallAnswer {
  readonly result: ToolResult;
  readonly milliseconds: number;
  readonly callId: string | undefined;
  /** The hub still had an access token for this person and connector */
  readonly keptToken: boolean;
  /** The identity with which the hub called the tool server */
  readonly actsAs: 'user' | 'service';
}

/** A call as it was sent: the form may have changed since. */
export interface SentCall {
  readonly connectorId: string;
  readonly tool: string;
  readonly args: Json;
  readonly agentId: string | undefined;
}

const pathOf = (connectorId: string, tool: string): string =>
  `/connectors/${encodeURIComponent(connectorId)}/tools/${encodeURIComponent(tool)}/call`;

/** Calls a tool as an agent would. The call is never repeated, because the tool may have taken effect. */
export async function callTool({ connectorId, tool, args, agentId }: SentCall): Promise<CallAnswer> {
  const begun = performance.now();
  const { data, headers } = await api.send<ToolResult>(hub(pathOf(connectorId, tool)), {
    method: 'POST',
    body: { arguments: args },
    agentId,
  });
  return {
    result: data,
    milliseconds: performance.now() - begun,
    callId: headers.get('legate-call-id') ?? undefined,
    keptToken: headers.get('legate-token-cache') === 'hit',
    actsAs: headers.get('legate-acts-as') === 'service' ? 'service' : 'user',
  };
}

/** Returns the same call as a curl command. The token is a shell variable, because the browser has none. */
export function curlOf(hubUrl: string, { connectorId, tool, args, agentId }: SentCall): string {
  const lines = [
    `curl -s ${quote(`${hubUrl.replace(/\/$/, '')}/api/v1${pathOf(connectorId, tool)}`)}`,
    `-H "Authorization: Bearer $ID_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    ...(agentId === undefined ? [] : [`-H ${quote(`Legate-Agent-Id: ${agentId}`)}`]),
    `-d ${quote(JSON.stringify({ arguments: args }))}`,
  ];
  return lines.join(' \\\n  ');
}

/** Quotes a text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
