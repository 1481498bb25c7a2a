import type { MemoryHold, TraceContext } from '@legate/service/outbound';
import type { Dispatcher } from 'undici';
import type { JsonMembers } from './json-members.ts';
import type { ListKind } from './list-kinds.ts';
import type { LogMessage } from './log-message.ts';
import type { McpRequest } from './mcp-request.ts';

/**
 * Shows whether a caller still waits for the response. An AbortSignal would cost twenty times as much (docs/performance.md).
 */
export interface Waiting {
  readonly hasLeft: boolean;
  onLeave(listener: () => void): void;
  offLeave(listener: () => void): void;
}

/** Receives the messages that a tool server sends before its response. */
export interface Interim {
  /** @param progress the members of the notification, without its token */
  progress(progress: JsonMembers): void;
  log(message: LogMessage): void;
}

/** The destination, identity and deadline of a request. */
export interface McpTarget {
  /** MCP endpoint */
  readonly url: string;
  readonly credential: McpCredential;
  /** Identifies the user and the connector: server state of one is never used for another. */
  readonly owner: string;
  /** The time limit, in milliseconds on the scale of `performance.now()` */
  readonly deadline: number;
  /** The caller's presence; if the caller leaves, the tool server is notified. */
  readonly presence?: Waiting | undefined;
  readonly interim?: Interim | undefined;
  /** Counts the memory that the response uses until the caller's request has been completed */
  readonly memory?: MemoryHold | undefined;
}

/** Called for list changes that a tool server announces in any response */
export type OnListChanged = (mcpUrl: string, kinds: readonly ListKind[]) => void;

/** The credential for a tool server: sent only to the target's `url`. */
export type McpCredential =
  | { readonly kind: 'access_token'; readonly accessToken: string }
  | {
      readonly kind: 'api_key';
      /** The key itself */
      readonly key: string;
      readonly header: string;
      /** Value of the header, with the key in it */
      readonly value: string;
    }
  /** The TLS connection identifies the client. No header is sent. */
  | { readonly kind: 'client_certificate'; readonly dispatcher: Dispatcher };

/** One request with its trace, if any, and the time at which it began */
export interface McpCall {
  readonly target: McpTarget;
  readonly request: McpRequest;
  readonly trace: TraceContext | undefined;
  /** The logical time at which the call began: see `createGivenUpNames` */
  readonly since: number;
}
