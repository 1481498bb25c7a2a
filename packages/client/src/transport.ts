import type { Outcome } from './outcome.ts';
import type { ToolList } from './tool.ts';
import type { Json } from './wire.ts';

export interface CallOptions {
  /** Aborting it cancels the call at the tool server too. */
  readonly signal?: AbortSignal;
}

/** How tools are listed and called at the hub. */
export interface Transport {
  /** @throws the reason of an aborted signal */
  listTools(options: { readonly signal?: AbortSignal }): Promise<ToolList>;
  /** @throws the reason of an aborted signal */
  callTool(name: string, args: Json, options: CallOptions): Promise<Outcome>;
}
