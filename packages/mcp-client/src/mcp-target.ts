import type { ActiveRequest, MemoryHold } from '@legate/service/outbound';
import type { Progress } from './event-stream.ts';
import type { ListKind } from './list-kinds.ts';
import type { LogMessage } from './log-message.ts';
import type { McpCredential } from './mcp-credential.ts';

/** Tells whether a caller still waits for the answer. An AbortSignal would cost twenty times as much (docs/adr/0022). */
export interface Waiting {
  readonly hasLeft: boolean;
  onLeave(listener: () => void): void;
  offLeave(listener: () => void): void;
}

/** Receives what a tool server sends before its answer. */
export interface Interim {
  progress(progress: Progress): void;
  log(message: LogMessage): void;
}

/** To whom a request goes, as whom, and until when. */
export interface McpTarget {
  /** MCP endpoint */
  readonly url: string;
  readonly credential: McpCredential;
  /** Names the user and the connector: what a server keeps for one is never used for another. */
  readonly owner: string;
  /** On `performance.now()`'s scale, in milliseconds */
  readonly deadline: number;
  /** Of a caller who may go away; the tool server is told. */
  readonly presence?: Waiting | undefined;
  readonly interim?: Interim | undefined;
  /** Counts what is kept of the answer, until the request that it is for is answered */
  readonly memory?: MemoryHold | undefined;
  /** The request for which it is sent, whose ids the tool server is told; undefined: the one that is remembered, if any */
  readonly within?: ActiveRequest | undefined;
}

/** What a tool server says has changed, while it answers whatever request */
export type OnListChanged = (mcpUrl: string, kinds: readonly ListKind[]) => void;
