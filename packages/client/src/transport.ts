import type { Outcome } from './outcome.ts';
import type { ToolList } from './tool.ts';
import type { Json } from './wire.ts';

export interface CallOptions {
  /** Aborting this signal cancels the call at the tool server too. */
  readonly signal?: AbortSignal;
  /** Called while the tool runs, if it reports progress; only by the transport `mcp` */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Answers a tool's question with the user's input (MCP, Elicitation). */
export type OnElicitation = (
  question: ElicitationRequest,
  tool: string,
) => ElicitationAnswer | Promise<ElicitationAnswer>;

export interface ElicitationRequest {
  readonly message: string;
  /** JSON Schema of a flat object */
  readonly requestedSchema: Json;
}

export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Json }
  | { readonly action: 'decline' | 'cancel' };

/** How tools are listed and called at the hub. */
export interface Transport {
  /** @throws the reason of an aborted signal */
  listTools(options: { readonly signal?: AbortSignal }): Promise<ToolList>;
  /** @throws the reason of an aborted signal */
  callTool(name: string, args: Json, options: CallOptions): Promise<Outcome>;
}
