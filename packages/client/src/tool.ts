import type { Failure } from './outcome.ts';
import { isObject, type Json, stringOf } from './wire.ts';

/**
 * A tool that the user, and the agent that acts for them, may call. Its texts come from its tool server and are
 * untrusted.
 */
export interface LegateTool {
  /** The name at `/mcp`: unique among all connectors, and accepted by every model API */
  readonly name: string;
  readonly connectorId: string;
  /** The connector's short name */
  readonly slug: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** JSON Schema of an object */
  readonly inputSchema: Json;
  readonly outputSchema: Json | undefined;
  readonly annotations: ToolAnnotations;
  /**
   * `required`: the user must be asked before each call. Treat unknown values like `required`. Undefined: no agent is
   * named, so nobody has decided
   */
  readonly approval: 'required' | 'not-required' | (string & {}) | undefined;
}

/** MCP, `ToolAnnotations`: hints, as trustworthy as the tool server */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface ToolList {
  readonly tools: readonly LegateTool[];
  /** Tools that are missing from the list, by connector. Connectors that are not bound to the agent are not among them. */
  readonly leftOut: readonly LeftOut[];
  /**
   * The reason why there is no list at all, such as `sign_in_required`; `tools` and `leftOut` are then empty. Undefined:
   * the hub returned a list, possibly an empty one
   */
  readonly failure: Failure | undefined;
}

/** A connector with missing tools: all of them, for the reason `failure`, or as many as `unusable` counts. */
export type LeftOut = {
  readonly connectorId: string;
  /** Undefined: not reported by the transport `mcp` */
  readonly slug: string | undefined;
  /** The name that an administrator has given to the connector. Undefined: not reported by the transport `mcp` */
  readonly connectorName: string | undefined;
} & (
  | { readonly failure: Failure; readonly unusable?: never }
  | {
      /** Number of tools that have no usable name */
      readonly unusable: number;
      readonly failure?: never;
    }
);

/**
 * Reads a tool of a list.
 * @param name at `/mcp`
 */
export function toTool(
  item: Json,
  name: string,
  connector: Pick<LegateTool, 'connectorId' | 'slug'>,
): LegateTool {
  const annotations = toAnnotations(item.annotations);
  const meta = isObject(item._meta) ? item._meta : {};
  return {
    name,
    ...connector,
    title: stringOf(item.title) ?? annotations.title,
    description: stringOf(item.description),
    inputSchema: isObject(item.inputSchema) ? item.inputSchema : { type: 'object' },
    outputSchema: isObject(item.outputSchema) ? item.outputSchema : undefined,
    annotations,
    approval: stringOf(meta['legate/approval']),
  };
}

function toAnnotations(value: unknown): ToolAnnotations {
  if (!isObject(value)) return {};
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = value;
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof readOnlyHint === 'boolean' && { readOnlyHint }),
    ...(typeof destructiveHint === 'boolean' && { destructiveHint }),
    ...(typeof idempotentHint === 'boolean' && { idempotentHint }),
    ...(typeof openWorldHint === 'boolean' && { openWorldHint }),
  };
}
