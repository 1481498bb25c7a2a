import type { ClientExtensions } from './client-extensions.ts';
import { type JsonMembers, NO_MEMBERS } from './json-members.ts';
import type { LogLevel } from './log-message.ts';

/** A request to a tool server, independent of the protocol revision. */
export interface McpRequest {
  readonly method:
    | 'tools/list'
    | 'tools/call'
    | 'resources/list'
    | 'resources/templates/list'
    | 'resources/read'
    | 'prompts/list'
    | 'prompts/get'
    | 'completion/complete'
    /** Sent only by `createMcpListen`: the response is a stream */
    | 'subscriptions/listen'
    /** The server's description of itself; at an older server the result of `initialize` */
    | 'server/discover';
  /** Repeated in `Mcp-Name`: the name of a tool or prompt, or the URI of a resource */
  readonly name?: string;
  /** `params` as JSON text, without `_meta` and without blanks around the object */
  readonly params: string;
  /** Alternating names and values of the arguments that a tool requires in headers */
  readonly paramHeaders?: readonly string[] | undefined;
  /** The agent on whose behalf the request is sent, if there is one */
  readonly agent?: AgentSide | undefined;
}

/** Returns a request for the server's description of itself, to be sent before another request. */
export const discoveryFor = ({ agent }: McpRequest): McpRequest => ({
  method: 'server/discover',
  params: '{}',
  ...(agent?.extensions && { agent: { ...NO_AGENT, extensions: agent.extensions } }),
});

/** Returns true if sending the request twice may have an effect twice. */
export const mayHaveEffect = ({ method }: McpRequest): boolean =>
  !method.endsWith('/list') && method !== 'server/discover';

/** A server's request to its client while it processes a call. */
export interface ServerRequest {
  /** The original JSON text */
  readonly id: string;
  readonly method: string;
}

/** Data about an agent that this client passes on to a tool server. */
export interface AgentSide {
  /** The agent's own members of `_meta`, passed on unchanged. The protocol's are set here. */
  readonly meta: JsonMembers;
  /** Modern revision: the features that a tool may request from the agent */
  readonly capabilities: JsonMembers;
  /** Extensions that the agent's client declares */
  readonly extensions?: ClientExtensions | undefined;
  readonly wantsProgress: boolean;
  /** Modern revision: the lowest level of tool server logs that the agent wants */
  readonly logLevel?: LogLevel | undefined;
}

export const NO_AGENT: AgentSide = {
  meta: NO_MEMBERS,
  capabilities: NO_MEMBERS,
  wantsProgress: false,
};
